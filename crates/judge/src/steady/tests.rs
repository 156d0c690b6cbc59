//! The whole policy on a machine that only pretends: each program takes the times of a script.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};
use std::{fs, io};

use grader_intake::{Class, Student, Submission};
use grader_language::{Command, language};
use grader_model::{Event, EventKind, ProblemId, Sink, SourceFile, StudentId, Yardstick};
use grader_problem::{AnswerRule, Assignment, MemoryLibrary, Problem, TimeStep, load_assignment};

use self::pretender::Does::{self, Right, Sleeps, Waits, Wrong};
use self::pretender::{Pretender, Script};
use super::*;
use crate::{Calibrations, Judge, Settings, Stop};

/// What is told of the cases, and of the times of the reference.
#[derive(Default)]
struct Told {
    cases: Vec<String>,
    yardsticks: Vec<String>,
    finished: usize,
}

impl Sink for Told {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::CaseFinished { case, .. } => self.cases.push(told(case)),
            EventKind::Calibrated { yardstick } => {
                self.yardsticks.push(told_of_reference(yardstick));
            }
            EventKind::JobFinished { .. } => self.finished += 1,
            EventKind::RunStarted { .. }
            | EventKind::JobStarted { .. }
            | EventKind::StudentFinished { .. }
            | EventKind::RunFinished { .. } => {}
        }
        Ok(())
    }
}

/// `n=2 AC 2.4 s of 3 s, near, alone 2.4 s by 1 s; a message`.
fn told(case: &CaseResult) -> String {
    let cpu = case.outcome.as_ref().map(|it| it.cpu).unwrap_or_default();
    let limit = case.limits.map(|it| it.cpu).unwrap_or_default();
    let mut text = format!("{} {} {cpu} of {limit}", case.name, case.verdict.code());
    if case.near_limit {
        text.push_str(", near");
    }
    let times = |times: &[CpuTime]| {
        let times: Vec<String> = times.iter().map(ToString::to_string).collect();
        times.join(" ")
    };
    if let Some(confirmation) = &case.confirmation {
        text.push_str(", alone ");
        text.push_str(&times(&confirmation.runs));
        if !confirmation.yardsticks.is_empty() {
            text.push_str(" by ");
            text.push_str(&times(&confirmation.yardsticks));
        }
        if !confirmation.resolved {
            text.push_str(", unresolved");
        }
    }
    if let Some(share) = case.share {
        write!(text, ", share {}", share.thousandths()).unwrap();
    }
    if let Some(message) = &case.message {
        write!(text, "; {}", message.en).unwrap();
    }
    text
}

fn told_of_reference(yardstick: &Yardstick) -> String {
    let mut text = format!(
        "{} {} to {} in {}",
        yardstick.case, yardstick.cpu, yardstick.largest, yardstick.samples
    );
    if yardstick.kept {
        text.push_str(", kept");
    }
    if yardstick.drifts > 0 {
        write!(text, ", {} drifts", yardstick.drifts).unwrap();
    }
    text
}

/// The problem: print twice n; n = 1 is the gauge, and the limit is three times the reference's time.
fn doubling(change: impl FnOnce(&mut Problem)) -> Assignment {
    let mut library = MemoryLibrary::new("test", BTreeMap::new());
    library.insert(
        "assignment.toml",
        "format = 1\nid = \"a\"\ntitle = { zh = \"甲\", en = \"A\" }\n[[problem]]\npath = \"double\"\npoints = 2\n",
    );
    library.insert(
        "double/problem.toml",
        r#"
format = 1
id = "double"
title = { zh = "两倍", en = "Twice n" }
[submission]
files = ["double.*"]
[run]
arguments = ["{n}"]
[limits]
time = { reference = 3.0 }
[reference]
builtin = "double"
[checker.tokens]
[[subtask]]
name = "all"
points = 2
cases = { n = "1..=2" }
"#,
    );
    let loaded = load_assignment(&library, "", &["double"]);
    let mut assignment = loaded
        .value
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics));
    let problem = Arc::get_mut(&mut assignment.problems[0].problem).unwrap();
    // Round numbers.
    problem.limits.slack = CpuTime::default();
    change(problem);
    assignment
}

fn class(students: usize) -> Class {
    let student = |index| Student {
        id: StudentId::new(format!("s{index}")),
        person: None,
        notes: Vec::new(),
        remarks: Vec::new(),
        submissions: BTreeMap::from([(
            ProblemId::new("double"),
            Submission::held(
                vec![SourceFile::new("double.c", &b"int main() {}"[..])],
                vec!["double.c".to_owned()],
                Some(LanguageId::C),
            ),
        )]),
        faults: BTreeMap::new(),
        unused: Vec::new(),
    };
    Class {
        students: (0..students).map(student).collect(),
        ..Class::default()
    }
}

/// Sources are told by their compiler, which must be here even though it is not run.
fn has_compiler() -> bool {
    let is_here = language(LanguageId::C).find().is_ok();
    if !is_here {
        eprintln!("skipped: there is no C compiler");
    }
    is_here
}

fn graded(
    runner: &Arc<Pretender>,
    assignment: &Assignment,
    calibrations: Option<Calibrations>,
    (workers, students): (usize, usize),
) -> (Told, bool) {
    let builtin = |_: &str| Command {
        program: "/grader".into(),
        arguments: vec!["reference".into()],
        environment: Vec::new(),
    };
    let stop = match &runner.stops_at {
        Some((_, stop)) => stop.clone(),
        None => Stop::new(),
    };
    let judge = Judge::new(Settings {
        runner: runner.clone(),
        builtin: Arc::new(builtin),
        workers,
        overlaps: true,
        cores: Vec::new(),
        stop,
        calibrations,
        memory: None,
        grader: String::new(),
    })
    .unwrap();
    let mut told = Told::default();
    let summary = judge.grade(assignment, &class(students), &mut [&mut told]);
    (told, summary.interrupted)
}

/// What is told of n = 2, and how the programs ran for it, in order.
fn second(script: Script<'_>, change: impl FnOnce(&mut Problem)) -> Option<(String, Vec<String>)> {
    if !has_compiler() {
        return None;
    }
    let runner = Arc::new(Pretender::new(script));
    let (told, _) = graded(&runner, &doubling(change), None, (1, 1));
    let log = runner.log();
    assert_eq!(log[..2], ["reference 1: 100", "you 1: 40"]);
    assert_eq!(told.cases[0], "n=1 AC 40 ms of 300 ms");
    Some((told.cases[1].clone(), log[2..].to_vec()))
}

fn assert_second(script: Script<'_>, told: &str, log: &[&str]) {
    assert_second_of(script, |_| (), told, log);
}

fn assert_second_of(
    script: Script<'_>,
    change: impl FnOnce(&mut Problem),
    told: &str,
    log: &[&str],
) {
    if let Some((found, ran)) = second(script, change) {
        assert_eq!(
            (found.as_str(), ran),
            (told, log.iter().map(|it| (*it).to_owned()).collect())
        );
    }
}

const STEADY: &[Does] = &[Right(100)];
const QUICK: &[Does] = &[Right(40)];

#[test]
fn on_a_calm_machine_each_case_is_run_once() {
    assert_second(
        &[
            ("reference", "1", STEADY),
            ("reference", "2", &[Right(1000)]),
            ("you", "1", QUICK),
            ("you", "2", &[Right(1400)]),
        ],
        "n=2 AC 1.4 s of 3 s",
        // A time that makes a limit is taken beside the gauge.
        &["reference 2: 1000", "reference 1: 100", "you 2: 1400"],
    );
}

#[test]
fn what_was_stopped_far_above_the_limit_stands_when_the_machine_is_what_it_was() {
    assert_second(
        &[
            ("reference", "1", STEADY),
            ("reference", "2", &[Right(1000)]),
            ("you", "1", QUICK),
            ("you", "2", &[Right(3600)]),
        ],
        "n=2 TLE 3.45 s of 3 s; stopped after 3.45 s of CPU time; the limit is 3 s",
        &[
            "reference 2: 1000",
            "reference 1: 100",
            "you 2: 3600",
            "reference 1: 100",
        ],
    );
}

/// Lets the limit be no smaller than the reference's time for n = 2.
fn at_least_the_second(problem: &mut Problem) {
    let subtask = &problem.subtasks[0];
    let bound = grader_problem::CaseMultiple {
        factor: 1.0,
        subtask: subtask.name.clone(),
        case: subtask.cases[1].name.clone(),
        hidden: false,
    };
    if let grader_problem::TimeRule::Reference { at_least, .. } = &mut problem.limits.time {
        *at_least = Some(bound);
    }
}

#[test]
fn a_limit_that_follows_another_case_is_confirmed_beside_the_reference_in_that_case() {
    if !has_compiler() {
        return;
    }
    let runner = Arc::new(Pretender::new(&[
        ("reference", "1", &[Right(100)]),
        ("reference", "2", &[Right(1000)]),
        ("you", "1", &[Right(1050), Right(1020), Right(980)]),
        ("you", "2", QUICK),
    ]));
    let (told, _) = graded(&runner, &doubling(at_least_the_second), None, (1, 1));
    assert_eq!(
        told.cases,
        [
            "n=1 AC 980 ms of 1 s, near, alone 1.02 s 980 ms 980 ms by 1 s 1 s 1 s, unresolved; took 980 ms of CPU time, the smallest of 3 runs alone; the limit is 1 s; it is too near to be certain: the runs do not agree",
            "n=2 AC 40 ms of 3 s",
        ]
    );
    let log = runner.log();
    let alone = log.len() - 7..log.len() - 1;
    assert_eq!(
        log[alone],
        [
            "reference 2: 1000",
            "you 1: 1020",
            "reference 2: 1000",
            "you 1: 980",
            "reference 2: 1000",
            "you 1: 980",
        ]
    );
}

#[test]
fn the_time_earns_a_part_of_the_points_and_a_near_step_is_run_again() {
    let steps = |problem: &mut Problem| {
        problem.subtasks[0].by_time = [(0.5, 1000), (1.5, 600), (2.0, 250)]
            .map(|(ratio, thousandths)| TimeStep {
                ratio,
                share: Share::from_thousandths(thousandths),
            })
            .to_vec();
    };
    if !has_compiler() {
        return;
    }
    let found = |runs: &[Does]| {
        let runner = Arc::new(Pretender::new(&[
            ("reference", "1", STEADY),
            ("reference", "2", &[Right(1000)]),
            ("you", "1", &[Right(20)]),
            ("you", "2", runs),
        ]));
        let (told, _) = graded(&runner, &doubling(steps), None, (1, 1));
        assert_eq!(told.cases[0], "n=1 AC 20 ms of 300 ms, share 1000");
        told.cases[1].clone()
    };
    assert_eq!(
        found(&[Right(1200)]),
        "n=2 AC 1.2 s of 3 s, share 600; accepted; 1.2 times the reference's time earns 60 %"
    );
    assert_eq!(
        found(&[Right(2500)]),
        "n=2 AC 2.5 s of 3 s, share 0; accepted; 2.5 times the reference's time earns 0 %"
    );
    assert_eq!(
        found(&[Right(1550), Right(1200)]),
        "n=2 AC 1.2 s of 3 s, near, alone 1.2 s by 1 s, share 600; accepted; 1.2 times the reference's time earns 60 %"
    );
    assert_eq!(
        found(&[Right(1550), Right(1510), Right(1490), Right(1520)]),
        "n=2 AC 1.49 s of 3 s, near, alone 1.51 s 1.49 s 1.52 s by 1 s 1 s 1 s, unresolved, share 600; accepted; 1.49 times the reference's time earns 60 %; took 1.49 s of CPU time, the smallest of 3 runs alone; the points change at 1.5 s; it is too near to be certain: the runs do not agree"
    );
    // Who gives up early is wrong, not fast.
    assert_eq!(
        found(&[Right(1550), Wrong(100), Right(1530), Wrong(100)]),
        "n=2 AC 1.53 s of 3 s, near, alone 100 ms 1.53 s 100 ms by 1 s 1 s 1 s, share 250; accepted; 1.53 times the reference's time earns 25 %"
    );
}

#[test]
fn a_wrong_answer_alone_earns_nothing_by_its_time() {
    if !has_compiler() {
        return;
    }
    let runner = Arc::new(Pretender::new(&[
        ("reference", "1", STEADY),
        ("reference", "2", &[Right(1000)]),
        ("you", "1", &[Right(20)]),
        ("you", "2", &[Right(1450), Wrong(10)]),
    ]));
    let steps = |problem: &mut Problem| {
        problem.subtasks[0].by_time = [(0.5, 1000), (1.5, 600)]
            .map(|(ratio, thousandths)| TimeStep {
                ratio,
                share: Share::from_thousandths(thousandths),
            })
            .to_vec();
    };
    let (told, _) = graded(&runner, &doubling(steps), None, (1, 1));
    assert_eq!(
        told.cases[1],
        "n=2 AC 1.45 s of 3 s, near, alone 10 ms 10 ms 10 ms by 1 s 1 s 1 s, share 600; accepted; 1.45 times the reference's time earns 60 %"
    );
}

#[test]
fn a_request_to_stop_between_runs_alone_leaves_the_case_without_a_result() {
    if !has_compiler() {
        return;
    }
    let mut runner = Pretender::new(&[
        ("reference", "1", STEADY),
        ("reference", "2", &[Right(1000)]),
        ("you", "1", QUICK),
        ("you", "2", &[Right(2990)]),
    ]);
    // The first run alone: reference 1, you 1, reference 2, the gauge, you 2, the gauge, reference 2, you 2.
    runner.stops_at = Some((8, Stop::new()));
    let runner = Arc::new(runner);
    let (told, interrupted) = graded(&runner, &doubling(|_| ()), None, (1, 1));
    assert!(interrupted);
    assert_eq!(told.cases, ["n=1 AC 40 ms of 300 ms"]);
    assert_eq!(told.finished, 0);
    assert_eq!(runner.log().len(), 8);
}

#[test]
fn with_many_workers_nothing_runs_beside_a_run_alone_and_all_come_to_an_end() {
    if !has_compiler() {
        return;
    }
    let runner = Arc::new(Pretender::new(&[
        ("reference", "2", &[Right(1000)]),
        ("you", "2", &[Right(3050)]),
    ]));
    let assignment = doubling(|problem| {
        problem.subtasks[0].cases.remove(0);
    });
    let (told, interrupted) = graded(&runner, &assignment, None, (8, 24));
    assert!(!interrupted);
    assert_eq!(told.finished, 24);
    assert_eq!(
        told.cases,
        vec![
            "n=2 TLE 3.05 s of 3 s, near, alone 3.05 s 3.05 s 3.05 s by 1 s 1 s 1 s; took 3.05 s of CPU time, the smallest of 3 runs alone; the limit is 3 s";
            24
        ]
    );
    assert_eq!(runner.disturbed.load(Ordering::SeqCst), 0);
}

mod alone;
mod crowd;
mod drift;
mod kept;
mod pretender;
