//! Whole runs on a simulated machine, with a cache in memory.

mod compiler;
mod faults;
mod hinted;
mod interleaved;
mod java;
mod keys;
mod lab;
mod machine;
mod precompiled;
mod ram;
mod reuse;
mod searched;
mod stopped;

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};

use grader_intake::{Class, Student, Submission};
use grader_language::{Command, Languages};
use grader_model::{
    Bytes, CpuTime, End, Event, EventKind, LanguageId, Origin, Outcome, ProblemId, ProblemResult,
    Sink, SourceFile, StudentId, StudentResult, WallTime,
};
use grader_problem::{Assignment, MemoryLibrary, Problem, load_assignment};

use crate::{Judge, Settings, Stop, Summary};
use machine::Machine;
use ram::Ram;

/// Print twice n, for five values; answers come from the reference.
pub(crate) fn doubling(change: impl FnOnce(&mut Problem)) -> Assignment {
    let mut library = MemoryLibrary::new("test", BTreeMap::new());
    library.insert(
        "assignment.toml",
        "format = 1\nid = \"a\"\ntitle = { zh = \"甲\", en = \"A\" }\n[[problem]]\npath = \"double\"\npoints = 10\n",
    );
    library.insert(
        "double/problem.toml",
        r#"
format = 1
id = "double"
title = { zh = "两倍", en = "Twice n" }
[submission]
files = ["double.*"]
languages = ["c"]
[run]
arguments = ["{n}"]
[limits]
time = "10 s"
[reference]
builtin = "double"
[source]
forbid = [{ any = ["goto"] }]
[checker.tokens]
[[subtask]]
name = "small"
points = 4
cases = { n = "1..=2" }
[[subtask]]
name = "large"
points = 6
cases = { n = "3..=5" }
"#,
    );
    let mut assignment = load_assignment(&library, "", &["double"]).unwrap();
    let problem = Arc::get_mut(&mut assignment.problems[0].problem).unwrap();
    change(problem);
    problem.version = format!("{problem:?}");
    assignment
}

/// A run that ended well, with this CPU and wall time.
pub(crate) fn ended_well(cpu: CpuTime) -> Outcome {
    Outcome {
        end: End::Exited(0),
        breach: None,
        cpu,
        wall: WallTime(cpu.0),
        memory: None,
        stdout: Bytes(0),
        stderr: Bytes(0),
    }
}

/// A class of students, each with one source; [`Machine`] defines how sources behave.
pub(crate) fn class(sources: &[&str]) -> Class {
    let student = |(index, text): (usize, &&str)| Student {
        id: StudentId::new(format!("s{index}")),
        submissions: BTreeMap::from([(ProblemId::new("double"), submission(index, text))]),
        ..Student::default()
    };
    Class {
        students: sources.iter().enumerate().map(student).collect(),
        ..Class::default()
    }
}

fn submission(index: usize, text: &str) -> Submission {
    let text = format!("int main() {{}} // s{index} {text}");
    Submission::in_memory(
        vec![SourceFile::new("double.c", text.into_bytes())],
        vec!["double.c".to_owned()],
        Some(LanguageId::C),
    )
}

/// Skips a test without a C compiler, which is not run, but whose version is asked for.
macro_rules! needs_compiler {
    () => {
        if Languages::built_in()
            .get(LanguageId::C)
            .unwrap()
            .find()
            .is_err()
        {
            return eprintln!("skipped: there is no C compiler");
        }
    };
}
pub(crate) use needs_compiler;

/// A sink that records everything.
#[derive(Default)]
struct Heard {
    students: Vec<StudentResult>,
    /// `started s0`, `case s0 n=1`, `finished s0`.
    events: Vec<String>,
    interrupted: Option<bool>,
    /// The cache that should have a job when it is announced.
    ram: Option<Arc<Ram>>,
    /// Jobs that were announced before they were stored.
    early: usize,
}

impl Sink for Heard {
    fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::JobStarted { student, .. } => self.events.push(format!("started {student}")),
            EventKind::CaseFinished { student, case, .. } => {
                self.events.push(format!("case {student} {}", case.name));
            }
            EventKind::JobFinished { student, result } => {
                self.events.push(format!("finished {student}"));
                if let Some(ram) = &self.ram {
                    self.early += usize::from(!ram.has(student, result));
                }
            }
            EventKind::StudentFinished { result } => self.students.push((**result).clone()),
            EventKind::RunFinished { interrupted } => self.interrupted = Some(*interrupted),
            EventKind::RunStarted { .. } | EventKind::ReferenceMeasured { .. } => {}
        }
        Ok(())
    }
}

impl Heard {
    /// The results in the order of the students.
    fn results(&self) -> Vec<&ProblemResult> {
        let mut students: Vec<&StudentResult> = self.students.iter().collect();
        students.sort_by_key(|student| &student.id);
        let students = students.into_iter();
        students.flat_map(|student| &student.problems).collect()
    }

    fn origins(&self) -> Vec<Origin> {
        let results = self.results().into_iter();
        results
            .map(|result| result.origin.clone().unwrap())
            .collect()
    }

    /// The results without their origins.
    fn found(&self) -> Vec<ProblemResult> {
        let results = self.results().into_iter();
        let found = results.map(|result| ProblemResult {
            origin: None,
            ..result.clone()
        });
        found.collect()
    }

    /// `AC 10`, `PC 4`, student by student.
    fn verdicts(&self) -> Vec<String> {
        let results = self.results().into_iter();
        results
            .map(|it| {
                let points = it.points.map_or("open".to_owned(), |it| it.to_string());
                format!("{} {points}", it.verdict)
            })
            .collect()
    }
}

/// The setup of a grading run.
struct Setup {
    machine: Arc<Machine>,
    ram: Option<Arc<Ram>>,
    workers: usize,
    overlaps: bool,
    grader: &'static str,
    stop: Stop,
}

impl Setup {
    fn new(machine: &Arc<Machine>, ram: Option<&Arc<Ram>>) -> Self {
        Self {
            machine: machine.clone(),
            ram: ram.cloned(),
            workers: 1,
            overlaps: false,
            grader: "0.1.0",
            stop: Stop::new(),
        }
    }

    fn settings(self) -> Settings {
        Settings {
            runner: self.machine,
            builtin: Arc::new(|_| Command {
                program: "/grader".into(),
                arguments: vec!["reference".into()],
                environment: Vec::new(),
            }),
            workers: self.workers,
            overlaps: self.overlaps,
            stops_early: false,
            explains_undefined: false,
            cores: Vec::new(),
            shares_cores: false,
            stop: self.stop,
            author_cache: None,
            fresh_authors: false,
            kept_builds: None,
            part: crate::Part::default(),
            cache: self.ram.map(|ram| ram as _),
            grader: self.grader.to_owned(),
        }
    }

    fn judge(self) -> Judge {
        Judge::with_scratch(self.settings(), crate::Scratch::new().unwrap())
    }

    fn grade(self, assignment: &Assignment, class: &Class) -> (Heard, Summary) {
        let mut heard = Heard {
            ram: self.ram.clone(),
            ..Heard::default()
        };
        let machine = self.machine.clone();
        let judge = self.judge();
        *machine.root.lock().unwrap() = judge.folder().to_owned();
        let summary = judge.grade(assignment, class, &mut [&mut heard]);
        (heard, summary)
    }
}

/// A run without a cache, whose results every other run must match.
fn afresh(assignment: &Assignment, class: &Class) -> Heard {
    let machine = Arc::new(Machine::default());
    Setup::new(&machine, None).grade(assignment, class).0
}
