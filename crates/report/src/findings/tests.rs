use grader_model::{Mismatch, Status, Text, Verdict};
use quick_junit::Report;

use super::*;
use crate::sample;
use crate::sampled::findings;
use crate::snapshots::{assert_kept, written};

/// Samples of every outcome: one is wrong, one cannot be built, one has no language here, one fails for another reason, and one
/// cannot be judged. A problem is wrong itself.
fn every_outcome() -> Vec<Finding> {
    let mut verified = sample::verification();
    let samples = &mut verified.problems[0].samples;
    samples[0].found.status = Status::NotJudged;
    samples[0].found.message = Some(Text::plain("C is not installed on this machine"));
    samples[1].warning = Some("fails only because `main.py` does not find its code".to_owned());
    samples[2].expected = Verdict::Accepted;
    samples[2].mismatches = vec![mismatch("verdict", "expected AC, found CE", false)];
    let mut fault = samples[3].clone();
    "wrong-answer/fault.c".clone_into(&mut fault.path);
    fault.found.files = vec!["fault.c".to_owned()];
    fault.mismatches = vec![mismatch(
        "judge error",
        "the sandbox failed\n::error::x",
        true,
    )];
    samples.push(fault);
    findings(&verified)
}

fn mismatch(place: &str, message: &str, fault: bool) -> Mismatch {
    Mismatch {
        place: place.to_owned(),
        message: message.to_owned(),
        fault,
    }
}

#[test]
fn samples_are_explained_to_continuous_integration_as_students_are() {
    let findings = every_outcome();
    let annotations = written(|out| write_finding_annotations(&findings, out));
    assert_kept("verification.github.txt", &annotations);
    assert_kept(
        "verification.summary.md",
        finding_summary("verify", &findings).as_bytes(),
    );
    let xml = written(|out| write_finding_junit("verify", &findings, out));
    assert_kept("verification.junit.xml", &xml);
    let read = Report::deserialize(xml.as_slice()).unwrap();
    assert_eq!(read.to_string().unwrap().as_bytes(), xml);
}

#[test]
fn ten_findings_are_annotated_and_the_last_counts_the_others() {
    let doubtful = |name: usize| Finding {
        state: FindingState::Doubtful,
        ..Finding::right("group", &name.to_string())
    };
    let wrong = |name: usize| Finding {
        state: FindingState::Wrong,
        messages: vec!["it is wrong".to_owned()],
        ..Finding::right("group", &name.to_string())
    };
    let mut all: Vec<Finding> = (0..5).map(doubtful).collect();
    all.extend((5..12).map(wrong));
    let lines = String::from_utf8(written(|out| write_finding_annotations(&all, out))).unwrap();
    let (errors, rest) = lines.split_once("::warning").unwrap();
    assert_eq!((errors.lines().count(), rest.lines().count()), (7, 3));
    let last = "::warning title=group%3A 2::and 2 more; the summary has all";
    assert_eq!(lines.lines().last(), Some(last));
}
