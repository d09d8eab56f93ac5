CREATE TABLE items (
    id INTEGER PRIMARY KEY,
    ref TEXT NOT NULL UNIQUE,       -- what pages and addresses say; tells nothing
    source TEXT NOT NULL UNIQUE,    -- what it is, so that nothing is added twice
    place INTEGER NOT NULL,         -- in the mixed order
    wanted INTEGER NOT NULL,        -- how many people are to label it
    body TEXT NOT NULL
);
CREATE INDEX items_by_place ON items (place);
CREATE TABLE annotators (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, created TEXT NOT NULL);
CREATE TABLE tokens (
    hash TEXT PRIMARY KEY, annotator INTEGER NOT NULL REFERENCES annotators, created TEXT NOT NULL
);
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    item INTEGER NOT NULL REFERENCES items,
    annotator INTEGER NOT NULL REFERENCES annotators,
    action TEXT NOT NULL CHECK (action IN ('shown', 'label', 'skip', 'undo')),
    value TEXT,
    note TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL,
    CHECK ((action = 'label') = (value IS NOT NULL))
);
CREATE TABLE current (
    item INTEGER NOT NULL, annotator INTEGER NOT NULL, event INTEGER NOT NULL,
    action TEXT NOT NULL, at TEXT NOT NULL,
    PRIMARY KEY (item, annotator)
) WITHOUT ROWID;
CREATE INDEX current_by_annotator ON current (annotator, action, event);
CREATE TRIGGER events_are_counted AFTER INSERT ON events BEGIN
    INSERT INTO current VALUES (new.item, new.annotator, new.id, new.action, new.at)
    ON CONFLICT (item, annotator) DO UPDATE SET event = new.id, action = new.action, at = new.at;
END;
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
CREATE TRIGGER events_are_kept BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END;
