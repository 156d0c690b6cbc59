use grader_model::Lang;
use serde_json::{Value, json};

use super::*;
use crate::sample;
use crate::style::Style;

#[test]
fn mismatches_are_explained_and_the_rest_is_a_row_each() {
    assert_eq!(
        verification(&sample::verification(), &Style::default(), false),
        "count
    sample                          language  expected  found
  ✓ accepted/bitmask.c              C         AC        AC  35
  ✓ accepted/bitmask.py             Python    AC        AC  35
  ✓ compile-error/no-semicolon.cpp  C++       CE        CE   0
  ✗ wrong-answer/off-by-one.c       C         WA        PC  16
      points: expected 10, found 16
      because: forgets the last solution of every board with more than eight
               rows
      medium
        ✗ n=9  WA  1.2 ms, 1.2 MiB
            the number of solutions is wrong
            token 1 differs
            expected  352
            found     351
            hint: is every mirrored solution counted twice?
  cases that no wrong sample fails: small/n=4, small/n=5

board
  reference, case all/n=6: expected the checker to accept it, found WA

n-queens: 4 samples, 3 as expected, 1 not, 1 problem is faulty by itself
"
    );
}

#[test]
fn a_verbose_verification_explains_every_verdict_in_english() {
    let style = Style {
        lang: Lang::Zh,
        ..Style::default()
    };
    let text = verification(&sample::verification(), &style, true);
    assert!(text.contains("built in 320 ms"), "{text}");
    assert!(
        text.contains("error: expected ';' before 'return'"),
        "{text}"
    );
}

/// A verification of one sample that is wrong in four places.
fn wrong_in_four_places() -> grader_model::Verification {
    let mut verified = sample::verification();
    verified.problems.truncate(1);
    let problem = &mut verified.problems[0];
    problem.idle_cases.clear();
    problem.samples.drain(..3);
    problem.samples[0].because = None;
    let place = |case: usize| grader_model::Mismatch {
        place: format!("case medium/n={case}"),
        message: "expected WA, found TLE".to_owned(),
        fault: false,
    };
    problem.samples[0].mismatches = (9..13).map(place).collect();
    verified
}

#[test]
fn three_places_are_named_and_the_others_counted() {
    assert_eq!(
        verification(&wrong_in_four_places(), &Style::default(), false),
        "count
    sample                     language  expected  found
  ✗ wrong-answer/off-by-one.c  C         WA        PC  16
      case medium/n=9: expected WA, found TLE
      case medium/n=10: expected WA, found TLE
      case medium/n=11: expected WA, found TLE
      … and 1 more place
      medium
        ✗ n=9  WA  1.2 ms, 1.2 MiB
            the number of solutions is wrong
            token 1 differs
            expected  352
            found     351
            hint: is every mirrored solution counted twice?

n-queens: 1 sample, 0 as expected, 1 not
"
    );
    let text = verification(&wrong_in_four_places(), &Style::default(), true);
    assert!(
        text.contains("case medium/n=12: expected WA, found TLE\n"),
        "{text}"
    );
}

#[test]
fn several_assignments_are_one_json_document() {
    let broken = sample::verification();
    let mut good = broken.clone();
    good.assignment = grader_model::AssignmentId::new("practice");
    good.problems.clear();
    let mut out = Vec::new();
    verification_json(&[broken, good], &mut out).unwrap();
    let mut document: Value = serde_json::from_slice(&out).unwrap();
    let sample = &mut document["assignments"][0]["problems"][0]["samples"][3];
    assert_eq!(sample["found"]["points"], 16);
    sample["found"] = Value::Null;
    assert_eq!(
        *sample,
        json!({
            "path": "wrong-answer/off-by-one.c",
            "expected": "WA",
            "holds": false,
            "mismatches": [{ "place": "points", "message": "expected 10, found 16" }],
            "because": "forgets the last solution of every board with more than eight rows",
            "found": null
        })
    );
    for assignment in document["assignments"].as_array_mut().unwrap() {
        for key in ["host", "isolation", "problems"] {
            assert!(!assignment[key].is_null(), "{key}");
            assignment[key] = Value::Null;
        }
    }
    assert_eq!(
        document,
        json!({
            "format": "bitcraft-verification/1",
            "holds": false,
            "assignments": [
                { "id": "n-queens", "host": null, "isolation": null, "holds": false, "problems": null },
                { "id": "practice", "host": null, "isolation": null, "holds": true, "problems": null },
            ]
        })
    );
}

#[test]
fn a_failure_that_concerns_a_whole_sample_appears_once() {
    let mut verified = wrong_in_four_places();
    let sample = &mut verified.problems[0].samples[0];
    let gone = grader_model::Text::plain("the sandbox failed: no memory");
    sample.mismatches.truncate(1);
    sample.found.message = Some(gone.clone());
    sample.found.verdict = grader_model::Verdict::JudgeError;
    sample.found.subtasks.drain(..2);
    sample.found.subtasks[0].cases[0] = grader_model::CaseResult::unrun(
        grader_model::CaseName::new("n=12"),
        grader_model::Verdict::JudgeError,
        gone,
    );
    assert_eq!(
        verification(&verified, &Style::default(), false),
        "count
    sample                     language  expected  found
  ✗ wrong-answer/off-by-one.c  C         WA        JE  16
      case medium/n=9: expected WA, found TLE
      large
        ✗ n=12  JE
            the sandbox failed: no memory

n-queens: 1 sample, 0 as expected, 1 not
"
    );
}

#[test]
fn a_subtask_that_fails_as_a_whole_says_why() {
    let mut verified = sample::verification();
    verified.problems.truncate(1);
    let problem = &mut verified.problems[0];
    problem.idle_cases.clear();
    let last = problem.samples.last_mut().unwrap();
    last.found = sample::results().students[4].problems[2].clone();
    last.because = None;
    problem.samples.drain(..3);
    assert_eq!(
        verification(&verified, &Style::default(), false),
        "count
    sample                     language  expected  found
  ✗ wrong-answer/off-by-one.c  C         WA        PC  14
      points: expected 10, found 16
      sparse
        its time grows too fast: about n^3 (95 %: 2.95 to 3.05); at most n^2.5
        passes
           10 s │                     ···
                │              ·······                            o
                │        ······
            1 s │ ·······
                │·                                o
         100 ms │
                │                o
                │
          10 ms │
                │o
                │
           1 ms │
                +──────────────────────────────────────────────────
                 100            200                   500  n
                 o measured   · fitted line

n-queens: 1 sample, 0 as expected, 1 not
"
    );
}
