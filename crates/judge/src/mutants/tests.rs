//! Mutants of a reference that doubles a number, run by a runner that only pretends.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, io};

use grader_model::{Bytes, CpuTime, Event, Isolation, IsolationLevel, Outcome, Sink, WallTime};
use grader_problem::{Assignment, MemoryLibrary, load_assignment};
use grader_sandbox::{MountPoint, Request, Runner, SandboxError};

use super::*;
use crate::{Settings, Stop, with_samples};

/// Does what the first argument says with the last one, which is n.
struct Pretender {
    /// Asked to stop when the program of this name runs.
    stops_at: Option<(&'static str, Stop)>,
}

impl Runner for Pretender {
    fn run(&self, request: &Request) -> Result<Outcome, SandboxError> {
        let word = |index: usize| request.arguments[index].to_str().unwrap();
        let n: u32 = word(1).parse().unwrap();
        if let Some((name, stop)) = &self.stops_at
            && *name == word(0)
        {
            stop.request();
        }
        let exits = End::Exited;
        let (text, end, breach) = match word(0) {
            "square" => (n * n, exits(0), None),
            "right-to-four" => (if n > 4 { 0 } else { 2 * n }, exits(0), None),
            "slow-from-three" if n < 3 => (2 * n, exits(0), None),
            "slow-from-three" => (0, End::Signalled(9), Some(Breach::Cpu)),
            "crashes-at-three" if n == 3 => (0, End::Signalled(11), None),
            "reference" | "right" | "crashes-at-three" => (2 * n, exits(0), None),
            "refuses-all" => (0, exits(2), None),
            "refuses-below-five" => (0, exits(if n < 5 { 2 } else { 0 }), None),
            other => panic!("no program `{other}`"),
        };
        fs::write(&request.stdout, format!("{text}\n")).unwrap();
        fs::write(&request.stderr, "").unwrap();
        Ok(Outcome {
            end,
            breach,
            cpu: CpuTime(Duration::from_millis(1)),
            wall: WallTime(Duration::from_millis(1)),
            memory: None,
            stdout: Bytes(2),
            stderr: Bytes(0),
        })
    }

    fn inside(&self, _: MountPoint, host: &Path) -> PathBuf {
        host.to_owned()
    }

    fn isolation(&self) -> Isolation {
        Isolation {
            level: IsolationLevel::Basic,
            layers: Vec::new(),
            missing: Vec::new(),
        }
    }
}

struct Silent;

impl Sink for Silent {
    fn event(&mut self, _: &Event) -> io::Result<()> {
        Ok(())
    }
}

fn doubling() -> Assignment {
    let mut library = MemoryLibrary::new("test", std::collections::BTreeMap::new());
    library.insert(
        "assignment.toml",
        "format = 1\nid = \"a\"\ntitle = { zh = \"甲\", en = \"A\" }\n[[problem]]\npath = \"double\"\npoints = 5\n",
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
time = "1 s"
[reference]
builtin = "double"
[checker.tokens]
[[subtask]]
name = "small"
points = 3
cases = { n = "1..=3" }
[[subtask]]
name = "large"
points = 2
cases = { n = "4..=5" }
"#,
    );
    let loaded = load_assignment(&library, "", &["double"]);
    loaded
        .value
        .unwrap_or_else(|| panic!("{:?}", loaded.diagnostics))
}

fn command(word: &str) -> Command {
    Command {
        program: "/grader".into(),
        arguments: vec![word.into()],
        environment: Vec::new(),
    }
}

/// The codes of the verdicts of each mutant, and what is said against the problem.
fn found(names: &[&str], extent: Extent) -> (Vec<String>, Vec<String>) {
    let verified = verified(names, extent, None).unwrap();
    assert_eq!(verified.every_case, extent == Extent::EveryCase);
    let problem = &verified.problems[0];
    let rows = problem.mutants.iter().map(|mutant| {
        let codes: Vec<_> = mutant.cases.iter().map(|it| it.verdict.code()).collect();
        codes.join(" ")
    });
    let complaints = problem.mismatches.iter().map(|it| {
        let fault = if it.fault { " (fault)" } else { "" };
        format!("{}: {}{fault}", it.place, it.message.en)
    });
    (rows.collect(), complaints.collect())
}

fn verified(
    names: &[&str],
    extent: Extent,
    stops_at: Option<&'static str>,
) -> Option<grader_model::Verification> {
    let stop = Stop::new();
    let judge = Judge::new(Settings {
        runner: Arc::new(Pretender {
            stops_at: stops_at.map(|name| (name, stop.clone())),
        }),
        builtin: Arc::new(|_| command("reference")),
        workers: 2,
        overlaps: false,
        cores: Vec::new(),
        stop,
        calibrations: None,
        memory: None,
        grader: String::new(),
    })
    .unwrap();
    let mutants = |task: &str| {
        assert_eq!(task, "double");
        let mutant = |name: &&str| Mutant {
            name: (*name).to_owned(),
            mistake: Text::plain("is wrong"),
            command: command(name),
        };
        names.iter().map(mutant).collect()
    };
    let assignment = doubling();
    let no_samples = [Vec::new()];
    let problems = with_samples(&assignment, &no_samples, &mutants);
    judge.verify(&assignment, &problems, extent, &mut Silent)
}

const NO_SAMPLES: &str = "submissions: there are no sample submissions";

#[test]
fn a_mutant_is_run_until_a_case_fails_it() {
    assert_eq!(
        found(&["square", "right-to-four"], Extent::FirstFailure),
        (
            vec!["WA SK SK SK SK".to_owned(), "AC AC AC AC WA".to_owned()],
            vec![NO_SAMPLES.to_owned()],
        )
    );
}

#[test]
fn for_the_table_it_is_run_on_every_case() {
    assert_eq!(
        found(&["square"], Extent::EveryCase).0,
        ["WA AC WA WA WA".to_owned()]
    );
}

#[test]
fn a_mutant_that_every_case_accepts_is_a_mismatch_of_the_problem() {
    assert_eq!(
        found(&["square", "right"], Extent::FirstFailure).1,
        [
            "mutants/right: survives: no case fails a program that is wrong".to_owned(),
            NO_SAMPLES.to_owned()
        ]
    );
}

#[test]
fn to_be_stopped_at_a_limit_is_not_to_be_failed() {
    assert_eq!(
        found(&["slow-from-three"], Extent::FirstFailure),
        (
            vec!["AC AC TLE TLE TLE".to_owned()],
            vec![
                "mutants/slow-from-three: survives: no case fails a program that is wrong (in 3 of them it is stopped at a limit, which does not count)".to_owned(),
                NO_SAMPLES.to_owned()
            ],
        )
    );
}

#[test]
fn a_mutant_that_crashes_is_a_fault_of_ours() {
    assert_eq!(
        found(&["crashes-at-three"], Extent::FirstFailure),
        (
            vec!["AC AC JE AC AC".to_owned()],
            vec![
                "mutants/crashes-at-three, case small/n=3: the mutant failed: signal 11 (SIGSEGV) (fault)".to_owned(),
                NO_SAMPLES.to_owned()
            ],
        )
    );
}

#[test]
fn cases_that_a_mutant_does_not_take_say_nothing_of_it() {
    assert_eq!(
        found(&["refuses-all", "refuses-below-five"], Extent::FirstFailure),
        (
            vec!["SK SK SK SK SK".to_owned(), "SK SK SK SK WA".to_owned()],
            vec![NO_SAMPLES.to_owned()],
        )
    );
}

#[test]
fn nothing_is_told_of_mutants_when_asked_to_stop() {
    assert_eq!(
        verified(&["square"], Extent::EveryCase, Some("square")),
        None
    );
}
