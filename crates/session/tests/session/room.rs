//! A folder with classes and ledgers, and somebody who hears what is said.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grader_intake::{Class, Student, Submission};
use grader_judge::{JobKey, JobName, JobResult, ResultCache as _, submission_name};
use grader_model::{
    AssignmentId, AssignmentInfo, Change, Event, EventKind, Host, Isolation, IsolationLevel,
    Origin, Points, ProblemId, ProblemInfo, ProblemResult, Sink as _, SourceFile, Status,
    StudentId, StudentResult, Text, Verdict,
};
use grader_report::{Progress, Style};
use grader_session::{AskedClass, Console, Failure, SessionError, StoredRuns, ledger};
use grader_store::{BeginRun, Run};
use tempfile::TempDir;

/// What was said, in English: notes, warnings and errors.
#[derive(Default)]
pub(crate) struct Said(RefCell<Vec<String>>);

impl Said {
    pub(crate) fn take(&self) -> Vec<String> {
        self.0.take()
    }

    fn add(&self, kind: &str, text: &str) {
        self.0.borrow_mut().push(format!("{kind}: {text}"));
    }
}

impl Console for Said {
    fn note(&self, text: &Text) {
        self.add("note", &text.en);
    }

    fn warn(&self, text: &Text) {
        self.add("warning", &text.en);
    }

    fn error(&self, error: SessionError) {
        self.add("error", &error.to_string());
    }
}

/// The text and the exit status of an error.
pub(crate) fn refusal<T>(result: Result<T, SessionError>) -> (String, i32) {
    let failure = Failure::of(&result.err().unwrap());
    (failure.text.en, failure.exit as i32)
}

pub(crate) struct Room(TempDir);

impl Room {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A path in it, without links.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.0.path().canonicalize().unwrap().join(path)
    }

    pub(crate) fn shown(&self, path: &str) -> String {
        self.path(path).to_str().unwrap().to_owned()
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    /// Makes the folder of a class, and a run of it in a ledger, in which each student earned 4 of 10 points with this source.
    pub(crate) fn grade(&self, ledger: &str, class: &str, id: &str, work: &[(&str, &str)]) -> Said {
        self.grade_as(ledger, class, id, work, false)
    }

    pub(crate) fn grade_as(
        &self,
        ledger: &str,
        class: &str,
        id: &str,
        work: &[(&str, &str)],
        one_student: bool,
    ) -> Said {
        let wanted = BeginRun {
            one_student,
            ..self.wanted(class, assignment(id))
        };
        self.grade_run(ledger, &wanted, work)
    }

    /// A run of a class.
    pub(crate) fn wanted(&self, class: &str, assignment: AssignmentInfo) -> BeginRun {
        BeginRun {
            class: self.path(class),
            assignment,
            grader: "0.1.0".to_owned(),
            shard: None,
            whole: None,
            one_student: false,
            statements: BTreeMap::new(),
            fresh: false,
        }
    }

    pub(crate) fn grade_run(&self, ledger: &str, wanted: &BeginRun, work: &[(&str, &str)]) -> Said {
        fs::create_dir_all(&wanted.class).unwrap();
        let above = Progress::new(&Style::default(), false).above();
        let said = Said::default();
        let run = ledger::begin(&self.path(ledger), wanted, &intake(work), above, &said).unwrap();
        store(&run, wanted, work);
        said
    }

    pub(crate) fn asked(&self, ledger: &str, class: Option<&str>) -> AskedClass {
        AskedClass {
            class: class.map(PathBuf::from),
            ledger: Some(self.path(ledger)),
        }
    }

    pub(crate) fn find(
        &self,
        ledger: &str,
        class: Option<&str>,
    ) -> Result<StoredRuns, SessionError> {
        StoredRuns::find(&self.asked(ledger, class))
    }

    /// What is said of a class that is shown: which run of which one it is.
    pub(crate) fn found(&self, ledger: &str, class: &str) -> Result<String, SessionError> {
        let stored = self.find(ledger, Some(class))?;
        let run = stored.run(None)?;
        let class = run.class.strip_prefix(self.path("")).unwrap();
        Ok(format!("{} of {}", run.id, class.display()))
    }
}

fn square() -> ProblemId {
    ProblemId::new("square")
}

pub(crate) fn assignment(id: &str) -> AssignmentInfo {
    AssignmentInfo {
        id: AssignmentId::new(id),
        title: Text::plain(id),
        points: Points::whole(10),
        bonus: Points::ZERO,
        deadline: None,
        problems: vec![ProblemInfo {
            id: square(),
            title: Text::plain("square"),
            points: Points::whole(10),
            bonus: false,
            version: "5e".repeat(32),
            manual: Vec::new(),
        }],
    }
}

fn sources(source: &str) -> Vec<SourceFile> {
    vec![SourceFile::new("square.c", source.as_bytes())]
}

fn submission(source: &str) -> Submission {
    Submission::in_memory(sources(source), vec!["square.c".to_owned()], None)
}

/// A class with these submissions.
pub(crate) fn intake(work: &[(&str, &str)]) -> Class {
    let students = work.iter().map(|(student, source)| Student {
        id: StudentId::new(*student),
        submissions: BTreeMap::from([(square(), submission(source))]),
        ..Student::default()
    });
    Class {
        students: students.collect(),
        ..Class::default()
    }
}

fn result(source: &str) -> ProblemResult {
    ProblemResult {
        id: square(),
        points: Some(Points::whole(4)),
        max_points: Points::whole(10),
        verdict: Verdict::WrongAnswer,
        status: Status::Judged,
        files: vec!["square.c".to_owned()],
        submitted: Some("2026-11-20T12:00:00Z".parse().unwrap()),
        origin: Some(Origin::Ran {
            because: Vec::new(),
        }),
        submission: Some(submission_name(&sources(source))),
        ..ProblemResult::default()
    }
}

fn store(run: &Arc<Run>, wanted: &BeginRun, work: &[(&str, &str)]) {
    let mut sink: &Run = run;
    let mut send = |kind| sink.event(&Event { at_ms: 0, kind }).unwrap();
    let ids = work.iter().map(|(id, _)| StudentId::new(*id));
    send(EventKind::RunStarted {
        run: Some(run.info().clone()),
        assignment: Box::new(wanted.assignment.clone()),
        host: Box::new(Host::default()),
        isolation: Box::new(Isolation {
            level: IsolationLevel::Basic,
            layers: Vec::new(),
            missing: Vec::new(),
        }),
        students: ids.collect(),
        jobs: work.len(),
        cases: 0,
        unused: Vec::new(),
        similar: Vec::new(),
        included: BTreeMap::new(),
    });
    for (id, source) in work {
        let (student, result) = (StudentId::new(*id), result(source));
        let name = JobName {
            student: &student,
            problem: &result.id,
        };
        let key = JobKey([(Change::Sources, (*source).to_owned())].into());
        let done = JobResult {
            key,
            result: result.clone(),
            sources: sources(source),
        };
        run.store(name, &done).unwrap();
        send(EventKind::StudentFinished {
            result: Box::new(StudentResult {
                id: student,
                problems: vec![result],
                ..StudentResult::default()
            }),
        });
    }
    send(EventKind::RunFinished { interrupted: false });
}

/// Where the grader is started, for paths from there.
pub(crate) fn here() -> PathBuf {
    Path::new(".").canonicalize().unwrap()
}
