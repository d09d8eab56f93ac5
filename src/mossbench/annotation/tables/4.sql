CREATE TABLE assignments (                      -- items that only these people get; those of others are for everybody
    item INTEGER NOT NULL REFERENCES items,
    annotator INTEGER NOT NULL REFERENCES annotators,
    PRIMARY KEY (item, annotator)
) WITHOUT ROWID;
