"""Rows of a run, or of its judge, through a provider's batch API; `queue` is what others use.

queue       prompts handed over in rounds until each row has its answer
rows        the rows that have no answer yet
chunks      the chunks of rows that their provider has, on record in batches.jsonl
calls       calls to a batch API that cost nothing, repeated where that may help
sending     packing rows into chunks, and handing these over: the one call that is paid for
lookup      finding a batch whose making was not confirmed
collecting  waiting for a batch, and taking its results
results     what the results of a batch hold, and what is missing in them
"""
