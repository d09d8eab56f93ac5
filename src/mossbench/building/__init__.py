"""A dataset of one's own: propose, image, screen, review, release. Every step reads and writes plain files."""
