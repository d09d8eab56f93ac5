"""The judges that `reader` replaced, kept under their versions until 1.0 so that old verdicts can be made again."""
