"""Faults against real servers, what people saw meanwhile, and a judge of it: `make chaos`, and docs/scale.md."""
