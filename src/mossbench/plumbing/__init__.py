"""Low-level parts that know nothing of models and refusals: files, a user's own code, async work."""
