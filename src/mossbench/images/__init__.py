"""Images: read safely, made ready for a model (`preparing`), or changed on purpose (`retouching`)."""
