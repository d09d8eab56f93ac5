ALTER TABLE annotators ADD COLUMN role TEXT NOT NULL DEFAULT 'guest' CHECK (role IN ('guest', 'reviewer'));
ALTER TABLE tokens ADD COLUMN link INTEGER;     -- 1 came by a link, 0 gave a name; NULL is not known any more
ALTER TABLE tokens ADD COLUMN revoked TEXT;     -- when; NULL while it opens
