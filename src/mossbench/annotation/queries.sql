-- What the store asks, by name; the tables are those of tables/.

-- items: those that are not an answer shown again, which only plans see
SELECT * FROM items WHERE source NOT LIKE 'again %' ORDER BY place;

-- acts: the last thing that each person did with each item
SELECT i.ref, c.annotator, c.action, c.at, e.value, d.item IS NOT NULL AS was_labelled
FROM current c JOIN items i ON i.id = c.item JOIN events e ON e.id = c.event
LEFT JOIN (SELECT DISTINCT item FROM events WHERE action = 'label') d ON d.item = i.id
ORDER BY c.event;

-- taken_up: what somebody took back last, else the first of what they were given and left open, without :ahead
SELECT i.*, c.action FROM current c JOIN items i ON i.id = c.item
WHERE c.annotator = :me AND c.action IN ('undo', 'shown') AND i.wanted > 0
AND i.ref NOT IN (SELECT value FROM json_each(:ahead))
ORDER BY c.action = 'undo' DESC, CASE c.action WHEN 'undo' THEN -c.event ELSE c.event END LIMIT 1;

-- free: the next item assigned to them, or one for everybody that needs a label and nobody else saw since :fresh
SELECT i.* FROM items i
WHERE NOT EXISTS (SELECT 1 FROM current m WHERE m.item = i.id AND m.annotator = :me)
AND (EXISTS (SELECT 1 FROM assignments s WHERE s.item = i.id AND s.annotator = :me)
     OR (NOT EXISTS (SELECT 1 FROM assignments s WHERE s.item = i.id)
         AND (SELECT count(*) FROM current o WHERE o.item = i.id AND o.annotator <> :me
              AND (o.action = 'label' OR (o.action IN ('shown', 'undo') AND o.at > :fresh))) < i.wanted))
ORDER BY i.place LIMIT 1;

-- last_done: their last label or skip that holds
SELECT c.item, i.ref FROM current c JOIN items i ON i.id = c.item
WHERE c.annotator = :me AND c.action IN ('label', 'skip') ORDER BY c.event DESC LIMIT 1;

-- skipped
SELECT item FROM current WHERE annotator = :me AND action = 'skip';

-- progress
SELECT
    (SELECT count(*) FROM current WHERE annotator = :me AND action = 'label') AS done,
    (SELECT count(*) FROM current WHERE annotator = :me AND action = 'skip') AS skipped,
    (SELECT count(*) FROM items i
        WHERE NOT EXISTS (SELECT 1 FROM current m
            WHERE m.item = i.id AND m.annotator = :me AND m.action IN ('label', 'skip'))
        AND (EXISTS (SELECT 1 FROM assignments s WHERE s.item = i.id AND s.annotator = :me)
            OR (NOT EXISTS (SELECT 1 FROM assignments s WHERE s.item = i.id)
                AND (SELECT count(*) FROM current o
                    WHERE o.item = i.id AND o.annotator <> :me AND o.action = 'label') < i.wanted))) AS open,
    (SELECT coalesce(sum(max(0, i.wanted - (SELECT count(*) FROM current c
        WHERE c.item = i.id AND c.action = 'label'))), 0) FROM items i) AS missing;

-- last_event: other than being given an item
SELECT i.ref, e.* FROM events e JOIN items i ON i.id = e.item
WHERE e.annotator = :me AND e.action <> 'shown' ORDER BY e.id DESC LIMIT 1;

-- last_two: things that somebody did with an item other than to look at it, the last one first
SELECT i.ref, e.* FROM events e JOIN items i ON i.id = e.item
WHERE i.ref = :ref AND e.annotator = :me AND e.action <> 'shown' ORDER BY e.id DESC LIMIT 2;

-- labels_by: the current labels and skips of one annotator
SELECT i.ref, e.* FROM current c JOIN events e ON e.id = c.event JOIN items i ON i.id = c.item
WHERE c.annotator = :me AND c.action IN ('label', 'skip') AND i.source NOT LIKE 'again %' ORDER BY e.id DESC;

-- labels: those that hold, in the order in which they were given
SELECT i.ref, a.name, e.* FROM current c JOIN events e ON e.id = c.event
JOIN items i ON i.id = c.item JOIN annotators a ON a.id = c.annotator
WHERE c.action = 'label' AND i.source NOT LIKE 'again %' ORDER BY e.id;

-- decisions: those that hold, the last one first
SELECT i.ref, d.author AS name, d.* FROM decisions d JOIN items i ON i.id = d.item
WHERE d.id IN (SELECT max(id) FROM decisions GROUP BY item) AND d.value IS NOT NULL ORDER BY d.id DESC;

-- decided: all on one item
SELECT i.ref, d.author AS name, d.* FROM decisions d JOIN items i ON i.id = d.item WHERE i.ref = :ref ORDER BY d.id;

-- add_item
INSERT INTO items (ref, source, place, wanted, body) VALUES (?, ?, ?, ?, ?);

-- queue_item
UPDATE items SET place = ?, wanted = ?, body = ? WHERE source = ?;

-- add_event
INSERT INTO events (item, annotator, action, value, note, at) VALUES (?, ?, ?, ?, ?, ?);

-- add_decision
INSERT INTO decisions (item, author, value, note, at) VALUES (?, ?, ?, ?, ?);

-- raise_wanted: more people for an item of the queue
UPDATE items SET wanted = ? WHERE source = ? AND wanted BETWEEN 1 AND ? - 1;

-- assign
INSERT OR IGNORE INTO assignments (item, annotator) SELECT id, ? FROM items WHERE source = ?;

-- add_annotator
INSERT INTO annotators (name, created) VALUES (?, ?);

-- add_token
INSERT INTO tokens (hash, annotator, created, link) VALUES (?, ?, ?, ?);

-- revoke
UPDATE tokens SET revoked = ? WHERE annotator = ? AND revoked IS NULL AND link IS NOT 0;

-- set_role
UPDATE annotators SET role = ? WHERE id = ?;

-- by_token
SELECT a.id, a.name, a.role FROM tokens t JOIN annotators a ON a.id = t.annotator
WHERE t.hash = ? AND t.revoked IS NULL;

-- seat: how a token was given, and when it was revoked
SELECT link, revoked FROM tokens WHERE hash = ?;

-- assigned: whether somebody was ever shown an item, or said something of it
SELECT 1 FROM current c JOIN items i ON i.id = c.item WHERE i.ref = :ref AND c.annotator = :me;

-- by_name: the name as it is written first
SELECT id, name FROM annotators ORDER BY name = ? DESC, id;

-- people
SELECT a.name, a.role, count(CASE WHEN c.action = 'label' THEN 1 END) AS n_labels, coalesce(max(c.at), '') AS last,
    (SELECT CASE WHEN count(*) = 0 THEN 'none' WHEN count(*) = count(revoked) THEN 'revoked' ELSE 'open' END
        FROM tokens t WHERE t.annotator = a.id AND t.link IS NOT 0) AS link,
    (SELECT count(*) FROM items i
        WHERE NOT EXISTS (SELECT 1 FROM current m
            WHERE m.item = i.id AND m.annotator = a.id AND m.action IN ('label', 'skip'))
        AND (EXISTS (SELECT 1 FROM assignments s WHERE s.item = i.id AND s.annotator = a.id)
            OR (NOT EXISTS (SELECT 1 FROM assignments s WHERE s.item = i.id)
                AND (SELECT count(*) FROM current o
                    WHERE o.item = i.id AND o.annotator <> a.id AND o.action = 'label') < i.wanted))) AS open,
    EXISTS (SELECT 1 FROM assignments s WHERE s.annotator = a.id) AS is_assigned
FROM annotators a LEFT JOIN current c ON c.annotator = a.id GROUP BY a.id ORDER BY a.id;

-- guards: triggers that keep what is on record
SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name IN ('events_stay', 'decisions_stay');

-- forget_notes: of what people did with an item
UPDATE events SET note = '' WHERE note <> '' AND item IN (SELECT id FROM items WHERE source = ?);

-- forget_reasons: of decisions on an item
UPDATE decisions SET note = '' WHERE note <> '' AND item IN (SELECT id FROM items WHERE source = ?);
