"""How sure may one be? Chains to judge, and the curve of one's claims. Nothing is stored: devices keep the claims."""
