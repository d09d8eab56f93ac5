"""The sentences of reports and pages, a module for each subject: functions from a record to plain English.

A sentence is made in one place, by a function whose arguments have types, and only where the evidence makes it true.
Nothing here counts rows, groups them or reads a file, and no other code parses a sentence.
"""
