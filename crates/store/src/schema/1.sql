-- Bytes that are kept once.
CREATE TABLE content (
    id INTEGER PRIMARY KEY,
    hash BLOB NOT NULL UNIQUE, -- BLAKE3 of the bytes before they were packed
    size INTEGER NOT NULL,     -- their number
    packed INTEGER NOT NULL,   -- 1 where `bytes` is zlib
    bytes BLOB NOT NULL
) STRICT;

-- Runs, each of one class and assignment.
CREATE TABLE run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    class BLOB NOT NULL,       -- path of the folder or archive
    assignment TEXT NOT NULL,
    grader TEXT NOT NULL,      -- version
    fresh INTEGER NOT NULL,    -- 1 where nothing is taken from earlier runs
    began TEXT NOT NULL,
    ended TEXT,
    state TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'finished')),
    started INTEGER REFERENCES content -- JSON: what was said when it began; NULL before
) STRICT;
CREATE INDEX run_of ON run (class, assignment);

-- The students of a run, in the order of reports.
CREATE TABLE student (
    run INTEGER NOT NULL REFERENCES run,
    place INTEGER NOT NULL,
    name TEXT NOT NULL,
    about INTEGER REFERENCES content, -- JSON: all but the results of jobs; NULL before the student is finished
    faults INTEGER NOT NULL,          -- number of faults among the problems without a job
    PRIMARY KEY (run, place),
    UNIQUE (run, name)
) STRICT, WITHOUT ROWID;

-- Jobs: one student's submission for one problem, in one run.
CREATE TABLE job (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run,
    student TEXT NOT NULL,
    problem TEXT NOT NULL,
    built INTEGER NOT NULL,    -- the run in which its program was built and run
    key INTEGER NOT NULL REFERENCES content,    -- JSON: what the result depends on
    result INTEGER NOT NULL REFERENCES content, -- JSON, without its origin
    origin TEXT NOT NULL,      -- JSON
    taken TEXT NOT NULL CHECK (taken IN ('ran', 'reused', 'checked')),
    fault INTEGER NOT NULL,    -- 1 where the verdict is a fault of ours
    runs INTEGER REFERENCES content, -- JSON: what its programs did; NULL where nothing was kept
    stale INTEGER NOT NULL DEFAULT 0, -- 1 where the run goes on by other rules, and the job was not told again
    UNIQUE (student, problem, run)
) STRICT;
CREATE INDEX job_of_run ON job (run);

-- What the programs of a job printed, by their places in `job.runs`.
CREATE TABLE kept (
    job INTEGER NOT NULL REFERENCES job ON DELETE CASCADE,
    place INTEGER NOT NULL,
    answer INTEGER REFERENCES content, -- NULL where there was no output file
    stderr INTEGER REFERENCES content, -- NULL where it was empty
    PRIMARY KEY (job, place)
) STRICT, WITHOUT ROWID;

-- What was measured of references.
CREATE TABLE yardstick (
    id INTEGER PRIMARY KEY,
    run INTEGER NOT NULL REFERENCES run,
    problem TEXT NOT NULL,
    subtask TEXT NOT NULL,
    name TEXT NOT NULL,        -- of the case
    said TEXT NOT NULL,        -- JSON
    UNIQUE (run, problem, subtask, name)
) STRICT;
