//! The fastest programs that we know are honest: no flag from times may say otherwise.

use serde_json::Value;

use crate::harness::{Room, have, problem, repository, student};

const ASSIGNMENT: &str = "format = 1\nid = \"fast\"\ntitle = { zh = \"快\", en = \"Fast\" }\n[[problem]]\npath = \"count\"\npoints = 35\n";

/// Runs `fast-count` as a student's program: at level `basic`, where it can be reached.
fn wrapped(level: &str) -> String {
    let grader = assert_cmd::cargo::cargo_bin!("grader");
    format!(
        "#include <unistd.h>\nint main(int c, char **v) {{ (void)c; return execl({0:?}, {0:?}, \"reference\", \"fast-count\", v[1], \"--simd\", \"{level}\", (char *) 0); }}\n",
        grader.to_str().unwrap(),
    )
}

/// The table of the samples that no rule of the source sees.
fn masked() -> Vec<u8> {
    let samples = repository().join("problems/n-queens/count/submissions");
    std::fs::read(samples.join("accepted/masked.rs")).unwrap()
}

/// The vector levels of `fast-count` that this machine has; reports which one is missing.
fn levels() -> Vec<&'static str> {
    let has = |level: &&str| {
        let arguments = ["reference", "fast-count", "4", "--simd", level];
        let has = Room::new().run_as_it_is(&arguments).status == 0;
        if !has {
            eprintln!("skipped: this machine has no {level}");
        }
        has
    };
    ["portable", "avx2", "avx512"]
        .into_iter()
        .filter(has)
        .collect()
}

#[test]
fn a_table_is_flagged_for_its_times_and_the_fastest_count_at_any_vector_level_is_not() {
    if !have(&["gcc", "rustc"]) {
        return;
    }
    let mut room = Room::new()
        .copy("problems/n-queens/count", "fast/count")
        // The two cases that the flags are about.
        .replace("fast/count/problem.toml", "\"13..=16\"", "[13, 16]")
        .replace("fast/count/problem.toml", "n=14", "n=16")
        .replace("fast/count/problem.toml", "n=15", "n=16")
        .file("fast/assignment.toml", ASSIGNMENT)
        .file("class/table/count.rs", masked());
    let mut expected = Vec::new();
    for level in levels() {
        room = room.file(&format!("class/{level}/count.c"), wrapped(level));
        expected.push((level.to_owned(), vec![]));
    }
    expected.push((
        "table".to_owned(),
        vec!["faster-than-known", "time-does-not-grow"],
    ));
    let (status, results) = room.json(&[
        "grade",
        "class",
        "-a",
        "./fast",
        "--isolation",
        "basic",
        "--format",
        "json",
    ]);
    assert_eq!(status, 0, "{results:#}");
    let raised = |id: &str| {
        let count = problem(student(&results, id), "count");
        assert_eq!(count["verdict"], "AC", "{id}: {count:#}");
        let flags = count["flags"].as_array().unwrap().iter();
        let codes = flags.map(|flag: &Value| flag["code"].as_str().unwrap());
        // Their sources, which have no bit operation, are none of this test's business.
        let codes = codes.filter(|code| *code != "required-token-missing");
        codes.collect::<Vec<&str>>()
    };
    let ids = expected.iter().map(|(id, _)| id.clone());
    let found: Vec<(String, Vec<&str>)> = ids.map(|id| (id.clone(), raised(&id))).collect();
    assert_eq!(found, expected, "{results:#}");
}
