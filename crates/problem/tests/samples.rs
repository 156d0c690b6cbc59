//! Sample submissions and what is expected of them.
#![allow(clippy::unwrap_used, reason = "a panic in a test is the report")]

mod common;

use std::collections::BTreeMap;

use common::{BUILTINS, files, short};
use grader_model::{Points, SourceFile, SubtaskName, Verdict};
use grader_problem::{Loaded, MemoryLibrary, Sample, load_problem, load_samples};

fn samples(more: &[(&str, &str)]) -> Loaded<Vec<Sample>> {
    let mut library = MemoryLibrary::new("p", files());
    for (path, text) in more {
        library.insert(format!("count/submissions/{path}"), *text);
    }
    let problem = load_problem(&library, "count", BUILTINS).value.unwrap();
    load_samples(&library, &problem)
}

#[test]
fn samples_are_files_or_folders_below_their_verdict() {
    let loaded = samples(&[
        ("wrong-answer/off-by-one.c", "a"),
        ("accepted/project/main.c", "b"),
        ("accepted/project/inner/util.h", "c"),
        ("accepted/.DS_Store", "x"),
        (
            "expected.toml",
            "[\"wrong-answer/off-by-one.c\"]\npoints = 3.5\nsubtasks = { small = \"PC\", large = \"SK\" }\nflags = [\"forbidden-token\", \"answers-in-source\"]\nbecause = \"one too many\"\n",
        ),
    ]);
    assert_eq!(loaded.diagnostics, []);
    assert_eq!(
        loaded.value.unwrap(),
        [
            Sample {
                path: "accepted/project".to_owned(),
                verdict: Verdict::Accepted,
                sources: vec![
                    SourceFile::new("inner/util.h", b"c".to_vec()),
                    SourceFile::new("main.c", b"b".to_vec()),
                ],
                points: None,
                subtasks: BTreeMap::new(),
                flags: Vec::new(),
                because: None,
            },
            Sample {
                path: "wrong-answer/off-by-one.c".to_owned(),
                verdict: Verdict::WrongAnswer,
                sources: vec![SourceFile::new("off-by-one.c", b"a".to_vec())],
                points: Some(Points::from_thousandths(3500)),
                flags: vec!["answers-in-source".to_owned(), "forbidden-token".to_owned()],
                subtasks: BTreeMap::from([
                    (SubtaskName::new("large"), Verdict::Skipped),
                    (SubtaskName::new("small"), Verdict::PartiallyCorrect),
                ]),
                because: Some("one too many".to_owned()),
            },
        ]
    );
}

#[test]
fn without_a_folder_there_are_no_samples() {
    assert_eq!(samples(&[]).strict(), Ok(vec![]));
}

#[test]
fn every_mistake_of_the_expectations_is_reported() {
    let loaded = samples(&[
        ("README.md", "?"),
        ("wrong-anser/a.c", "a"),
        ("accepted/a.c", "a"),
        (
            "expected.toml",
            r#"
["accepted/b.c"]
points = 1

["accepted/a.c"]
points = 36
point = 1
subtasks = { smal = "AC", large = "ok" }
flags = ["same-anser", "same-answer", "slow", "same-answer", 1]

["none/x.c"]
"#,
        ),
    ]);
    assert!(loaded.value.is_none());
    let found: Vec<String> = loaded.diagnostics.iter().map(short).collect();
    assert_eq!(
        found,
        [
            r"p/count/submissions/README.md unknown-sample: expected a folder named by a verdict, found a file",
            r#"p/count/submissions/expected.toml:2:2 <\"accepted/b.c\"> unknown-sample: there is no sample `accepted/b.c` / did you mean `accepted/a.c`?"#,
            r"p/count/submissions/expected.toml:6:10 <36> bad-value: `points` must be at most the problem's 35.5, found 36",
            r"p/count/submissions/expected.toml:7:1 <point> unknown-key: unknown key `point` in `accepted/a.c` / did you mean `points`?",
            r"p/count/submissions/expected.toml:8:14 <smal> unknown-subtask: unknown subtask `smal` / did you mean `small`?",
            r#"p/count/submissions/expected.toml:8:35 <\"ok\"> unknown-verdict: unknown verdict `ok` / known verdicts: `AC`, `PC`, `PE`, `WA`, `TLE`, `MLE`, `OLE`, `RE`, `CE`, `SK`, `JE`"#,
            r#"p/count/submissions/expected.toml:9:10 <\"same-anser\"> bad-value: unknown flag `same-anser` / did you mean `same-answer`?"#,
            r#"p/count/submissions/expected.toml:9:39 <\"slow\"> bad-value: unknown flag `slow` / known flags: `answers-in-source`, `faster-than-known`, `forbidden-token`, `required-token-missing`, `same-answer`, `time-does-not-grow`"#,
            r#"p/count/submissions/expected.toml:9:47 <\"same-answer\"> duplicate: flag `same-answer` stands twice"#,
            r"p/count/submissions/expected.toml:9:62 <1> wrong-type: `accepted/a.c.flags` must be the word for a flag, found an integer",
            r#"p/count/submissions/expected.toml:11:1 <[\"none/x.c\"]> empty: an expectation must have `points`, `subtasks`, `flags` or `because`, found nothing"#,
            r#"p/count/submissions/expected.toml:11:2 <\"none/x.c\"> unknown-sample: there is no sample `none/x.c`"#,
            r"p/count/submissions/wrong-anser unknown-verdict: unknown verdict folder `wrong-anser` / did you mean `wrong-answer`?",
        ]
    );
}

#[test]
fn an_expectation_may_be_flags_alone() {
    let loaded = samples(&[
        ("accepted/a.c", "a"),
        (
            "expected.toml",
            "[\"accepted/a.c\"]\nflags = [\"same-answer\"]\n",
        ),
    ]);
    assert_eq!(loaded.diagnostics, []);
    let flags: Vec<Vec<String>> = loaded
        .value
        .unwrap()
        .into_iter()
        .map(|sample| sample.flags)
        .collect();
    assert_eq!(flags, [["same-answer"]]);
}
