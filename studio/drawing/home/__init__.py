"""Rooms, shops and cafés, and what stands in them."""
