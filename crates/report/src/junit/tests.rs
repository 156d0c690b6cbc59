mod xml;

use std::collections::BTreeSet;

use self::xml::Element;
use super::*;
use crate::sample;
use crate::snapshots::{assert_kept, each, written};

fn report(results: &Results, audience: Audience) -> Vec<u8> {
    written(|out| write_junit(results, audience, out))
}

fn read(results: &Results, audience: Audience) -> Element {
    let text = String::from_utf8(report(results, audience)).unwrap();
    xml::read(&text).unwrap()
}

/// What an element may have, in this order, by the summary of <https://github.com/testmoapp/junitxml>: attributes that
/// must be there, attributes that may, and children.
fn shape(
    name: &str,
) -> (
    &'static [&'static str],
    &'static [&'static str],
    &'static [&'static str],
) {
    match name {
        "testsuites" => (
            &["name", "tests", "failures", "errors", "skipped"],
            &["time"],
            &["testsuite"],
        ),
        "testsuite" => (
            &["name", "tests", "failures", "errors", "skipped"],
            &["time"],
            &["properties", "testcase"],
        ),
        "testcase" => (
            &["name", "classname"],
            &["time"],
            &[
                "properties",
                "failure",
                "error",
                "skipped",
                "system-out",
                "system-err",
            ],
        ),
        "properties" => (&[], &[], &["property"]),
        "property" => (&["name", "value"], &[], &[]),
        "failure" | "error" => (&["message", "type"], &[], &[]),
        "skipped" => (&["message"], &[], &[]),
        "system-out" | "system-err" => (&[], &[], &[]),
        _ => panic!("there is no element `{name}`"),
    }
}

/// Holds an element to [`shape`], with all that is in it.
fn hold(element: &Element) {
    let (must, may, children) = shape(&element.name);
    for key in must {
        assert!(element.get(key).is_some(), "{key} of {}", element.name);
    }
    for (key, _) in &element.attributes {
        let known = must.contains(&key.as_str()) || may.contains(&key.as_str());
        assert!(known, "{key} of {}", element.name);
    }
    let places: Vec<usize> = element
        .children
        .iter()
        .map(|child| {
            children
                .iter()
                .position(|known| *known == child.name)
                .expect("a known child")
        })
        .collect();
    assert!(
        places.is_sorted(),
        "{} has its children in another order",
        element.name
    );
    let repeated = ["testsuite", "testcase", "property"];
    for pair in element.children.windows(2) {
        assert!(pair[0].name != pair[1].name || repeated.contains(&pair[0].name.as_str()));
    }
    let texts = ["failure", "error", "system-out", "system-err"];
    assert!(element.text.trim().is_empty() || texts.contains(&element.name.as_str()));
    if let Some(time) = element.get("time") {
        assert!(time.parse::<f64>().unwrap() >= 0.0);
    }
    element.children.iter().for_each(hold);
}

fn number(element: &Element, key: &str) -> usize {
    element.get(key).unwrap().parse().unwrap()
}

/// The counts of a suite, or of all, are those of what is in it.
fn counts_agree(root: &Element) {
    let mut all = [0; 4];
    for suite in &root.children {
        let cases = || {
            suite
                .children
                .iter()
                .filter(|child| child.name == "testcase")
        };
        let of = |kind: &str| cases().filter(|case| case.child(kind).is_some()).count();
        let counted = [cases().count(), of("failure"), of("error"), of("skipped")];
        let said = ["tests", "failures", "errors", "skipped"].map(|key| number(suite, key));
        assert_eq!(said, counted);
        all = std::array::from_fn(|index| all[index] + counted[index]);
    }
    let said = ["tests", "failures", "errors", "skipped"].map(|key| number(root, key));
    assert_eq!(said, all);
}

#[test]
fn the_reports_are_the_ones_that_are_kept() {
    let results = sample::with_hostile();
    assert_kept("junit.staff.xml", &report(&results, Audience::Staff));
    let own = each(&results).map(|own| report(&own, Audience::Student));
    assert_kept("junit.student.xml", &own.collect::<Vec<_>>().concat());
}

#[test]
fn every_report_has_the_shape_that_readers_expect() {
    let all = sample::with_hostile();
    let mut roots = vec![read(&all, Audience::Staff)];
    roots.extend(each(&all).map(|own| read(&own, Audience::Student)));
    for root in roots {
        assert_eq!(root.name, "testsuites");
        hold(&root);
        counts_agree(&root);
    }
}

#[test]
fn no_two_tests_have_the_same_class_and_name() {
    let root = read(&sample::with_hostile(), Audience::Staff);
    let cases = root.children.iter().flat_map(|suite| &suite.children);
    let names: Vec<_> = cases
        .filter(|child| child.name == "testcase")
        .map(|case| (case.get("classname").unwrap(), case.get("name").unwrap()))
        .collect();
    let different: BTreeSet<_> = names.iter().collect();
    assert_eq!(different.len(), names.len());
}

/// What a test of one case with this verdict has: an element, its type, its message.
fn told(
    verdict: Verdict,
    message: Option<&str>,
) -> Option<(String, Option<String>, Option<String>)> {
    let mut results = sample::results();
    results.students.truncate(1);
    let problems = &mut results.students[0].problems;
    problems.truncate(2);
    problems.remove(0);
    let case = &mut problems[0].subtasks[0].cases[0];
    case.verdict = verdict;
    case.message = message.map(Text::plain);
    problems[0].build = None;
    let root = read(&results, Audience::Staff);
    let test = &root.children[0].children[1];
    assert_eq!(test.get("name"), Some("all/n=6"));
    assert_eq!(test.get("classname"), Some("board.s01"));
    let status = test
        .children
        .iter()
        .find(|child| child.name != "properties")?;
    let owned = |key| status.get(key).map(str::to_owned);
    Some((status.name.clone(), owned("type"), owned("message")))
}

#[test]
fn each_verdict_has_its_element_and_its_type() {
    let failure = |kind: &str, message: &str| {
        Some((
            "failure".to_owned(),
            Some(kind.to_owned()),
            Some(message.to_owned()),
        ))
    };
    assert_eq!(told(Verdict::Accepted, None), None);
    assert_eq!(
        told(Verdict::WrongAnswer, None),
        failure("wrong-answer", "wrong answer")
    );
    assert_eq!(
        told(Verdict::TimeLimit, Some("too\nslow <\u{1b}>")),
        failure("time-limit", "too\\nslow <\\x1b>")
    );
    for verdict in Verdict::ALL {
        let element = told(verdict, None).map(|(element, ..)| element);
        let expected = match verdict {
            Verdict::Accepted => None,
            Verdict::JudgeError => Some("error"),
            Verdict::Skipped => Some("skipped"),
            _ => Some("failure"),
        };
        assert_eq!(element.as_deref(), expected, "{verdict}");
    }
}

/// The names of the tests of a submission of the sample, with the element that each has.
fn tests_of(student: usize, problem: usize) -> Vec<(String, String)> {
    let root = read(&sample::results(), Audience::Staff);
    let suite = &root.children[student * 5 + problem];
    let cases = suite
        .children
        .iter()
        .filter(|child| child.name == "testcase");
    cases
        .map(|case| {
            let status = ["failure", "error", "skipped"]
                .into_iter()
                .find(|kind| case.child(kind).is_some());
            (
                case.get("name").unwrap().to_owned(),
                status.unwrap_or("passed").to_owned(),
            )
        })
        .collect()
}

#[test]
fn what_is_not_a_case_is_a_test_of_its_own() {
    let pairs = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
        let pairs = pairs.iter();
        pairs
            .map(|(name, status)| ((*name).to_owned(), (*status).to_owned()))
            .collect()
    };
    assert_eq!(
        tests_of(2, 0),
        pairs(&[("compile", "failure"), ("small/n=4", "skipped")])
    );
    assert_eq!(tests_of(2, 1), pairs(&[("submission", "skipped")]));
    assert_eq!(tests_of(3, 0), pairs(&[("submission", "error")]));
    let grown = tests_of(4, 2);
    assert!(grown.contains(&("sparse".to_owned(), "failure".to_owned())));
    assert!(
        !grown
            .iter()
            .any(|(name, _)| name == "dense" || name == "tiny")
    );
}

/// Fifty students with five problems of three subtasks of four cases, of which those with the numbers `failing` fail.
fn large(failing: &[usize]) -> Results {
    let sample = sample::results();
    let mut problem = sample.students[4].problems[0].clone();
    let cases = problem.subtasks[1].cases.clone();
    let [mut failed, mut passed] = [cases[2].clone(), cases[3].clone()];
    assert_eq!(
        (failed.verdict, passed.verdict),
        (Verdict::TimeLimit, Verdict::Accepted)
    );
    failed.stderr = Some(grader_model::Excerpt {
        text: "a line of what the program says\n".repeat(8),
        before: 0,
        after: 0,
    });
    passed.stderr.clone_from(&failed.stderr);
    problem.subtasks.truncate(3);
    for subtask in &mut problem.subtasks {
        subtask.cases = (0..4)
            .map(|number| CaseResult {
                name: grader_model::CaseName::new(format!("n={number}000")),
                ..if failing.contains(&number) {
                    failed.clone()
                } else {
                    passed.clone()
                }
            })
            .collect();
    }
    let student = |number| StudentResult {
        id: grader_model::StudentId::new(format!("2023{number:06}")),
        problems: vec![problem.clone(); 5],
        ..sample.students[4].clone()
    };
    Results {
        students: (0..50).map(student).collect(),
        ..sample
    }
}

#[test]
fn a_large_class_stays_below_what_gitlab_takes() {
    struct Counter(usize);
    impl Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let size = |class: &Results| {
        let mut counter = Counter(0);
        write_junit(class, Audience::Staff, &mut counter).unwrap();
        // Ten times as many students take ten times the room.
        10 * counter.0
    };
    let (usual, worst) = (size(&large(&[2])), size(&large(&[0, 1, 2, 3])));
    assert!(usual < 16_000_000, "{usual}");
    assert!(worst < 30_000_000, "{worst}");
}
