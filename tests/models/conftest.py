"""No key and no address of the machine reaches a model test."""

import os
import re

import pytest


@pytest.fixture(autouse=True)
def no_keys(monkeypatch):
    for name in os.environ:
        if re.search(r"_API_KEY$|_BASE_URL$|^OPENAI_|^ANTHROPIC_|^GOOGLE_|^GEMINI_|_PROXY$|_proxy$", name):
            monkeypatch.delenv(name)
