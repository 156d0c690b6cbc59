//! Points that a person gives.

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::class::{GRADE, SQUARE, WRONG, ann_and_bob};
use crate::harness::{Room, names, problem, student, without_submissions};

/// 5 points by a rubric, and 5 by a number.
const BY_HAND: &str = r#"
[[subtask]]
name = "style"
points = 5
manual = true
items = [
    { id = "names", points = 3, text = "Names say what they hold" },
    { id = "short", points = 2, text = { en = "No long lines", zh = "没有长行" } },
]

[[subtask]]
name = "report"
points = 5
manual = true
"#;

/// Ann, who is right, Bob, who is right for 2 only, Cy, whose program does not compile, and Dan, who submitted nothing.
fn room() -> Room {
    let room = ann_and_bob()
        .file("class/cy/square.c", "int main( { }")
        .folder("class/dan")
        .replace("squares/assignment.toml", "points = 10", "points = 20");
    let path = room.path("squares/square/problem.toml");
    let text = fs::read_to_string(&path).unwrap() + BY_HAND;
    room.file("squares/square/problem.toml", text)
}

/// The points of everybody for the square; `null` while they are open.
fn points(room: &Room) -> Value {
    let (_, results) = room.json(&["report", "class", "--json", "-"]);
    let points = |id| problem(student(&results, id), "square")["points"].clone();
    json!(["ann", "bob", "cy", "dan"].map(points))
}

#[test]
fn points_by_hand_are_open_until_somebody_gave_them() {
    let room = room();
    let graded = room.run(&GRADE);
    assert_eq!(graded.status, 0, "{}", graded.stderr);
    let (_, needs) = graded.stdout.split_once("Still to grade: ").unwrap();
    let (needs, _) = needs.split_once("\n\n").unwrap();
    assert_eq!(
        needs,
        "points by hand (6)\n    style: up to 5 points:\n      ann (square), bob (square), cy (square)\n    \
         report: up to 5 points:\n      ann (square), bob (square), cy (square)"
    );
    assert_eq!(points(&room), json!([null, null, null, 0]));

    let one = "correct --student ann --problem square --item names --item short --comment neat";
    let ran = room.run(&one.split(' ').collect::<Vec<_>>());
    assert_eq!(
        (ran.status, ran.stdout.as_str()),
        (
            0,
            "ann square: 15 + ? of 20 points  points by hand are missing: report (5)\n"
        )
    );
    let table = "Student;Subtask;Points;Items;Comment\nann;report;4,5;;\nbob;;;names;\nbob;report;0;;no report\ncy;style;0;;\ncy;report;1;;\ndan;;;;\n";
    let room = room.file("points.csv", table);
    let ran = room.run(&["correct", "--from", "points.csv", "--problem", "square"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert_eq!(points(&room), json!([19.5, 6.33, 1, 0]));
    let listed = room.run(&["correct", "--list"]);
    assert_eq!(
        listed.stdout,
        "ann square style: items = [\"names\", \"short\"], comment = \"neat\"\n\
         ann square report: points = 4.5\n\
         bob square style: items = [\"names\"]\n\
         bob square report: points = 0, comment = \"no report\"\n\
         cy square style: points = 0\n\
         cy square report: points = 1\n\
         Nothing is left to grade by hand.\n"
    );
    let own = room.run(&["report", "class", "--explain", "bob"]);
    let lines = own.stdout.lines().filter(|line| line.contains(" of 5"));
    let lines: Vec<&str> = lines.map(str::trim).collect();
    assert_eq!(
        lines,
        [
            "style       3 of 5      ✓ Names say what they hold · ✗ No long lines",
            "report      0 of 5      graded by hand"
        ]
    );

    // Points are for the submission that was looked at.
    let room = room.file("class/bob/square.c", SQUARE);
    assert_eq!(room.run(&GRADE).status, 0);
    assert_eq!(points(&room), json!([19.5, null, 1, 0]));
}

#[test]
fn several_people_give_points_and_contradictions_are_mistakes() {
    let of = |points: u32| {
        format!(
            "format = 1\n\n[[correction]]\nstudent = \"ann\"\nproblem = \"square\"\nsubtask = \"style\"\npoints = {points}\n"
        )
    };
    let room = room().file("corrections/eve.toml", of(4));
    assert_eq!(room.run(&GRADE).status, 0);
    let room = room.file("corrections/fred.toml", of(5));
    let ran = room.run(&["report", "class"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            2,
            "error: `points` or `items` is given twice for this student: at corrections/eve.toml:3 too\n \
             --> corrections/fred.toml:3:1\n  |\n3 | [[correction]]\n  | ^^^^^^^^^^^^^^\n\n1 mistake in 1 file\n"
        )
    );

    // Into one file, at the same time.
    fs::remove_dir_all(room.path("corrections")).unwrap();
    let jobs = ["ann", "bob", "cy"].map(|it| ["style", "report"].map(|subtask| (it, subtask)));
    let correct = |(student, subtask)| {
        let arguments =
            format!("correct --student {student} --problem square --subtask {subtask} --points 1");
        let mut command = room.command(&arguments.split(' ').collect::<Vec<_>>());
        command.stdout(Stdio::null()).spawn().unwrap()
    };
    let started: Vec<_> = jobs.into_iter().flatten().map(correct).collect();
    for mut child in started {
        assert!(child.wait().unwrap().success());
    }
    let listed = room.run(&["correct", "--list"]);
    let mut lines: Vec<&str> = listed.stdout.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        lines,
        [
            "Nothing is left to grade by hand.",
            "ann square report: points = 1",
            "ann square style: points = 1",
            "bob square report: points = 1",
            "bob square style: points = 1",
            "cy square report: points = 1",
            "cy square style: points = 1",
        ]
    );
}

#[test]
fn a_table_with_a_mistake_changes_nothing() {
    let room = room();
    assert_eq!(room.run(&GRADE).status, 0);
    for (table, message) in [
        (
            "student,nome,points\nann,Ann,3\n",
            "points.csv:1: there is no column `nome`",
        ),
        (
            "points\n3\n",
            "points.csv:1: the column `student` is missing",
        ),
        (
            "student,problem,points\nann,square,3\nzoe,square,3\n",
            "points.csv:3: there is no student `zoe` in `.grader/ledger.db`",
        ),
        (
            "student,problem,items\nann,square,neat\n",
            "points.csv:2: no subtask has the items `neat`\nthe items are `names`, `short`",
        ),
        (
            "student,problem,points\nann,square,many\n",
            "points.csv:2: expected a number",
        ),
        (
            "student,problem,points\nzoe,square,3\nann,square,3\nann,squares,3\nann,square,4\n",
            "points.csv:2: there is no student `zoe` in `.grader/ledger.db`\n\
             points.csv:4: there is no problem `squares`; did you mean `square`?\n\
             points.csv:5: `ann square` is on line 3 too: which row counts?",
        ),
    ] {
        let path = room.path("points.csv");
        fs::write(path, table).unwrap();
        let ran = room.run(&["correct", "--from", "points.csv"]);
        assert_eq!(
            (ran.status, ran.stderr),
            (2, format!("error: {message}\n")),
            "{table}"
        );
        assert!(!room.path("corrections.toml").exists());
    }
}

/// A sheet with these rows.
fn sheet(rows: &[&str]) -> String {
    let heads = "student,name,problem,style/names (3),style/short (2),report/points (5),comment";
    let rows = [heads].into_iter().chain(rows.iter().copied());
    let rows = rows.map(|row| format!("{row}\r\n"));
    format!("\u{feff}{}", rows.collect::<String>())
}

#[test]
fn a_sheet_is_filled_in_and_taken_back() {
    let room = room();
    assert_eq!(room.run(&GRADE).status, 0);
    let first = "correct --student ann --problem square --item names";
    assert_eq!(room.run(&first.split(' ').collect::<Vec<_>>()).status, 0);
    let ran = room.run(&["correct", "--sheet", "points.csv"]);
    assert_eq!(
        (ran.status, ran.stderr.as_str()),
        (
            0,
            "3 rows written to `points.csv`, 3 still to grade: fill in the cells, then `grader correct --from points.csv`\n"
        )
    );
    let path = room.path("points.csv");
    let rows = ["ann,,square,1,0,,", "bob,,square,,,,", "cy,,square,,,,"];
    let written = fs::read_to_string(&path).unwrap();
    assert_eq!(without_submissions(&written), sheet(&rows));
    let again = room.run(&["correct", "--sheet", "points.csv"]);
    assert_eq!(
        (again.status, again.stderr.as_str()),
        (2, "error: `points.csv` already exists\n")
    );

    // As a spreadsheet program writes it in another locale. An empty cell is no 0.
    let filled = "student;name;problem;style/names (3);style/short (2);report/points (5);comment\n\
        ann;;square;1;0;4,50;'-1 for the date\nbob;;square;3;2;;\ncy;;square;0;0;0;\n";
    let room = room.file("points.csv", filled);
    let from = ["correct", "--from", "points.csv"];
    let ran = room.run(&from);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert_eq!(points(&room), json!([17.5, null, 0, 0]));
    let listed = room.run(&["correct", "--list"]).stdout;
    assert_eq!(
        listed,
        "ann square style: items = [\"names\"]\nann square report: points = 4.5\nann square: comment = \"-1 for the date\"\n\
         bob square style: items = [\"names\", \"short\"]\ncy square style: points = 0\ncy square report: points = 0\n\
         bob square report: still to grade\n1 subtask is still to grade.\n"
    );

    // What was written comes back as it is, and changes nothing.
    let rows = [
        "ann,,square,1,0,4.5,'-1 for the date",
        "bob,,square,1,1,,",
        "cy,,square,0,0,0,",
    ];
    let written = room.run(&["correct", "--sheet", "-"]);
    assert_eq!(without_submissions(&written.stdout), sheet(&rows));
    let room = room.file("points.csv", written.stdout);
    let before = fs::read_to_string(room.path("corrections.toml")).unwrap();
    let ran = room.run(&from);
    assert!(
        ran.stderr.starts_with("0 new corrections"),
        "{}",
        ran.stderr
    );
    let after = fs::read_to_string(room.path("corrections.toml")).unwrap();
    assert_eq!(after, before);
}

#[test]
fn points_are_for_the_attempt_that_counts() {
    let best = "[deadline]\ndue = 2099-01-01T00:00:00\nzone = \"UTC\"\npenalty = \"10% per day\"\nattempts = \"best\"\n\n[[problem]]\npath = \"square\"";
    let room = room().replace(
        "squares/assignment.toml",
        "[[problem]]\npath = \"square\"",
        best,
    );
    assert_eq!(room.run(&GRADE).status, 0);
    let room = room.file("class/ann/square.c", WRONG);
    assert_eq!(room.run(&GRADE).status, 0);
    let one = "correct --student ann --problem square --item names";
    let ran = room.run(&one.split(' ').collect::<Vec<_>>());
    let first = ran.stdout.lines().next();
    let expected = "ann square: 13 + ? of 20 points  points by hand are missing: report (5)";
    assert_eq!(first, Some(expected), "{}", ran.stderr);
    let rows = ["ann,,square,1,0,5,", "bob,,square,0,0,0,"];
    let room = room.file("points.csv", sheet(&rows));
    let ran = room.run(&["correct", "--from", "points.csv"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    assert_eq!(points(&room), json!([18, 3.33, null, 0]));
}

#[test]
fn a_sheet_with_a_mistake_changes_nothing() {
    let room = room();
    assert_eq!(room.run(&GRADE).status, 0);
    let first = "correct --student ann --problem square --item names";
    assert_eq!(room.run(&first.split(' ').collect::<Vec<_>>()).status, 0);
    let after = || fs::read_to_string(room.path("corrections.toml")).unwrap();
    let before = after();
    let rows = [
        (
            "ann,,square,1,1,,",
            "2: `ann square style` has points by hand already (`items = [\"names\"]`): replace them with `--replace`",
        ),
        (
            "bob,,square,1,,,",
            "2: `style/short` is empty: give 0 or 1 for every item of `style`, or for none",
        ),
        (
            "bob,,square,2,1,,",
            "2: `style/names` is `2`: expected 0, 1 or 3",
        ),
        (
            "bob,,square,=1,1,,",
            "2: `style/names` is `=1`: expected 0, 1 or 3",
        ),
        (
            "bob,,square,,,5.5,",
            "2: 5.5 points are more than `report` is worth, which is 5",
        ),
        (
            "bob,,square,,,-1,",
            "2: points must not be negative; to take points away, use `--add`",
        ),
        (
            "bob,,one,,,1,",
            "2: `one` has no `report/points`: leave the cell empty",
        ),
        (
            "bob,,,,,1,",
            "2: the problem is missing: name it with `--problem`",
        ),
        (
            "zoe,,square,,,1,",
            "2: there is no student `zoe` in `.grader/ledger.db`",
        ),
        (
            "bob,,square,,,1,\r\nbob,,square,,,2,",
            "3: `bob square report` is on line 2 too: which row counts?",
        ),
    ];
    for (row, message) in rows {
        fs::write(room.path("wrong.csv"), sheet(&[row])).unwrap();
        let ran = room.run(&["correct", "--from", "wrong.csv"]);
        let expected = format!("error: wrong.csv:{message}\n");
        assert_eq!((ran.status, ran.stderr), (2, expected), "{row}");
        assert_eq!(after(), before);
    }
    let heads = [
        (
            "student,style/neat,report/points",
            "there is no column `style/neat`",
        ),
        (
            "student,report/points,report/points (5)",
            "the column `report/points` is there twice",
        ),
        (
            "student,report/points,items",
            "the columns `report/points` and `items` say the same: keep one",
        ),
    ];
    for (heads, message) in heads {
        fs::write(room.path("wrong.csv"), format!("{heads}\nann,1,1\n")).unwrap();
        let ran = room.run(&["correct", "--from", "wrong.csv", "--problem", "square"]);
        assert_eq!(
            (ran.status, ran.stderr),
            (2, format!("error: wrong.csv:1: {message}\n"))
        );
    }
}

/// What is missing, as a warning.
const MISSING: &str = "points by hand are missing for 3 submissions: ann square, bob square, cy square: these points stay empty; \
                       `grader correct --list` shows what to enter\n";

#[test]
fn missing_points_by_hand_are_no_fault_and_hide_no_judged_points() {
    let room = room();
    let graded = room.run(&GRADE);
    let (_, table) = graded.stdout.split_once("─\n").unwrap();
    let (table, _) = table.split_once("\n\nNeeds").unwrap();
    let table: Vec<String> = table
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        table,
        [
            "ann 10 + ? — 10 + ? 0",
            "bob 3.33 + ? PC — 3.33 + ? 0",
            "cy ? CE — ? 0",
            "dan — — 0 0",
            "mean 3.33 + ? 0 3.33 + ? 0",
            "+ ? points by hand are missing",
            "",
            "graded 1 of 4 · 3 wait for points by hand · mean 3.33 + ? · median 1.67 + ? · 0 with full marks",
        ]
    );

    // One exit status, whatever is written.
    assert_eq!(room.run(&["report", "class", "-q"]).status, 0);
    let csv = room.run(&["report", "class", "--csv", "points.csv", "-q"]);
    assert_eq!((csv.status, csv.stderr.as_str()), (0, MISSING));
    let csv = fs::read_to_string(room.path("points.csv")).unwrap();
    // The last column names the class by a hash of its place.
    let rows = csv.lines().filter_map(|row| row.rsplit_once(','));
    let csv = rows.map(|(row, _)| row).collect::<Vec<_>>().join("\r\n") + "\r\n";
    let rest = "points by hand are missing: style (5), report (5)\"\r\n";
    assert_eq!(
        csv,
        format!(
            "\u{feff}id,name,email,square,one,points,bonus,total,graded,flags,notes\r\n\
             ann,,,,0,,0,,no,0,\"square: 10 + ? of 20 points, {rest}\
             bob,,,,0,,0,,no,0,\"square: 3.33 + ? of 20 points, {rest}\
             cy,,,,0,,0,,no,0,\"square: not scored yet (of 20 points), {rest}\
             dan,,,0,0,0,0,0,yes,0,\r\n"
        )
    );
    let book = "Student,ID,SIS User ID,SIS Login ID,Section,Squares (1)\nPoints Possible,,,,,20\n\"ann\",1,ann,ann,1,\n";
    let room = room.file("book.csv", book);
    let filled = room.run(&["gradebook", "book.csv", "class", "-o", "filled.csv"]);
    assert_eq!(filled.status, 0, "{}", filled.stderr);
    assert!(filled.stderr.contains(MISSING), "{}", filled.stderr);
}

#[test]
fn whoever_waits_for_points_by_hand_reads_that_neither_the_grader_nor_the_student_has_failed() {
    let room = room();
    assert_eq!(room.run(&GRADE).status, 0);
    let sentence = "The score is not complete: points by hand are still missing: square style (5), square report (5).";
    let own = [
        "report",
        "class",
        "--explain",
        "ann",
        "--audience",
        "student",
    ];
    let own = room.run(&own).stdout;
    assert!(
        own.starts_with("ann: 10 + ? of 20 points, 0 of 2 bonus points\n"),
        "{own}"
    );
    assert!(own.contains(sentence), "{own}");
    assert!(
        own.contains(
            "\nsquare: 10 + ? of 20 points  points by hand are missing: style (5), report (5)\n"
        ),
        "{own}"
    );
    assert!(
        own.contains("\n  style     ? of 5      points by hand are still missing\n"),
        "{own}"
    );
    let gradescope = room.run(&["report", "--gradescope", "-", "--student", "ann"]);
    let gradescope: Value = serde_json::from_str(&gradescope.stdout).unwrap();
    let rows = gradescope["tests"].as_array().unwrap().iter();
    let rows: Vec<Value> = rows
        .map(|row| json!([row["name"], row["status"]]))
        .collect();
    assert_eq!(
        rows[..3],
        [
            json!(["square: small", "passed"]),
            json!(["square: style", null]),
            json!(["square: report", null]),
        ]
    );
    let github = room.run(&["report", "-q", "--github"]);
    let commands = github
        .stdout
        .lines()
        .filter(|line| line.contains(" square%3A"));
    let commands: Vec<&str> = commands
        .filter_map(|line| line.split("%3A").next())
        .collect();
    let expected = [
        "::error title=bob square",
        "::error title=cy square",
        "::notice title=ann square",
        "::warning title=dan square",
    ];
    let mut sorted = commands.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    let (_, results) = room.json(&["report", "class", "--json", "-"]);
    let standing = |id| {
        let student = student(&results, id);
        [student, problem(student, "square")]
            .map(|it| json!([it["standing"], it["why-open"], it["so-far"]]))
    };
    assert_eq!(
        standing("ann"),
        [
            json!(["open", "by-hand", 10]),
            json!(["open", "by-hand", 10])
        ]
    );
    assert_eq!(
        standing("dan"),
        [json!(["scored", null, 0]), json!(["scored", null, 0])]
    );

    // What changed is told in points.
    let room = room.file("class/bob/square.c", SQUARE);
    assert_eq!(room.run(&GRADE).status, 0);
    let diff = room.run(&["diff", "class"]).stdout;
    for command in ["diff", "report"] {
        let ran = room.run(&[command, "class", "--against", "2"]);
        let message = "error: run 2 is the one that is shown: `--against` names another one; `grader history` lists the runs\n";
        assert!(
            ran.stderr.ends_with(message) && ran.stdout.is_empty(),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.status, 2);
    }
    assert!(
        diff.contains("\n    square  3.33 + ? → 10 + ? (+6.67)  PC → AC"),
        "{diff}"
    );
    assert_eq!(names(&room.path("class")), ["ann", "bob", "cy", "dan"]);
}

#[test]
fn what_a_person_gave_or_took_decides_whether_work_is_good() {
    let room = room();
    assert_eq!(room.run(&GRADE).status, 0);
    for one in [
        "ann --subtask style --points 5",
        "ann --subtask report --points 0",
        "bob --points 20 --comment ours",
        "cy --excused --comment ill",
    ] {
        let arguments = format!("correct -q --problem square --student {one}");
        let ran = room.run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
    }
    let table = room.run(&["report", "class"]).stdout;
    let rows = table
        .lines()
        .filter(|line| ["ann", "bob", "cy"].iter().any(|id| line.starts_with(id)));
    let rows: Vec<String> = rows
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    assert_eq!(
        rows,
        ["ann 15 H — 15 0", "bob 20 PC * — 20 0", "cy EX — EX 0"]
    );
    assert!(
        table.contains("\nH points lost by hand · * corrected by hand\n"),
        "{table}"
    );

    // All points for style need no sign of what is not earned; none for the report have a reason.
    let own = room.run(&[
        "report",
        "class",
        "--explain",
        "ann",
        "--audience",
        "student",
    ]);
    assert!(
        own.stdout
            .contains("\n  square  15 of 20  report: 0 of 5 points by hand\n"),
        "{}",
        own.stdout
    );
    assert!(
        own.stdout
            .contains("  ✓ Names say what they hold; No long lines\n"),
        "{}",
        own.stdout
    );
    assert!(
        !own.stdout.contains('✗') && !own.stdout.contains("accepted"),
        "{}",
        own.stdout
    );

    let github = room.run(&["report", "-q", "--github"]).stdout;
    let commands: Vec<&str> = github
        .lines()
        .filter(|line| line.contains(" square%3A"))
        .collect();
    assert_eq!(
        commands,
        [
            "::notice title=ann square%3A points lost by hand%2C 15 of 20 points::report: 0 of 5 points by hand",
            "::warning title=dan square%3A SK%2C 0 of 20 points::nothing submitted",
        ]
    );
    let row = |id: &str, name: &str| {
        let json = room
            .run(&["report", "--gradescope", "-", "--student", id])
            .stdout;
        let json: Value = serde_json::from_str(&json).unwrap();
        let mut rows = json["tests"].as_array().unwrap().clone().into_iter();
        let row = rows.find(|row| row["name"] == name).unwrap();
        (
            json!([row["status"], row["score"]]),
            row["output"].to_string(),
        )
    };
    assert_eq!(row("ann", "square: report").0, json!(["failed", 0]));
    assert_eq!(row("ann", "square: style").0, json!(["passed", 5]));
    let (corrected, why) = row("bob", "square");
    assert_eq!(corrected, json!(["passed", 20]));
    assert!(why.contains("points: ours"), "{why}");
    assert_eq!(row("bob", "square: small").0, json!([null, null]));
    let (excused, why) = row("cy", "square");
    assert_eq!(excused, json!([null, null]));
    assert!(why.contains("excused: ill"), "{why}");

    let written = room.run(&["report", "class", "-q", "--junit", "junit.xml"]);
    assert_eq!(written.status, 0, "{}", written.stderr);
    let junit = fs::read_to_string(room.path("junit.xml")).unwrap();
    let failures: Vec<&str> = junit
        .lines()
        .filter(|line| line.contains("<failure"))
        .map(str::trim)
        .collect();
    assert_eq!(
        failures,
        ["<failure message=\"0 of 5 points by hand\" type=\"by-hand\"/>"]
    );
}
