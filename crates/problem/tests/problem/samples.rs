//! Sample submissions and their expectations.

use std::collections::BTreeMap;

use crate::common::{BUILTINS, files, short};
use grader_language::Languages;
use grader_model::{Points, SourceFile, SubtaskName, Verdict};
use grader_problem::{Expectation, Loaded, MemoryLibrary, Sample, load_problem, load_samples};

fn samples(more: &[(&str, &str)]) -> Loaded<Vec<Sample>> {
    let mut library = MemoryLibrary::new("p", files());
    for (path, text) in more {
        library.insert(format!("count/submissions/{path}"), *text);
    }
    let problem = load_problem(&library, "count", BUILTINS, &Languages::built_in()).unwrap();
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
            "[\"wrong-answer/off-by-one.c\"]\npoints = [0, 3.5]\nexpected = [\"WA\", \"TLE\"]\nrequired = \"TLE\"\nfirst-failure = true\nsubtasks = { small = [\"PC\", \"AC\"], large = \"SK\" }\nflags = [\"forbidden-token\", \"answers-in-source\"]\nbecause = \"one too many\"\n",
        ),
    ]);
    assert_eq!(
        loaded.unwrap(),
        [
            Sample {
                path: "accepted/project".to_owned(),
                verdict: Verdict::Accepted,
                expectation: vec![Verdict::Accepted].into(),
                sources: vec![
                    SourceFile::new("inner/util.h", b"c".to_vec()),
                    SourceFile::new("main.c", b"b".to_vec()),
                ],
            },
            Sample {
                path: "wrong-answer/off-by-one.c".to_owned(),
                verdict: Verdict::WrongAnswer,
                sources: vec![SourceFile::new("off-by-one.c", b"a".to_vec())],
                expectation: Expectation {
                    verdicts: vec![Verdict::WrongAnswer, Verdict::TimeLimit],
                    required: vec![Verdict::TimeLimit],
                    first_failure: true,
                    points: Some(Points::ZERO..=Points::from_thousandths(3500)),
                    flags: vec!["answers-in-source".to_owned(), "forbidden-token".to_owned()],
                    subtasks: BTreeMap::from([
                        (SubtaskName::new("large"), vec![Verdict::Skipped]),
                        (
                            SubtaskName::new("small"),
                            vec![Verdict::PartiallyCorrect, Verdict::Accepted],
                        ),
                    ]),
                    because: Some("one too many".to_owned()),
                },
            },
        ]
    );
}

#[test]
fn without_a_folder_there_are_no_samples() {
    assert_eq!(samples(&[]), Ok(vec![]));
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
subtasks = { smal = "AC" }
"#,
        ),
    ]);
    let found: Vec<String> = loaded.unwrap_err().iter().map(short).collect();
    assert_eq!(
        found,
        [
            r"p/count/submissions/README.md expected a folder named by a verdict / known folders: `accepted`, `partially-correct`, `wrong-answer`, `presentation-error`, `time-limit`, `memory-limit`, `output-limit`, `runtime-error`, `compile-error`",
            r#"p/count/submissions/expected.toml:2:2 <\"accepted/b.c\"> there is no sample `accepted/b.c` / did you mean `accepted/a.c`?"#,
            r"p/count/submissions/expected.toml:6:10 <36> `points` must be at most the problem's 35.5, found 36",
            r"p/count/submissions/expected.toml:7:14 <smal> there is no subtask `smal` / did you mean `small`?",
            r"p/count/submissions/wrong-anser expected a folder named by a verdict / did you mean `wrong-answer`?",
        ]
    );
}

#[test]
fn a_mistake_in_the_form_of_an_expectation_is_reported() {
    for (line, mistake) in [
        (
            "point = 1",
            "<point> unknown key `point` / did you mean `points`?",
        ),
        (
            "subtasks = { large = \"ok\" }",
            r#"<\"ok\"> there is no verdict `ok` / known verdicts: `AC`, `PC`, `PE`, `WA`, `TLE`, `MLE`, `OLE`, `RE`, `CE`, `SK`, `JE`"#,
        ),
        (
            "points = [2, 1]",
            "<[2, 1]> expected the fewest points and the most",
        ),
        (
            "expected = []",
            "<[]> expected at least one verdict, found none",
        ),
        (
            "expected = [\"ac\"]",
            r#"<\"ac\"> there is no verdict `ac` / did you mean `AC`?"#,
        ),
        (
            "expected = 1",
            "<1> invalid type: integer `1`, expected a verdict such as \"WA\", or an array of them",
        ),
        (
            "flags = [\"same-anser\"]",
            r#"<\"same-anser\"> there is no flag `same-anser` / did you mean `same-answer`?"#,
        ),
        (
            "flags = [1]",
            "<1> invalid type: integer `1`, expected the word for a flag",
        ),
    ] {
        let expected = format!("[\"accepted/a.c\"]\n{line}\n");
        let loaded = samples(&[("accepted/a.c", "a"), ("expected.toml", &expected)]);
        let found: Vec<String> = loaded.unwrap_err().iter().map(short).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].ends_with(mistake), "{found:?}");
    }
}

#[test]
fn an_expectation_is_written_as_it_is_read() {
    let entry = r#"["wrong-answer/a.c"]
expected = ["AC", "WA"]
first-failure = true
points = [0, 3.5]
required = ["WA"]
flags = ["answers-in-source"]
because = "one too many"

["wrong-answer/a.c".subtasks]
large = ["AC", "SK"]
"#;
    let single = "[\"wrong-answer/a.c\"]\npoints = 2\n";
    for text in [entry, single] {
        let loaded = samples(&[("wrong-answer/a.c", "a"), ("expected.toml", text)]).unwrap();
        let [
            Sample {
                path, expectation, ..
            },
        ] = &loaded[..]
        else {
            panic!("{loaded:?}");
        };
        let written = BTreeMap::from([(path, expectation)]);
        assert_eq!(toml::to_string(&written).unwrap(), text);
    }
}
