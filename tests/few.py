"""Few of the sketches, for tests with control models.

What a control model sees in them is bundled; a picture that was changed is looked at once in a test session, a quarter
of a second each: tests that ask about the same few share that. What is asked about all sketches is `slow`.
"""

FEW = 12
"""As `limit`: the first sketches, four of each stimulus, with their twins."""
