-- Bytes, stored once: results, keys and sources.
CREATE TABLE content (
    hash BLOB PRIMARY KEY, -- BLAKE3 of the bytes
    zlib BLOB NOT NULL     -- the bytes, compressed
) STRICT;

CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    class BLOB NOT NULL,       -- path of the folder or archive
    assignment TEXT NOT NULL,
    info TEXT NOT NULL,        -- JSON: AssignmentInfo
    grader TEXT NOT NULL,      -- version
    fresh INTEGER NOT NULL,    -- 1 if it reuses no earlier run
    began TEXT NOT NULL,
    ended TEXT,
    state TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'finished')),
    shard TEXT,                -- '3/16' if it is of a shard, 'merged' if of all shards; NULL if the class has none
    start TEXT,                -- JSON: host, isolation, unused files; NULL until the students are known
    hash BLOB                  -- of the row: see row_hash.rs
) STRICT;
CREATE INDEX run_of ON run (class, assignment);

CREATE TABLE student (
    run INTEGER NOT NULL REFERENCES run,
    id TEXT NOT NULL,
    place INTEGER NOT NULL,          -- in reports
    about BLOB REFERENCES content,   -- JSON: StudentResult without problems; NULL until the student is finished
    PRIMARY KEY (run, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE result (
    run INTEGER NOT NULL REFERENCES run,
    student TEXT NOT NULL,
    problem TEXT NOT NULL,
    verdict TEXT NOT NULL,
    points INTEGER,                        -- in thousandths; NULL while open
    origin TEXT,                           -- JSON; NULL if nothing was judged
    key BLOB REFERENCES content,           -- JSON: JobKey; NULL if the result is not reused
    content BLOB NOT NULL REFERENCES content, -- JSON: ProblemResult without origin and submitted
    submission TEXT,                       -- names the files that were judged; NULL if none were
    submitted TEXT,                        -- RFC 3339, UTC; NULL if not known
    hash BLOB,                             -- of the row: see row_hash.rs
    PRIMARY KEY (run, student, problem)
) STRICT, WITHOUT ROWID;
CREATE INDEX result_of ON result (student, problem);

-- What was judged.
CREATE TABLE source (
    run INTEGER NOT NULL,
    student TEXT NOT NULL,
    problem TEXT NOT NULL,
    place INTEGER NOT NULL,
    path TEXT NOT NULL,
    content BLOB NOT NULL REFERENCES content,
    PRIMARY KEY (run, student, problem, place),
    FOREIGN KEY (run, student, problem) REFERENCES result ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE reference_time (
    run INTEGER NOT NULL REFERENCES run,
    problem TEXT NOT NULL,
    subtask TEXT NOT NULL,
    name TEXT NOT NULL,        -- of the case
    time TEXT NOT NULL,        -- JSON: ReferenceTime
    shard INTEGER NOT NULL DEFAULT 0, -- in a merged run the shard on whose machine it was measured
    UNIQUE (run, problem, subtask, name, shard)
) STRICT;

-- Inputs on which programs fail and that no case has.
CREATE TABLE counterexample (
    problem TEXT NOT NULL,
    version TEXT NOT NULL,     -- of the problem: another one may have other right answers
    submission TEXT NOT NULL,
    result TEXT NOT NULL,      -- JSON: CaseResult
    PRIMARY KEY (problem, version, submission)
) STRICT, WITHOUT ROWID;

-- Where classes were before.
CREATE TABLE former_class (
    class BLOB NOT NULL,       -- path of the folder or archive now
    assignment TEXT NOT NULL,
    path BLOB NOT NULL         -- its path before
) STRICT;

-- Every grade that went into a gradebook, not only the last: the file of an earlier run may be the one that was uploaded.
CREATE TABLE filled_grades (
    assignment TEXT NOT NULL,
    system TEXT NOT NULL,      -- the course system of the gradebook
    student TEXT NOT NULL,
    grade INTEGER NOT NULL,    -- in thousandths, as the gradebook counts
    PRIMARY KEY (assignment, system, student, grade)
) STRICT, WITHOUT ROWID;

-- The formats that this file has had. Every later format keeps this table as it is: an older grader reads from it which
-- version it takes to open the file.
CREATE TABLE format (
    number INTEGER PRIMARY KEY, -- as in `user_version`
    grader TEXT NOT NULL,       -- the version that created the file in this format, or upgraded it
    -- Of an upgrade; NULL if the file was created in this format: merging the same shards again makes the same file.
    earlier INTEGER,            -- the format before
    since TEXT,
    copy TEXT                   -- name of the copy of the file as it was before, beside it
) STRICT;
