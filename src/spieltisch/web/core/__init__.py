"""What all rooms of the web share. It knows none of them."""
