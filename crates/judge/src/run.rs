//! Running a program once on a case.

use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use grader_model::{Breach, Judgement, Limits, Outcome, SourceFile};
use grader_problem::{Case, ReportFormat, RunRule};
use grader_sandbox::Returns;

use crate::Fault;
use crate::constants::{MAX_REPORT_BYTES, MAX_STDERR_BYTES, PAGE_BYTES};
use crate::context::CoreTurn;
use crate::decide::contention::Contention;
use crate::decide::junit::Report;
use crate::decide::run::Run;
use crate::interact::handshake::PipeEnd;
use crate::judge::LargeAnswer;
use crate::lab::Lab;
use crate::program::Program;
use crate::workspace::{read_start, write};

/// A run, with the permission to keep its answer in memory if that is large.
pub(crate) struct Held<'a> {
    pub(crate) run: Run,
    /// The interactor's judgement, if there is one. It is an error only if the program ended first, which an interactor
    /// may not expect.
    pub(crate) judged: Option<Result<Judgement, Fault>>,
    /// Its harness's report, if there is a complete one.
    pub(crate) report: Option<Report>,
    pub(crate) large: LargeAnswer<'a>,
}

/// Runs a program once in a fresh folder, which is removed afterwards. It reads the case's input or, with pipes, the
/// interactor's output.
pub(crate) fn run<'a>(
    lab: Lab<'a>,
    program: &Program,
    rule: &RunRule,
    case: &Case,
    limits: Limits,
    pipes: Option<&PipeEnd<'_>>,
) -> Result<Held<'a>, Fault> {
    let workspace = lab.judge.run_folder()?;
    let folder = &workspace.directory.host;
    let report = rule
        .report
        .map(|_| OutputFile::new(folder, ReportFormat::FILE));
    let report = report.transpose()?;
    let stdout = OutputFile::new(workspace.path(), "stdout")?;
    let stderr = OutputFile::new(workspace.path(), "stderr")?;
    let directory = workspace.directory.clone();
    let mut request = program.clone().request(lab, &workspace, directory, limits);
    request
        .arguments
        .extend(case.arguments.iter().map(OsString::from));
    request.returns = match &rule.output_file {
        None if report.is_some() => Returns::Kept(ReportFormat::FILE.to_owned()),
        None => Returns::Names,
        Some(name) => Returns::File(name.clone()),
    };
    if report.is_some() {
        request.files.0 = request.files.0.max(MAX_REPORT_BYTES);
    }
    // Room for its answer, its input, its data, and temporary files.
    let data = write_files(folder, program, rule, case)?;
    request.scratch.0 += request.files.0 + (case.input.len() + data) as u64;
    match (pipes, &rule.input_file) {
        (Some(pipes), _) => {
            request.stdin = Some(pipes.stdin.clone());
            request.stdout.clone_from(&pipes.stdout);
        }
        (None, Some(name)) => write(&folder.join(name), &case.input)?,
        (None, None) => request.stdin = Some(workspace.stdin(&case.input)?),
    }
    let turn = CoreTurn::new(lab, pipes);
    let mut outcome = turn.execute(&request)?;
    let (answer, large) = answer(lab, rule, folder, &stdout, limits, &mut outcome)?;
    let left = match &answer {
        Some(answer) if rule.output_file.is_some() || !answer.is_empty() => Vec::new(),
        _ => left_in(folder, program, rule, case),
    };
    let waited = turn.waited();
    Ok(Held {
        run: Run {
            began: turn.began()?,
            contention: Contention::of(&outcome, waited),
            waited,
            outcome,
            answer,
            stderr: stderr.start(MAX_STDERR_BYTES)?,
            left,
            has_second_report: match &report {
                Some(report) => report.is_replaced()?,
                None => false,
            },
            rejected: false,
        },
        judged: None,
        report: match &report {
            Some(report) => Report::parse(&report.start(MAX_REPORT_BYTES)?),
            None => None,
        },
        large,
    })
}

/// Writes the files of the problem, of the case, and of the program that lie where it runs. Returns the room that they take.
fn write_files(
    folder: &Path,
    program: &Program,
    rule: &RunRule,
    case: &Case,
) -> Result<usize, Fault> {
    let own = program.data.iter();
    let own = own.filter(|it| !rule.has_file(case, &it.path));
    let mut room = 0;
    for file in rule.files.iter().chain(&case.files).chain(own) {
        write(&folder.join(&file.path), &file.bytes)?;
        room += file.bytes.len().next_multiple_of(PAGE_BYTES);
    }
    Ok(room)
}

/// The answer of a run: standard output, or the output file; `None` if that is missing. Notes if the output file is too large.
fn answer<'a>(
    lab: Lab<'a>,
    rule: &RunRule,
    folder: &Path,
    stdout: &OutputFile,
    limits: Limits,
    outcome: &mut Outcome,
) -> Result<(Option<Vec<u8>>, LargeAnswer<'a>), Fault> {
    let file = rule.output_file.as_ref().map(|name| folder.join(name));
    let size = match &file {
        None => outcome.stdout.0,
        Some(path) => fs::symlink_metadata(path).map_or(0, |meta| meta.len()),
    };
    if file.is_some() && size > limits.output.0 {
        outcome.breach = outcome.breach.or(Some(Breach::Output));
    }
    // A run over a limit is not judged by its answer: the beginning is enough to show.
    let max = match outcome.breach {
        Some(_) => MAX_STDERR_BYTES,
        None => limits.output.0,
    };
    // An exclusive run must not wait for a job with a large answer, whose checker may be waiting for a core.
    let large = match lab.alone {
        Some(_) => None,
        None => lab.judge.large_answer(size.min(max)),
    };
    let answer = match &file {
        None => Some(stdout.start(max)?),
        Some(path) => output_file(path, max)?,
    };
    Ok((answer, large))
}

/// An output file that we opened before the run: the program can replace its path, but not the file that we read.
struct OutputFile {
    path: PathBuf,
    file: fs::File,
}

impl OutputFile {
    fn new(folder: &Path, name: &str) -> Result<Self, Fault> {
        let path = folder.join(name);
        let file = fs::File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(&path)
            .map_err(Fault::file("create", &path))?;
        Ok(Self { path, file })
    }

    /// Whether its path leads to another file.
    fn is_replaced(&self) -> Result<bool, Fault> {
        let ours = self
            .file
            .metadata()
            .map_err(Fault::file("read", &self.path))?;
        Ok(fs::symlink_metadata(&self.path).is_ok_and(|found| found.ino() != ours.ino()))
    }

    /// The first `max` bytes.
    fn start(&self, max: u64) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))
            .and_then(|_| file.take(max).read_to_end(&mut bytes))
            .map_err(Fault::file("read", &self.path))?;
        Ok(bytes)
    }
}

/// Reads a program's output file. `None` if there is none, or the program made it unreadable.
///
/// Only a regular file counts: a link or a pipe could make us read another file, or block.
pub(crate) fn output_file(path: &Path, max: u64) -> Result<Option<Vec<u8>>, Fault> {
    if !fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
        return Ok(None);
    }
    match read_start(path, max) {
        Err(Fault::File { source, .. }) if source.kind() == ErrorKind::PermissionDenied => Ok(None),
        read => read.map(Some),
    }
}

/// The names of the first few files that a program left in its folder.
fn left_in(folder: &Path, program: &Program, rule: &RunRule, case: &Case) -> Vec<String> {
    let mut left: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            let name = grader_model::escaped(entry.file_name().as_encoded_bytes());
            // Skip our own files, and entries that have the output file's name but are not files.
            let data = rule.files.iter().chain(&case.files);
            let mut data = data.chain(&*program.data);
            let top = |file: &SourceFile| file.path.split('/').next() == Some(&*name);
            let is_input = Some(&name) == rule.input_file.as_ref() || data.any(top);
            let is_output = Some(&name) == rule.output_file.as_ref();
            (!is_input && (is_file || !is_output)).then_some(name)
        })
        .take(100)
        .collect();
    left.sort();
    left.truncate(8);
    left
}
