//! Time limits of imported problems that are made for PyPy, on a machine that has only CPython.

use std::os::unix::fs::symlink;
use std::path::PathBuf;

use serde_json::json;

use crate::harness::{Room, have, problem, student};

/// A room whose machine has these programs and no others.
fn having(programs: &[&str]) -> Room {
    let room = Room::new().folder("bin");
    for program in programs {
        symlink(
            PathBuf::from("/usr/bin").join(program),
            room.path("bin").join(program),
        )
        .unwrap();
    }
    let path = room.path("bin").to_str().unwrap().to_owned();
    room.env("PATH", &path)
}

#[test]
fn a_time_out_in_cpython_is_not_scored_if_the_limit_is_made_for_pypy() {
    if !have(&["/usr/bin/python3"]) {
        return;
    }
    let slow = "while True:\n    pass\n";
    let room = having(&["python3"])
        .file("echo/problem.yaml", "name: Echo\nlimits: {time_limit: 1}\n")
        .file("echo/data/secret/1.in", "1\n")
        .file("echo/data/secret/1.ans", "1\n")
        .file("echo/submissions/accepted/a.py", "print(input())\n")
        .file("echo/submissions/time_limit_exceeded/slow.py", slow)
        .file(
            "assignment.toml",
            "format = 1\nid = \"a\"\ntitle = \"A\"\n[[problem]]\npath = \"out\"\npoints = 1\n",
        )
        .file("class/ann/echo.py", slow)
        .file("class/bob/echo.py", "print(2)\n");
    assert_eq!(room.run(&["import", "echo", "-o", "out"]).status, 0);
    let about = "echo: time limits are made for PyPy, and this machine has only CPython: Python that is too slow is not scored yet \
        (try `apt-get install pypy3`)\n";
    let checked = room.run(&["check", "out"]);
    assert!(
        checked.stdout.ends_with(&format!("no mistakes\n  {about}")),
        "{checked:?}"
    );
    let verified = room.run(&["verify", "out"]);
    assert_eq!(
        (verified.status, &*verified.stderr),
        (0, &*format!("warning: {about}")),
        "{verified:?}"
    );
    assert!(
        verified
            .stdout
            .ends_with("echo: 2 samples, 1 as expected, 1 not run\n"),
        "{verified:?}"
    );
    let (status, results) = room.json(&["grade", "class", "--json", "-"]);
    let found = |id| problem(student(&results, id), "echo");
    assert_eq!(
        (status, &found("ann")["verdict"], &found("ann")["points"]),
        (3, &json!("JE"), &json!(null))
    );
    assert_eq!(
        (&found("bob")["verdict"], &found("bob")["points"]),
        (&json!("WA"), &json!(0))
    );
}

#[test]
fn a_sample_in_cpython_does_not_stretch_the_limit_of_other_languages_if_it_is_made_for_pypy() {
    if !have(&["/usr/bin/python3", "/usr/bin/gcc"]) {
        return;
    }
    // Half a second of CPU time.
    let slow = "import time\nwhile time.process_time() < 0.5:\n    pass\nprint(input())\n";
    let fast =
        "#include <stdio.h>\nint main(void) { int n; scanf(\"%d\", &n); printf(\"%d\\n\", n); }\n";
    let room = having(&["python3", "gcc", "as", "ld"])
        .file(
            "echo/problem.yaml",
            "name: Echo\nlimits: {time_multipliers: {ac_to_time_limit: 5}}\n",
        )
        .file("echo/data/secret/1.in", "1\n")
        .file("echo/data/secret/1.ans", "1\n")
        .file("echo/submissions/accepted/a.c", fast)
        .file("echo/submissions/accepted/b.py", slow);
    assert_eq!(room.run(&["import", "echo", "-o", "out"]).status, 0);
    let (status, found) = room.json(&["verify", "out", "--json", "-"]);
    let samples = found["assignments"][0]["problems"][0]["samples"].as_array();
    let limits = samples.unwrap().iter().map(|it| {
        let case = &it["found"]["subtasks"][0]["cases"][0];
        case["limits"]["cpu-ms"].as_f64().unwrap() > 1000.0
    });
    assert_eq!(
        (status, limits.collect()),
        (0, vec![false, true]),
        "{found}"
    );
}
