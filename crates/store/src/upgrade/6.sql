-- Graders that wrote format 5 created the first three tables when they needed them, so a file may have any of them.
CREATE TABLE IF NOT EXISTS counterexample (
    problem TEXT NOT NULL,
    version TEXT NOT NULL,
    submission TEXT NOT NULL,
    result TEXT NOT NULL,
    PRIMARY KEY (problem, version, submission)
) STRICT, WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS former_class (
    class BLOB NOT NULL,
    assignment TEXT NOT NULL,
    path BLOB NOT NULL
) STRICT;

CREATE TABLE IF NOT EXISTS filled_grades (
    assignment TEXT NOT NULL,
    system TEXT NOT NULL,
    student TEXT NOT NULL,
    grade INTEGER NOT NULL,
    PRIMARY KEY (assignment, system, student, grade)
) STRICT, WITHOUT ROWID;

-- The first of these graders kept one grade of each student, in this table.
CREATE TABLE IF NOT EXISTS filled (
    assignment TEXT NOT NULL,
    system TEXT NOT NULL,
    student TEXT NOT NULL,
    grade INTEGER NOT NULL,
    PRIMARY KEY (assignment, system, student)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO filled_grades SELECT assignment, system, student, grade FROM filled;
DROP TABLE filled;

CREATE TABLE format (
    number INTEGER PRIMARY KEY,
    grader TEXT NOT NULL,
    earlier INTEGER,
    since TEXT,
    copy TEXT
) STRICT;
