//! No secret in anything that a student reads.
//!
//! Everything in the results that is not on the list [`OPEN`] is a secret: whatever a later version adds is one until
//! somebody opens it here. All secrets are changed at once, texts by a marked text and numbers by others, and every format
//! must give a student the same bytes as before. So neither a text nor a number can leak, not even by the width of a column.

mod formats;

use std::collections::BTreeMap;

use grader_model::{
    Adjustment, AdjustmentKind, AttemptChoice, CaseResult, ClassId, Deadline, Excerpt, Given,
    ManualSubtask, Objection, Penalty, PenaltyStep, Points, Remark, Results, RubricItem, SectionId,
    StudentId, SubtaskName, SubtaskResult, Text, Verdict,
};
use serde_json::{Value, json};

use self::formats::{FORMATS, NOT_FOR_STUDENTS, for_one};
use crate::sample;

/// What a student may learn, by paths in [`Results`] as serde writes them; `*` stands for all that is below. It is the table
/// of [`grader_view::Own`] once more. `own` is the student who reads, `other` everybody else; a subtask is `hidden` or `shown`.
const OPEN: [&str; 46] = [
    "class.*",
    "assignment.id",
    "assignment.title.*",
    "assignment.points",
    "assignment.bonus",
    "assignment.deadline.*",
    "assignment.problems[].id",
    "assignment.problems[].title.*",
    "assignment.problems[].points",
    "assignment.problems[].bonus",
    "assignment.problems[].manual.*",
    "host.cores",
    "host.toolchains.*",
    "isolation.level",
    "interrupted",
    "format",
    "students[own].id",
    "students[own].points",
    "students[own].bonus",
    "students[own].person.*",
    "students[own].notes[].*",
    "students[own].comments[].*",
    // With an answer; `grader_view` tests it without one.
    "students[own].objection.*",
    "students[own].nothing-submitted",
    "students[own].unused[].*",
    "students[own].problems[].id",
    "students[own].problems[].points",
    "students[own].problems[].max-points",
    "students[own].problems[].bonus",
    "students[own].problems[].verdict",
    "students[own].problems[].message.*",
    "students[own].problems[].status",
    "students[own].problems[].hints[].*",
    "students[own].problems[].adjustments[].*",
    "students[own].problems[].remarks[].*",
    // Of a program that was not accepted; `grader_view` tests the others.
    "students[own].problems[].counterexample.*",
    "students[own].problems[].submission",
    "students[own].problems[].submitted",
    "students[own].problems[].language",
    "students[own].problems[].files[]",
    "students[own].problems[].build.cpu-ms",
    "students[own].problems[].build.toolchain",
    // In the place of all messages; `grader_view` tests a build without messages about the author's files.
    "students[own].problems[].build.for-student.*",
    "students[own].problems[].subtasks[shown].*",
    // That nothing but the growth can have failed it is seen by the verdicts.
    "students[own].problems[].subtasks[hidden].growth.verdict",
    "students[own].problems[].subtasks[hidden].cases[].verdict",
];

/// Of a hidden subtask itself.
const OPEN_OF_HIDDEN: [&str; 5] = ["name", "points", "max-points", "verdict", "hidden"];

fn is_open(path: &str) -> bool {
    // What we say of our own failure quotes our files and hidden cases.
    if path.contains("[fault].message") {
        return false;
    }
    let path = &path.replace("[fault]", "[]");
    let hidden = path.strip_prefix("students[own].problems[].subtasks[hidden].");
    hidden.is_some_and(|key| OPEN_OF_HIDDEN.contains(&key))
        || OPEN.iter().any(|open| match open.strip_suffix(".*") {
            Some(above) => path
                .strip_prefix(above)
                .is_some_and(|below| below.is_empty() || below.starts_with(['.', '['])),
            None => path == *open,
        })
}

/// The student who reads: place and id.
const OWN: usize = 4;
const OWN_ID: &str = "s11";

fn own() -> StudentId {
    StudentId::new(OWN_ID)
}

/// The class, of which one student has something everywhere.
fn rich() -> Results {
    let mut results = sample::results();
    let own = serde_json::from_str(include_str!("secrets/rich.json")).unwrap();
    results.students[OWN] = own;
    results.class = Some(ClassId {
        assignment: results.assignment.id.clone(),
        section: SectionId::new("class-5f3b2a1c"),
    });
    // Somebody else has heard something, and objects.
    results.students[OWN].comments = vec![Text::plain("a fine week")];
    results.students[OWN].objection = Some(Objection {
        text: Excerpt::new(b"n=17 is wrong"),
        answer: Some(Excerpt::new(b"it is not")),
    });
    let other = &mut results.students[0];
    other.comments = vec![Text::plain("copied from s11?")];
    other.objection = Some(Objection {
        text: Excerpt::new(b"s11 has it too"),
        answer: Some(Excerpt::new(b"so what")),
    });
    let remark = Adjustment {
        percent: None,
        kind: AdjustmentKind::Comment,
        points: None,
        message: Text::plain("comment: count.c:2: as in s11"),
        at: Some("count.c:2".to_owned()),
    };
    other.problems[0].adjustments = vec![remark];
    results.shards = vec![results.host.clone()];
    for time in &mut results.reference_times {
        time.shard = Some(1);
    }
    let due = "2026-11-20T15:59:00Z".parse().unwrap();
    results.assignment.deadline = Some(Deadline {
        due,
        zone: "Asia/Shanghai".to_owned(),
        grace_s: 600,
        grace_days: 0,
        penalty: Penalty::Steps(vec![PenaltyStep {
            after_s: 3600,
            after_days: 0,
            percent: 10,
        }]),
        cap: 50,
        last: Some(due),
        attempts: AttemptChoice::Best,
        late_days_at_most: Some(2),
        file_times: true,
    });
    let problem = &mut results.students[OWN].problems[0];
    problem.submission = Some("0123456789ab".to_owned());
    problem.submitted = Some(due);
    problem.behaviour = Some("0123abcd".to_owned());
    problem.former_behaviours = vec!["4567cdef".to_owned()];
    let cases = problem.subtasks.iter().flat_map(|it| &*it.cases);
    let mut failed = cases.filter(|it| it.verdict != Verdict::Accepted);
    problem.counterexample = failed.next().cloned().map(Box::new);
    problem.adjustments = vec![Adjustment {
        percent: Some(10),
        kind: AdjustmentKind::Correction,
        points: problem.points,
        message: Text::new(
            "corrected by hand from 3 to 5 points: neat",
            "人工修正：3 分改为 5 分：很好",
        ),
        at: Some("count.c:2".to_owned()),
    }];
    problem.remarks = vec![Remark {
        check: "lint".to_owned(),
        file: "count.c".to_owned(),
        line: 2,
        column: Some(5),
        message: "unused variable".to_owned(),
    }];
    problem.subtasks.push(SubtaskResult {
        name: SubtaskName::new("lint"),
        points: Some(Points::ZERO),
        message: Some(Text::new("1 remark of `lint`", "`lint` 指出 1 处问题")),
        check: Some("lint".to_owned()),
        ..SubtaskResult::default()
    });
    problem.subtasks.push(SubtaskResult {
        name: SubtaskName::new("style"),
        points: Some(Points::whole(1)),
        manual: Some(Given {
            items: vec!["names".to_owned()],
        }),
        ..SubtaskResult::default()
    });
    results.assignment.problems[0].manual = vec![ManualSubtask {
        name: SubtaskName::new("style"),
        points: Points::whole(1),
        items: vec![RubricItem {
            id: "names".to_owned(),
            points: Points::whole(1),
            text: Text::new("names say what they hold", "名称有意义"),
        }],
    }];
    results.unused.clone_from(&results.students[OWN].unused);
    results.isolation.missing = vec!["landlock".to_owned()];
    results
}

/// The same, where we failed in one problem and in a case of another.
fn faulty() -> Results {
    let mut results = rich();
    let problems = &mut results.students[OWN].problems;
    let message = Text::new("the reference failed in n=17", "参考程序在 n=17 出错");
    problems[1].verdict = Verdict::JudgeError;
    problems[1].points = None;
    problems[1].message = Some(message.clone());
    problems[3].verdict = Verdict::JudgeError;
    problems[3].points = None;
    let subtask = &mut problems[3].subtasks[0];
    subtask.verdict = Verdict::JudgeError;
    subtask.points = None;
    let name = subtask.cases[0].name.clone();
    subtask.cases_mut()[0] = CaseResult::unrun(name, Verdict::JudgeError, message);
    results
}

/// Visits every value that holds no other, and every list and object, with its path.
fn walk(value: &mut Value, path: &str, visit: &mut impl FnMut(&str, &mut Value)) {
    visit(path, value);
    match value {
        Value::Array(items) => {
            for item in items {
                let kind = match path {
                    "students" if item["id"] == OWN_ID => "own",
                    "students" => "other",
                    _ if path.ends_with("subtasks") && item["hidden"] == json!(true) => "hidden",
                    _ if path.ends_with("subtasks") => "shown",
                    _ if item["verdict"] == "JE" => "fault",
                    _ => "",
                };
                walk(item, &format!("{path}[{kind}]"), visit);
            }
        }
        Value::Object(fields) => {
            for (key, field) in fields {
                let dot = if path.is_empty() { "" } else { "." };
                walk(field, &format!("{path}{dot}{key}"), visit);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Another value of the same kind; `mark` stands in texts.
fn other(value: &Value, mark: &str) -> Option<Value> {
    match value {
        Value::String(_) => Some(json!(mark)),
        Value::Bool(is) => Some(json!(!is)),
        Value::Number(number) => Some(match number.as_u64() {
            Some(whole) => json!(whole + 1),
            None => json!(number.as_f64()? + 1.0),
        }),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

/// The paths of all secrets, each with the mark of its texts; and the results in which all are changed.
///
/// Words of enums have no other value that could be made up: they stay as they are.
fn planted(results: &Results) -> (BTreeMap<String, String>, Results) {
    let mut marks: BTreeMap<String, Option<String>> = BTreeMap::new();
    let mut json = serde_json::to_value(results).unwrap();
    let before = json.clone();
    walk(&mut json, "", &mut |path, value| {
        if !is_open(path) && other(value, "").is_some() && !marks.contains_key(path) {
            marks.insert(path.to_owned(), None);
        }
    });
    // A path with values that cannot be changed is a word of an enum.
    for (number, (secret, mark)) in marks.iter_mut().enumerate() {
        let text = format!("SECRET-{number:03}.");
        let mut tried = before.clone();
        walk(&mut tried, "", &mut |path, value| {
            if path == secret
                && let Some(other) = other(value, &text)
            {
                *value = other;
            }
        });
        *mark = serde_json::from_value::<Results>(tried)
            .is_ok()
            .then_some(text);
    }
    let marks: BTreeMap<String, String> = marks
        .into_iter()
        .filter_map(|(path, mark)| Some((path, mark?)))
        .collect();
    walk(&mut json, "", &mut |path, value| {
        if let Some(mark) = marks.get(path)
            && let Some(other) = other(value, mark)
        {
            *value = other;
        }
    });
    (marks, serde_json::from_value(json).unwrap())
}

#[test]
fn whatever_is_secret_changes_nothing_that_a_student_reads() {
    let faults = hold(&faulty());
    hold(&rich());
    let said = faults
        .keys()
        .filter(|path| path.starts_with("students[own]") && path.contains("[fault].message"));
    // Of the problem and of the case, in both languages.
    assert_eq!(said.count(), 4);
}

/// Changes every secret, and gives all there are.
fn hold(results: &Results) -> BTreeMap<String, String> {
    let (marks, changed) = planted(results);
    assert!(marks.len() > 100, "{}", marks.len());
    let own = own();
    for (name, format) in FORMATS {
        let (before, after) = (format(results, &own), format(&changed, &own));
        let leaks: Vec<&String> = marks
            .iter()
            .filter(|(_, mark)| after.contains(mark.as_str()))
            .map(|(path, _)| path)
            .collect();
        assert_eq!(leaks, Vec::<&String>::new(), "{name}");
        let lines = || before.lines().zip(after.lines());
        let first = lines().find(|(before, after)| before != after);
        assert_eq!(first, None, "{name}");
        assert!(before == after, "{name}: a line more or less");
        assert!(!before.is_empty(), "{name} says nothing");
    }
    marks
}

#[test]
fn lists_of_secrets_change_nothing_by_their_lengths() {
    let results = rich();
    let mut json = serde_json::to_value(&results).unwrap();
    let mut emptied = Vec::new();
    walk(&mut json, "", &mut |path, value| {
        // The cases of a hidden subtask are counted by their verdicts; what is with other students does not matter.
        let counted =
            path.ends_with("subtasks[hidden].cases") || path.starts_with("students[other]");
        let above = ["students", "assignment.problems", "students[own].problems"];
        if let Value::Array(items) = value
            && !items.is_empty()
            && !is_open(&format!("{path}[]"))
            && !is_open(&format!("{path}[].en"))
            && !is_open(&format!("{path}.x"))
            && !counted
            && !above.contains(&path)
            && !path.ends_with("subtasks")
        {
            items.clear();
            emptied.push(path.to_owned());
        }
    });
    emptied.sort();
    emptied.dedup();
    let problems = "students[own].problems[]";
    let hidden = "students[own].problems[].subtasks[hidden]";
    let expected = [
        "isolation.layers".to_owned(),
        "isolation.missing".to_owned(),
        "reference-times".to_owned(),
        "shards".to_owned(),
        "similar".to_owned(),
        format!("{problems}.flags"),
        format!("{problems}.former-behaviours"),
        format!("{problems}.origin.because"),
        format!("{hidden}.cases[].confirmation.limits-ms"),
        format!("{hidden}.cases[].confirmation.references-ms"),
        format!("{hidden}.cases[].confirmation.runs-ms"),
        format!("{hidden}.cases[].evidence"),
        format!("{hidden}.cases[].hints"),
        format!("{hidden}.growth.points"),
        "students[own].remarks".to_owned(),
        "unused".to_owned(),
    ];
    assert_eq!(emptied, expected);
    let changed: Results = serde_json::from_value(json).unwrap();
    for (name, format) in FORMATS {
        assert!(
            format(&results, &own()) == format(&changed, &own()),
            "{name}"
        );
    }
}

/// Without this the tests above could pass because there is nothing to find.
#[test]
fn the_class_of_these_tests_has_something_in_every_field() {
    let mut filled: BTreeMap<String, bool> = BTreeMap::new();
    let mut json = serde_json::to_value(rich()).unwrap();
    walk(&mut json, "", &mut |path, value| {
        let empty = match value {
            Value::Null => true,
            Value::Array(items) => items.is_empty(),
            Value::Object(fields) => fields.is_empty(),
            Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
        };
        *filled.entry(path.to_owned()).or_default() |= !empty;
    });
    let empty: Vec<&String> = filled
        .iter()
        .filter(|(path, filled)| {
            let elsewhere = [
                "students[other]",
                "host.toolchains.",
                "shards[].toolchains.",
                // What a person grades is not hidden.
                "students[own].problems[].subtasks[hidden].check",
                "students[own].problems[].subtasks[hidden].manual",
                // Everything has its points.
                "students[own].why-open",
                "students[own].problems[].why-open",
            ];
            !**filled && !elsewhere.iter().any(|above| path.starts_with(above))
        })
        .map(|(path, _)| path)
        .collect();
    assert_eq!(empty, Vec::<&String>::new());
    assert_eq!(rich().students[OWN].id, own());
}

/// A report for a student is about one, whatever is handed to the format.
#[test]
fn a_report_for_a_student_is_never_one_of_several_or_of_nobody() {
    let class = rich();
    let nobody = Results {
        students: Vec::new(),
        ..rich()
    };
    for results in [class, nobody] {
        for (name, written) in for_one(&results) {
            // Not even a beginning is written.
            let refused = Err((std::io::ErrorKind::InvalidInput, 0));
            assert_eq!(written, refused, "{name}");
        }
    }
}

/// A format that a student may be given is in the table above, whoever adds it.
#[test]
fn no_format_is_forgotten() {
    let exported = include_str!("lib.rs");
    let words = exported.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    for word in words.filter(|word| word.starts_with("write_")) {
        let known = FORMATS
            .iter()
            .any(|(name, _)| name.split(' ').next() == Some(word));
        assert!(known || NOT_FOR_STUDENTS.contains(&word), "{word}");
    }
}
