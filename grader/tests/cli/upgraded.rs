//! Ledgers that earlier graders wrote: every command reads them as it reads those of today.
//!
//! `fixtures/ledgers/README.md` says how they were made. With `BITCRAFT_BLESS=1`, the outputs are written beside them.

use std::env;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::harness::{Ran, Room, have, repository};

/// What graders of format 5 wrote: the first, one that kept some things in other tables, and the last; and one of format 6.
const WRITTEN: [&str; 4] = ["5-first", "5-second", "5-last", "6"];

/// Commands that only read, and need no compiler.
const READERS: [&[&str]; 11] = [
    &["history"],
    &["history", "--json", "-"],
    &["report"],
    &["report", "--run", "1", "--csv", "-"],
    &[
        "report",
        "--explain",
        "bob",
        "--explain",
        "dan",
        "--corrections",
        "dan.toml",
    ],
    &["report", "--junit", "-"],
    &["diff"],
    &["diff", "--json", "-"],
    &["gradebook", "canvas.csv", "--dry-run"],
    &["correct", "--list", "--corrections", "dan.toml"],
    &["review", "--corrections", "dan.toml"],
];

const CORRECTION: &str = "format = 1\n[[correction]]\nassignment = \"squares\"\nstudent = \"dan\"\nproblem = \"square\"\n\
                          add = 1.5\ncomment = \"a good idea\"\n";

/// Names of ledgers begin with their format.
fn format_of(name: &str) -> u8 {
    name[..1].parse().unwrap()
}

fn upgraded(name: &str) -> String {
    format!(
        "`class.db` was upgraded from format {} to 7; `class.db.before-format-7` beside it is the file as it was before\n",
        format_of(name)
    )
}

fn path(name: &str) -> std::path::PathBuf {
    repository()
        .join("grader/tests/fixtures/ledgers")
        .join(name)
}

/// A room with these ledgers, which only their owner may write, whatever a checkout made of them.
fn with(ledgers: &[(&str, &str)]) -> Room {
    let mut room = Room::new()
        .keeping()
        .copy("grader/tests/fixtures/ledgers", "fixtures")
        .file("dan.toml", CORRECTION);
    for (name, to) in ledgers {
        let bytes = fs::read(path(&format!("{name}.db"))).unwrap();
        room = room.file(to, bytes);
        fs::set_permissions(room.path(to), Permissions::from_mode(0o600)).unwrap();
    }
    for name in ["canvas.csv", "roster.csv"] {
        fs::rename(room.path("fixtures").join(name), room.path(name)).unwrap();
    }
    fs::rename(room.path("fixtures/course"), room.path("course")).unwrap();
    room
}

/// Runs a command on the ledger.
fn run(room: &Room, arguments: &[&str]) -> Ran {
    room.run(&[arguments, &["--ledger", "class.db"]].concat())
}

/// What a command shows, beside the command.
fn shown(room: &Room, arguments: &[&str]) -> String {
    let Ran {
        status,
        stdout,
        stderr,
    } = run(room, arguments);
    assert_eq!(status, 0, "{arguments:?}: {stderr}");
    let stdout = stdout.trim_start_matches('\u{feff}');
    format!("$ grader {}\n{stdout}{stderr}\n", arguments.join(" "))
}

/// Fills a gradebook, which is remembered, and so upgrades the ledger.
fn upgrade(room: &Room, name: &str) {
    let ran = run(room, &["gradebook", "canvas.csv", "-o", "filled.csv"]);
    assert_eq!(ran.status, 0);
    assert!(ran.stderr.contains(&upgraded(name)), "{}", ran.stderr);
}

/// The points of a report, by student and problem.
fn points(report: &Value) -> Vec<Value> {
    let students = report["students"].as_array().unwrap().iter();
    let points = |it: &Value| {
        json!([
            it["id"],
            it["problems"][0]["points"],
            it["problems"][1]["points"]
        ])
    };
    students.map(points).collect()
}

#[test]
fn every_reader_shows_an_earlier_ledger_before_and_after_its_upgrade() {
    for name in WRITTEN {
        let room = with(&[(name, "class.db")]);
        let bytes = fs::read(room.path("class.db")).unwrap();
        let before = READERS.map(|arguments| shown(&room, arguments));
        let kept = path(&format!("{name}.txt"));
        if env::var_os("BITCRAFT_BLESS").is_some() {
            fs::write(&kept, before.concat()).unwrap();
        }
        assert_eq!(
            before.concat(),
            fs::read_to_string(&kept).unwrap(),
            "{name}"
        );
        let json = run(&room, &["report", "--json", "-"]).stdout;
        let expected = [
            json!(["ann", 10, 2]),
            json!(["bob", 8, 0]),
            json!(["cat", 0, 0]),
            json!(["dan", 2.67, 0]),
            json!(["eve", 0, 0]),
        ];
        assert_eq!(
            points(&serde_json::from_str(&json).unwrap()),
            expected,
            "{name}"
        );
        // Nobody who only reads changes it.
        assert_eq!(fs::read(room.path("class.db")).unwrap(), bytes);
        assert!(!room.path("class.db.before-format-7").exists());

        upgrade(&room, name);
        assert_eq!(run(&room, &["report", "--json", "-"]).stdout, json);
        for (arguments, before) in READERS.iter().zip(&before).skip(2) {
            assert_eq!(shown(&room, arguments), *before, "{name}");
        }
        let (_, mut history) = room.json(&["history", "--ledger", "class.db", "--json", "-"]);
        let at = history["upgrades"][0]["at"].take();
        let at = at.as_str().unwrap().replace('T', " ").replace('Z', " UTC");
        let grader = env!("CARGO_PKG_VERSION");
        let expected = json!([{"at": null, "copy": "class.db.before-format-7", "from": format_of(name), "grader": grader, "to": 7}]);
        assert_eq!(history["upgrades"], expected);
        let text = shown(&room, READERS[0]);
        let line = format!(
            "\nUpgraded from format {} to 7 by grader {grader}, {at}; the file before that:\n`class.db.before-format-7`.\n\n",
            format_of(name)
        );
        assert_eq!(
            text,
            before[0].trim_end().to_owned() + "\n" + &line,
            "{name}"
        );
        let copy = fs::read(room.path("class.db.before-format-7")).unwrap();
        assert_eq!(copy.len(), bytes.len());
    }
}

/// Programs of the class, as `make.sh` writes them.
fn program(room: Room, file: &str, rest: &str) -> Room {
    let source = format!(
        "#include <stdio.h>\n#include <stdlib.h>\n\
         int main(int c, char **v) {{ (void)c; int n = atoi(v[1]); printf(\"%d\\n\", {rest}; return 0; }}\n"
    );
    room.file(file, source)
}

#[test]
fn a_class_is_graded_again_with_an_earlier_ledger_and_nothing_is_lost() {
    if !have(&["gcc"]) {
        return;
    }
    for name in WRITTEN {
        let room = with(&[(name, "class.db")]);
        let room = program(room, "class/ann/square.c", "n * n)");
        let room = program(room, "class/ann/double.c", "2 * n)");
        let room = program(room, "class/bob/square.c", "n * n)");
        let room = program(room, "class/cat/square.c", "n * n");
        let room = program(room, "class/dan/square.c", "n * n); if (n > 2) abort()");
        let report = |run: &str| {
            let (status, report) = room.json(&[
                "report", "--ledger", "class.db", "--run", run, "--json", "-",
            ]);
            assert_eq!(status, 0);
            points(&report)
        };
        let before = ["1", "2"].map(report);
        let grade = ["grade", "class", "-a", "./course", "--roster", "roster.csv"];
        let graded = run(&room, &grade);
        assert_eq!(graded.status, 0, "{}", graded.stderr);
        let adopted = "whose runs are now runs of `class`\n";
        for note in [&*upgraded(name), adopted] {
            assert!(graded.stderr.contains(note), "{}", graded.stderr);
        }
        assert_eq!(["1", "2"].map(report), before, "{name}");
        assert_eq!(report("3"), before[1], "{name}");
        let again = run(&room, &grade);
        assert_eq!(
            (again.status, again.stderr.contains("upgraded")),
            (0, false)
        );
        let reused = "results of 4 of 5 submissions reused from earlier runs";
        assert!(again.stdout.contains(reused), "{}", again.stdout);
        assert_eq!(report("4"), before[1], "{name}");
        // What was judged before the upgrade is judged as it was.
        let replayed = run(&room, &["replay", "--run", "2", "-a", "./course"]);
        assert_eq!(replayed.status, 0, "{}", replayed.stderr);
        let same = "\nSame verdict  21 of 21 cases\n";
        assert!(replayed.stdout.contains(same), "{}", replayed.stdout);
    }
}

#[test]
fn shards_of_earlier_graders_are_merged() {
    for name in WRITTEN {
        let [one, two] = [1, 2].map(|shard| format!("{name}-{shard}"));
        let room = with(&[(&one, "1.db"), (&two, "2.db")]);
        let merged = room.run(&["merge", "1.db", "2.db", "-o", "class.db"]);
        assert_eq!((merged.status, merged.stderr.as_str()), (0, ""));
        assert_eq!(
            merged.stdout,
            "class.db: 5 students and 10 results of 2 shards\n"
        );
        let (_, report) = room.json(&["report", "--ledger", "class.db", "--json", "-"]);
        let expected = [
            json!(["ann", 10, 2]),
            json!(["bob", 1.064, 0]),
            json!(["cat", 0, 0]),
            json!(["dan", 2.67, 0]),
            json!(["eve", 0, 0]),
        ];
        assert_eq!(points(&report), expected, "{name}");
        // Those of different formats, too, for graders of one version wrote them.
        let opened = room.run(&[
            "gradebook",
            "canvas.csv",
            "--ledger",
            "2.db",
            "-o",
            "filled.csv",
        ]);
        assert!(
            opened.stderr.contains("`2.db` was upgraded"),
            "{}",
            opened.stderr
        );
        let merged = room.run(&["merge", "1.db", "2.db", "-o", "class.db"]);
        assert_eq!((merged.status, merged.stderr.as_str()), (0, ""));
    }
}

/// A grader that is killed while it upgrades leaves the ledger as it was, or upgraded: never half.
#[test]
fn a_killed_upgrade_is_whole_or_was_not() {
    for name in ["5-second", "6"] {
        kill_upgrades(name);
    }
}

fn kill_upgrades(name: &str) {
    let room = with(&[(name, "class.db")]);
    let bytes = fs::read(room.path("class.db")).unwrap();
    let report = shown(&room, READERS[4]);
    // What is in the folder when the grader is killed.
    for seen in [".part", ".before-format-7", "-journal", "-wal"].repeat(2) {
        fs::write(room.path("class.db"), &bytes).unwrap();
        let _ = fs::remove_file(room.path("filled.csv"));
        let arguments = [
            "gradebook",
            "canvas.csv",
            "-o",
            "filled.csv",
            "--ledger",
            "class.db",
        ];
        let mut grader = room
            .command(&arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while grader.try_wait().unwrap().is_none() {
            let entries = fs::read_dir(room.path(".")).unwrap();
            let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            if names
                .into_iter()
                .any(|it| it.starts_with("class.db") && it.ends_with(seen))
            {
                grader.kill().unwrap();
            }
        }
        assert_eq!(shown(&room, READERS[4]), report);
        let (_, history) = room.json(&["history", "--ledger", "class.db", "--json", "-"]);
        let upgrades = history["upgrades"].as_array().unwrap().len();
        // `user_version`, in a file that a reader has put right.
        let format = fs::read(room.path("class.db")).unwrap()[63];
        assert!(
            (format, upgrades) == (format_of(name), 0) || (format, upgrades) == (7, 1),
            "{format} {upgrades}"
        );
        let copies = fs::read_dir(room.path(".")).unwrap();
        for copy in copies.map(|entry| entry.unwrap().path()) {
            if copy.is_file() && copy.to_str().unwrap().contains(".before-format-7") {
                assert_eq!(fs::read(&copy).unwrap().len(), bytes.len());
                fs::remove_file(&copy).unwrap();
            }
        }
        for more in ["-journal", "-wal", "-shm"] {
            let _ = fs::remove_file(room.path(&format!("class.db{more}")));
        }
    }
}
