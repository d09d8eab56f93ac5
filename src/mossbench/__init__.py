"""Measures how often multimodal models turn down harmless image+text requests."""

__version__ = "0.1.0"
