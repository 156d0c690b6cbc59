//! Folders made for one test, and results as text to compare whole.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Cursor, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::GzEncoder;
use grader_intake::{Class, ClassSource, IntakeError, Submission, Unreadable, read_class};
use grader_language::Languages;
use grader_lms::{Layout, Roster, Teams};
use grader_model::{
    AssignmentId, Bytes, CpuTime, FaultCause, LanguageId, Person, Points, ProblemId, Text,
    UnusedFile,
};
use grader_problem::{
    Assignment, Checks, Correction, Entry, LimitRule, Problem, RunRule, SourceRule, SubmissionKind,
    SubmissionRule, TimeFlags, TimeRule,
};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// The largest submission that is accepted in these tests.
pub(crate) const MOST: usize = 1000;

/// A folder with these files, each holding its own path.
pub(crate) fn folder(files: &[&str]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for path in files {
        write(folder.path().join(path), path.as_bytes());
    }
    folder
}

pub(crate) fn write(path: impl Into<PathBuf>, bytes: &[u8]) {
    let path = path.into();
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, bytes).unwrap();
}

fn problem(id: &str, languages: &[LanguageId]) -> Entry {
    let problem = Problem {
        shown: String::new(),
        id: ProblemId::new(id),
        title: Text::plain(id),
        languages: Languages::built_in(),
        submission: SubmissionRule {
            include: Vec::new(),
            files: vec![format!("{id}.*"), format!("*{id}*")],
            names: BTreeMap::new(),
            kind: SubmissionKind::Program,
            languages: languages.to_vec(),
            project: None,
            entry: None,
            required: Vec::new(),
            extra: Vec::new(),
            size: Bytes(MOST as u64),
        },
        source: SourceRule::default(),
        time_flags: TimeFlags::default(),
        checks: Checks::default(),
        run: RunRule {
            input_file: None,
            output_file: None,
            files: Vec::new(),
            report: None,
            passes: 1,
        },
        limits: LimitRule {
            time: TimeRule::Absolute(CpuTime::from_millis(1000)),
            wall: None,
            memory: Bytes(1 << 20),
            output: Bytes(1 << 20),
            processes: 1,
            compile_time: CpuTime::from_millis(1000),
            slack: LimitRule::SLACK,
            confirm: 3,
            languages: BTreeMap::new(),
        },
        reference: None,
        known_right: Vec::new(),
        subtasks: Vec::new(),
        unjudged: Vec::new(),
        own: None,
        folder: String::new(),
        version: String::new(),
    };
    Entry {
        hidden: Points::ZERO,
        problem: Arc::new(problem),
        points: Points::default(),
        bonus: false,
    }
}

/// `count` in any language, `board` in C and C++ only.
pub(crate) fn assignment() -> Assignment {
    Assignment {
        id: AssignmentId::new("queens"),
        title: Text::plain("queens"),
        problems: vec![
            problem("count", &LanguageId::ALL),
            problem("board", &[LanguageId::C, LanguageId::Cpp]),
        ],
        languages: Languages::built_in(),
        deadline: None,
    }
}

/// `count`, and two problems whose outputs are submitted.
pub(crate) fn with_outputs() -> Assignment {
    let mut assignment = one_problem();
    for (id, names) in [
        ("sums", &["1.out", "2.out", "3.out"][..]),
        ("more", &["2.out", "more.csv"]),
    ] {
        let mut entry = problem(id, &[LanguageId::Outputs]);
        let problem = Arc::make_mut(&mut entry.problem);
        problem.languages = Languages::built_in().with_files(LanguageId::Outputs);
        let rule = &mut problem.submission;
        rule.files = names.iter().map(|&it| it.to_owned()).collect();
        rule.kind = SubmissionKind::Outputs;
        assignment.problems.push(entry);
    }
    assignment
}

/// `count`, and a problem to which at most three tests are submitted.
pub(crate) fn with_tests() -> Assignment {
    let mut assignment = one_problem();
    let mut entry = problem("sums", &[LanguageId::Tests]);
    let problem = Arc::make_mut(&mut entry.problem);
    problem.languages = Languages::built_in().with_files(LanguageId::Tests);
    let rule = &mut problem.submission;
    rule.files = ["*.in", "*.ans", "*.out"].map(str::to_owned).into();
    rule.kind = SubmissionKind::Tests(3);
    assignment.problems.push(entry);
    assignment
}

/// `count` alone.
pub(crate) fn one_problem() -> Assignment {
    let mut assignment = assignment();
    assignment.problems.truncate(1);
    assignment
}

/// What each problem got: `count: a.c=count/a.c, b.h=count/b.h`.
pub(crate) fn submissions(submissions: &BTreeMap<ProblemId, Submission>) -> Vec<String> {
    let files = |submission: &Submission| {
        let sources = submission.sources().unwrap();
        let pairs = sources.iter().zip(&submission.shown);
        let pairs: Vec<String> = pairs
            .map(|(source, shown)| format!("{}={shown}", source.path))
            .collect();
        assert_eq!(pairs.len(), submission.shown.len());
        pairs.join(", ")
    };
    submissions
        .iter()
        .map(|(id, submission)| format!("{id}: {}", files(submission)))
        .collect()
}

/// What was not used: `count_old.c: "…"`, with `!` before what is notable.
pub(crate) fn unused(files: &[UnusedFile]) -> Vec<String> {
    let line = |file: &UnusedFile| {
        assert!(!file.reason.zh.is_empty());
        let mark = if file.notable { "!" } else { "" };
        format!("{mark}{}: {}", file.path, file.reason.en)
    };
    files.iter().map(line).collect()
}

/// The whole class as text.
pub(crate) fn shown(class: &Class) -> Vec<String> {
    let mut lines = Vec::new();
    for student in &class.students {
        lines.push(format!("[{}]", student.id));
        if let Some(Person { name, email, ids }) = &student.person {
            let ids = ids.iter().map(|(system, id)| format!("{system:?} {id}"));
            let known: Vec<String> = name.iter().chain(email).cloned().chain(ids).collect();
            lines.push(format!("is: {}", known.join(", ")));
        }
        lines.extend(student.team.iter().map(|it| format!("team: {it}")));
        for note in &student.notes {
            assert!(!note.zh.is_empty());
            lines.push(format!("note: {}", note.en));
        }
        for remark in &student.remarks {
            assert!(!remark.zh.is_empty());
            lines.push(format!("remark: {}", remark.en));
        }
        lines.extend(submissions(&student.submissions));
        for (problem, Unreadable { cause, reason, .. }) in &student.faults {
            assert!(!reason.zh.is_empty());
            let fault = match cause {
                FaultCause::Grader => "our fault",
                FaultCause::Unreadable => "fault",
                FaultCause::Unclear => "unclear",
            };
            lines.push(format!("{fault}: {problem}: {}", reason.en));
        }
        lines.extend(unused(&student.unused));
    }
    lines.extend(
        unused(&class.unused)
            .into_iter()
            .map(|line| format!("class: {line}")),
    );
    lines
}

/// How a class is read.
#[derive(Default)]
pub(crate) struct Reading {
    pub(crate) layout: Option<Layout>,
    pub(crate) roster: Option<Roster>,
    pub(crate) teams: Option<Teams>,
    pub(crate) corrections: Vec<Correction>,
    /// Its assignment; [`assignment`] if there is none.
    pub(crate) assignment: Option<Assignment>,
}

impl Reading {
    /// Reads a class; what comes out of archives lies in `scratch`.
    pub(crate) fn class(&self, folder: &Path, scratch: &Path) -> Result<Class, IntakeError> {
        let assignment = self.assignment.clone().unwrap_or_else(assignment);
        read_class(&ClassSource {
            folder,
            assignment: &assignment,
            layout: self.layout,
            roster: self.roster.as_ref(),
            teams: self.teams.as_ref(),
            student: None,
            corrections: &self.corrections,
            scratch,
        })
    }

    /// The class as text, after what it was recognised as.
    pub(crate) fn text(&self, folder: &Path) -> Vec<String> {
        let scratch = TempDir::new().unwrap();
        match self.class(folder, scratch.path()) {
            Ok(class) => {
                let layout = format!("layout: {}", class.layout.word());
                [vec![layout], shown(&class)].concat()
            }
            // Where it lies is not the same in each run.
            Err(error) => {
                let place = folder.display().to_string();
                vec![error.to_string().replace(&place, "CLASS")]
            }
        }
    }
}

/// The class in a folder, as text, without its layout.
pub(crate) fn read(folder: &Path) -> Vec<String> {
    let mut lines = Reading::default().text(folder);
    lines.remove(0);
    lines
}

/// A zip archive of these files, each holding its own name.
pub(crate) fn zip(files: &[&str]) -> Vec<u8> {
    let files: Vec<(&str, &[u8])> = files.iter().map(|name| (*name, name.as_bytes())).collect();
    zip_of(&files)
}

/// A zip archive of these files.
pub(crate) fn zip_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        archive
            .start_file(*name, SimpleFileOptions::default())
            .unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap().into_inner()
}

/// A tar archive of these files, each holding its own name.
pub(crate) fn tar(files: &[&str]) -> Vec<u8> {
    let mut archive = tar::Builder::new(Vec::new());
    for name in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(name.len() as u64);
        header.set_mode(0o644);
        archive
            .append_data(&mut header, name, name.as_bytes())
            .unwrap();
    }
    archive.into_inner().unwrap()
}

/// The same bytes, compressed by gzip.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
    compressed.write_all(bytes).unwrap();
    compressed.finish().unwrap()
}
