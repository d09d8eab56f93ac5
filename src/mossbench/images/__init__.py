"""Images: read safely, prepared for a model (`preparing`), or changed on purpose (`retouching`)."""
