use grader_model::{AssignmentId, CaseName, CaseResult, Lang, Mismatch, Text, Verdict};

use serde_json::{Value, json};

use super::*;
use crate::json::{schema, write_value};
use crate::sample;
use crate::snapshots::{assert_kept, written};

#[test]
fn mismatches_are_explained_and_the_rest_is_a_row_each() {
    let verified = sample::verification();
    let chinese = Style::of(Lang::Zh);
    let brief = verification(&verified, &Languages::built_in(), &chinese, false);
    assert_kept("verification.txt", brief.as_bytes());
    let verbose = verification(&verified, &Languages::built_in(), &Style::default(), true);
    assert_kept("verification.verbose.txt", verbose.as_bytes());
}

/// The sample that is wrong, in four places.
fn wrong() -> Verification {
    let mut verified = sample::verification();
    verified.problems.truncate(1);
    let problem = &mut verified.problems[0];
    problem.idle_cases.clear();
    problem.samples.drain(..3);
    problem.samples[0].because = None;
    let place = |case: usize| Mismatch {
        place: format!("case medium/n={case}"),
        message: "expected WA, found TLE".to_owned(),
        fault: false,
    };
    problem.samples[0].mismatches = (9..13).map(place).collect();
    verified
}

#[test]
fn three_places_are_named_and_the_others_counted() {
    let brief = verification(&wrong(), &Languages::built_in(), &Style::default(), false);
    assert!(brief.contains("n=11: expected WA, found TLE\n      … and 1 more\n"));
    assert!(!brief.contains("n=12: expected"));
    let verbose = verification(&wrong(), &Languages::built_in(), &Style::default(), true);
    assert!(verbose.contains("case medium/n=12: expected WA, found TLE\n"));
}

#[test]
fn a_failure_of_a_whole_sample_or_subtask_appears_once() {
    let mut verified = wrong();
    let sample = &mut verified.problems[0].samples[0];
    let gone = Text::plain("the sandbox failed: no memory");
    sample.mismatches.truncate(1);
    sample.found.message = Some(gone.clone());
    sample.found.verdict = Verdict::JudgeError;
    sample.found.subtasks.drain(..2);
    let case = CaseResult::unrun(CaseName::new("n=12"), Verdict::JudgeError, gone);
    sample.found.subtasks[0].cases_mut()[0] = case;
    let text = verification(&verified, &Languages::built_in(), &Style::default(), false);
    assert_eq!(text.matches("no memory").count(), 1, "{text}");

    verified.problems[0].samples[0].found = sample::results().students[4].problems[2].clone();
    let text = verification(&verified, &Languages::built_in(), &Style::default(), false);
    assert_eq!(text.matches("its time grows too fast").count(), 1, "{text}");
}

#[test]
fn several_assignments_are_one_json_document() {
    let broken = sample::verification();
    let mut good = broken.clone();
    good.assignment = AssignmentId::new("practice");
    good.problems.clear();
    let document = VerificationDocument::of(&[broken, good], false);
    let json = written(|out| write_value(&document, out));
    assert_kept("verification.json", &json);
    let schema = schema::<VerificationDocument>();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    let document = serde_json::from_slice(&json).unwrap();
    let errors = validator.iter_errors(&document);
    let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
    assert_eq!(errors, Vec::<String>::new());
}

#[test]
fn a_sample_has_the_result_of_a_students_work_and_whether_it_is_as_expected() {
    let verified = VerificationDocument::of(&[sample::verification()], false);
    let verified = serde_json::to_value(&verified).unwrap();
    let sample = &verified["assignments"][0]["problems"][0]["samples"][3];
    let results = serde_json::to_value(sample::results()).unwrap();
    let keys = |it: &Value| it.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    assert_eq!(
        keys(&sample["found"]),
        keys(&results["students"][0]["problems"][0])
    );
    assert_eq!(
        (&sample["outcome"], &sample["found"]["standing"]),
        (&json!("unexpected"), &json!("scored"))
    );
}
