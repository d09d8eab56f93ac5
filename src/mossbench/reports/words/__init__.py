"""What is said, a module for each subject: functions from a record to plain English.

A sentence is made in one place, by a function whose arguments have types, and only under evidence that makes it true.
Nothing here counts, decides which rows belong together, or reads a file; nobody reads a sentence back.
"""
