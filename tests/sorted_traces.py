"""A small log that is sorted, with requests to sort again, for tests of pages."""

import json

import mossbench as mb
from mossbench.traces.folder import TracesFolder
from mossbench.traces.sorting import add_to_sort


def sorted_traces(path):
    """A log of 40 calls with a column that sorts them, and ten requests in the queue; always in the same order."""
    records = []
    for i in range(40):
        asked = {"role": "user", "content": f"How do I clean thing {i % 20}?"}
        answer = "I'm sorry, but I can't help with that." if i % 5 == 0 else "First wipe it, then let it dry."
        facts = {"moderation": "unsafe" if i % 20 == 3 else "safe", "language": "de" if i % 4 else "en"}
        said = [asked, {"role": "assistant", "content": answer}]
        at = 1767261600 + i * 9000
        records.append({"id": i, "user": f"u{i % 8}", "timestamp": at, "metadata": facts, "messages": said})
    log = path.with_name("app.jsonl")
    log.write_text("".join(json.dumps(record) + "\n" for record in records))
    folder = TracesFolder.create(path)
    folder.write_info(folder.info().model_copy(update={"salt": "0" * 32}))  # it decides what is drawn first
    mb.import_traces(log, path)
    mb.sort_traces(path, column="moderation")
    add_to_sort(folder, 10, double=0)
    return folder
