//! Running a program once on a case.

use std::ffi::OsString;
use std::fs;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use grader_model::{Breach, Judgement, Limits, SourceFile};
use grader_problem::{Case, ReportFormat, RunRule};
use grader_sandbox::{Request, Returns};

use crate::Fault;
use crate::check::{Answered, CheckedCase};
use crate::constants::{MAX_REPORT_BYTES, MAX_STDERR_BYTES, PAGE_BYTES};
use crate::decide::junit::Report;
use crate::decide::run::Run;
use crate::interact;
use crate::judge::LargeAnswer;
use crate::lab::Lab;
use crate::program::Program;
use crate::workspace::{RunFolder, output_file, write};

/// A run, with the permission to keep its answer in memory if that is large.
pub(crate) struct Execution<'a> {
    pub(crate) run: Run,
    /// The interactor's judgement, if there is one. It is an error only if the program ended first, which an interactor
    /// may not expect.
    pub(crate) judged: Option<Result<Judgement, Fault>>,
    pub(crate) large: LargeAnswer<'a>,
}

/// Runs a program once in a fresh folder, which is removed afterwards. It reads the case's input or, if an interactor judges it,
/// what that says.
pub(crate) fn run<'a>(
    lab: Lab<'a>,
    program: &Program,
    rule: &RunRule,
    case: &Case,
    limits: Limits,
    interactor: Option<CheckedCase<'_>>,
) -> Result<Execution<'a>, Fault> {
    let workspace = lab.judge.run_folder()?;
    let folder = &workspace.directory.host;
    let report = rule.report.map(|_| ReportFormat::FILE);
    let report = report.map(|name| OutputFile::new(folder, name));
    let report = report.transpose()?;
    let stdout = OutputFile::new(workspace.path(), "stdout")?;
    let stderr = OutputFile::new(workspace.path(), "stderr")?;
    let mut request = request(lab, &workspace, program, rule, case, limits)?;
    let (mut run, answered) = if let Some(case) = interactor {
        let (run, answered) = interact::run(lab, case, request, None)?;
        (run, Some(answered))
    } else {
        match &rule.input_file {
            Some(name) => write(&folder.join(name), &case.input)?,
            None => request.stdin = Some(workspace.stdin(&case.input)?),
        }
        (lab.execute(&request, None)?, None)
    };
    let large = read_answer(lab, rule, folder, &stdout, limits, &mut run)?;
    run.stderr = stderr.start(MAX_STDERR_BYTES)?;
    if run.answer.is_none() || rule.output_file.is_none() && run.is_silent() {
        run.left = left_in(folder, program, rule, case);
    }
    if let Some(file) = report {
        run.report = Report::parse(&file.start(MAX_REPORT_BYTES)?);
        run.has_second_report = file.is_replaced()?;
    }
    let judged = answered.map(|Answered { judged, report, .. }| {
        if judged.is_ok() {
            run.report = report;
        }
        judged
    });
    Ok(Execution { run, judged, large })
}

/// The request to run a program on a case, whose files are written; without the input.
pub(crate) fn request(
    lab: Lab<'_>,
    workspace: &RunFolder<'_>,
    program: &Program,
    rule: &RunRule,
    case: &Case,
    limits: Limits,
) -> Result<Request, Fault> {
    let directory = workspace.directory.clone();
    let mut request = program.clone().request(lab, workspace, directory, limits);
    let arguments = case.arguments.iter().map(OsString::from);
    request.arguments.extend(arguments);
    request.returns = match &rule.output_file {
        None if rule.report.is_some() => Returns::Kept(ReportFormat::FILE.to_owned()),
        None => Returns::Names,
        Some(name) => Returns::File(name.clone()),
    };
    if rule.report.is_some() {
        request.files.0 = request.files.0.max(MAX_REPORT_BYTES);
    }
    // Room for its answer, its input, its data, and temporary files.
    let data = write_files(&workspace.directory.host, program, rule, case)?;
    request.scratch.0 += request.files.0 + (case.input.len() + data) as u64;
    Ok(request)
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
    // Of submitted outputs, its own is enough.
    let own = own.filter(|it| case.output.as_ref().is_none_or(|name| *name == it.path));
    let mut room = 0;
    for file in rule.files.iter().chain(&case.files).chain(own) {
        write(&folder.join(&file.path), &file.bytes)?;
        room += file.bytes.len().next_multiple_of(PAGE_BYTES);
    }
    Ok(room)
}

/// Reads the answer of a run: standard output, or the output file, if that is not missing. Notes if the output file is too large.
fn read_answer<'a>(
    lab: Lab<'a>,
    rule: &RunRule,
    folder: &Path,
    stdout: &OutputFile,
    limits: Limits,
    run: &mut Run,
) -> Result<LargeAnswer<'a>, Fault> {
    let file = rule.output_file.as_ref().map(|name| folder.join(name));
    let size = match &file {
        None => run.outcome.stdout.0,
        Some(path) => fs::symlink_metadata(path).map_or(0, |meta| meta.len()),
    };
    let breach = &mut run.outcome.breach;
    if file.is_some() && size > limits.output.0 {
        breach.get_or_insert(Breach::Output);
    }
    // A run over a limit is not judged by its answer: the beginning is enough to show.
    let max = match breach {
        Some(_) => MAX_STDERR_BYTES,
        None => limits.output.0,
    };
    // An exclusive run must not wait for a job with a large answer, whose checker may be waiting for a core.
    let large = match lab.alone {
        Some(_) => None,
        None => lab.judge.large_answer(size.min(max)),
    };
    run.answer = match &file {
        None => Some(stdout.start(max)?),
        Some(path) => output_file(path, max)?,
    };
    Ok(large)
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
