"""Boards of models ranked under one protocol, and what may be added to them."""
