"""Faults in real servers, what people saw, and a judge: `make chaos`, and docs/scale.md."""
