"""Classrooms, laboratories and libraries, and what stands in them."""
