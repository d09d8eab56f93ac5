CREATE TABLE decisions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    item INTEGER NOT NULL REFERENCES items,
    author TEXT NOT NULL,
    value TEXT,                     -- NULL takes the decision back
    note TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL
);
CREATE TRIGGER decisions_stay BEFORE UPDATE ON decisions
    BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
CREATE TRIGGER decisions_are_kept BEFORE DELETE ON decisions
    BEGIN SELECT RAISE(ABORT, 'decisions are append-only'); END;
