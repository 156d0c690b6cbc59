use grader_model::{Excerpt, Lang, Results};

use super::*;
use crate::sample;
use crate::snapshots::{assert_kept, only};

/// The results of one student of the sample, without the problems that were not submitted.
fn one(index: usize) -> Results {
    let results = sample::results();
    let mut one = only(&results, &results.students[index].id);
    one.students[0]
        .problems
        .retain(|problem| !problem.files.is_empty());
    one
}

fn feed(events: &[Event], mut view: TestView<Vec<u8>>) -> String {
    for event in events {
        view.event(event).unwrap();
    }
    String::from_utf8(view.into_inner()).unwrap()
}

fn written(results: &Results, style: &Style) -> String {
    feed(
        &sample::events(results),
        TestView::new(style, Vec::new(), false, Vec::new()),
    )
}

/// The cases of these results.
fn cases(results: &Results) -> Vec<TestCase> {
    let mut cases = Vec::new();
    for problem in &results.students[0].problems {
        for subtask in &problem.subtasks {
            cases.extend(subtask.cases.iter().map(|case| TestCase {
                problem: problem.id.clone(),
                subtask: subtask.name.clone(),
                name: case.name.clone(),
                hidden: subtask.hidden,
            }));
        }
    }
    cases
}

#[test]
fn cases_are_written_as_they_end_and_failures_are_explained() {
    let chinese = Style::of(Lang::Zh);
    for (index, name, style) in [
        (1, "mixed", Style::default()),
        (1, "mixed.zh", chinese),
        (2, "broken", Style::default()),
        (4, "close", Style::default()),
    ] {
        let text = written(&one(index), &style);
        assert_kept(&format!("test.{name}.txt"), text.as_bytes());
    }
}

#[test]
fn a_failing_case_is_shown_with_its_input_and_a_command_unless_it_is_hidden() {
    let mut results = one(1);
    results.students[0].problems.truncate(1);
    for subtask in &mut results.students[0].problems[0].subtasks {
        for case in subtask.cases_mut() {
            case.input = Some(Excerpt::block(b"9\n1 2\n", 100).into());
            case.command = Some(format!("./count {}", case.name));
        }
    }
    let view = TestView::new(&Style::default(), cases(&results), false, Vec::new());
    let text = feed(&sample::events(&results), view);
    let (_, text) = text.split_once("  medium\n").unwrap();
    let (text, _) = text.split_once("    ✓ n=11").unwrap();
    assert_eq!(
        text,
        "    ✗ n=9  WA
        the number of solutions is wrong
        token 1 differs
        expected  352
        found     351
        hint: is every mirrored solution counted twice?
        input
        │ 9
        │ 1 2
        try it: ./count n=9
    ✗ n=10  TLE  1 s, 1.2 MiB
        still running when its CPU time was used up
        input
        │ 9
        │ 1 2
        try it: ./count n=10
"
    );
}

#[test]
fn a_live_line_names_the_case_that_runs_and_leaves_no_trace() {
    let results = one(1);
    let events = sample::events(&results);
    let live = || TestView::new(&Style::default(), cases(&results), true, Vec::new());
    let first = feed(&events[..7], live());
    let (_, first) = first.split_once("points\n").unwrap();
    assert_eq!(
        first,
        "    … building\r\u{1b}[2K  small\n    ✓ n=4  0.7 ms, 1.2 MiB\n    … small/n=5 (2/9)"
    );
    // What stays on the screen after each line feed is what a view without the live line writes.
    let screen = |text: &str| {
        let lines = text.lines().map(|line| line.rsplit("\u{1b}[2K").next());
        lines.map(Option::unwrap).collect::<Vec<_>>().join("\n")
    };
    let still = TestView::new(&Style::default(), cases(&results), false, Vec::new());
    assert_eq!(
        screen(&feed(&events, live())),
        feed(&events, still).trim_end()
    );
}

#[test]
fn a_test_that_is_interrupted_in_the_middle_of_a_line_ends_the_line() {
    let results = one(0);
    let mut events = sample::events(&results);
    events.truncate(8);
    events.push(sample::event(EventKind::RunFinished { interrupted: true }));
    let view = TestView::new(&Style::default(), Vec::new(), false, Vec::new());
    assert_eq!(
        feed(&events, view),
        "count · Count all solutions · 35 points
  small
    ✓ n=4  0.7 ms, 1.2 MiB
    ✓ n=5  0.7 ms, 1.2 MiB
interrupted before the end: the results are incomplete
"
    );
}
