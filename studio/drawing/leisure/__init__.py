"""Stages, sports grounds, museums and workshops, and what stands in them."""
