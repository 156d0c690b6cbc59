//! Running one case.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use grader_language::Command;
use grader_model::{Breach, Bytes, Excerpt, Limits, Outcome};
use grader_problem::{Case, Problem, RunRule, Subtask};
use grader_sandbox::{BindMount, MountPoint, Request, Returns, System};

use crate::Fault;
use crate::contention::Contention;
use crate::judge::{Executed, LargeAnswer, Worker};
use crate::run_lock::Exclusive;
use crate::seat::Seat;
use crate::workspace::{Workspace, read_start, write};

/// Room for files that a program writes besides its answer.
const ROOM: Bytes = Bytes(16 << 20);
/// So much of standard error is read.
const MAX_STDERR_BYTES: u64 = 64 * 1024;
/// So much of standard error is shown.
pub(crate) const MAX_STDERR_SHOWN: usize = 2 * 1024;

/// A program that can be run.
pub(crate) struct Program {
    pub(crate) command: Command,
    /// Files and folders it may read.
    pub(crate) readable: Vec<BindMount>,
    pub(crate) system: System,
    /// Whether it reserves far more address space than it uses.
    pub(crate) reserves_memory: bool,
}

/// A case, with where it belongs.
#[derive(Clone, Copy)]
pub(crate) struct CaseRef<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) subtask: &'a Subtask,
    pub(crate) case: &'a Case,
}

/// What a run left behind.
#[derive(Debug)]
pub(crate) struct Ran<'a> {
    /// The clock just before the program was started.
    pub(crate) began: SystemTime,
    pub(crate) outcome: Outcome,
    /// Whether it was kept from the processor until its wall time ran out.
    pub(crate) contention: Option<Contention>,
    /// The time in which some process waited for a processor, if the kernel counts it.
    pub(crate) waited: Option<Duration>,
    /// The answer: standard output, or the output file; `None` if the output file is missing.
    pub(crate) answer: Option<Vec<u8>>,
    /// The beginning of standard error.
    pub(crate) stderr: Vec<u8>,
    /// Files that the program left in its folder, if there is no answer. The output file is among them if it cannot be
    /// read.
    pub(crate) left: Vec<String>,
    /// Held while a large answer is in memory.
    pub(crate) _large: LargeAnswer<'a>,
}

/// What a program or a compiler wrote, as it is shown: how it begins.
pub(crate) fn shown(written: &[u8], max_bytes: usize) -> Option<Excerpt> {
    let excerpt = Excerpt::block(written, max_bytes);
    (!excerpt.is_empty()).then_some(excerpt)
}

/// The environment of every program: nothing of ours, a search path, and a locale in which every
/// language reads and writes UTF-8.
pub(crate) fn environment(more: &[(OsString, OsString)]) -> Vec<(OsString, OsString)> {
    let ours = [
        ("PATH", "/usr/local/bin:/usr/bin:/bin"),
        ("LC_ALL", "C.UTF-8"),
        ("LANG", "C.UTF-8"),
    ];
    let ours = ours.map(|(name, value)| (name.into(), value.into()));
    let mut all = BTreeMap::from(ours);
    all.extend(more.iter().cloned());
    all.into_iter().collect()
}

/// Runs a program once on a case's input, in a fresh folder that is gone afterwards; with a seat, on what the interactor
/// writes instead.
pub(crate) fn run<'a>(
    worker: Worker<'a>,
    exclusive: Option<&Exclusive<'_>>,
    program: &Program,
    rule: &RunRule,
    case: &Case,
    limits: Limits,
    seat: Option<&Seat<'_>>,
) -> Result<Ran<'a>, Fault> {
    let judge = worker.judge;
    let workspace = Workspace::new(judge.folder(), "run-")?;
    let folder = workspace.folder("box")?;
    let stdin = match (seat, &rule.input_file) {
        (Some(seat), _) => Some(seat.stdin.clone()),
        (None, Some(name)) => {
            write(&folder.join(name), &case.input)?;
            None
        }
        (None, None) => Some(workspace.file("stdin", &case.input)?),
    };
    let stdout = OutputFile::new(&workspace, "stdout")?;
    let stderr = OutputFile::new(&workspace, "stderr")?;
    let mut arguments = program.command.arguments.clone();
    arguments.extend(case.arguments.iter().map(OsString::from));
    let request = Request {
        program: program.command.program.clone(),
        arguments,
        environment: environment(&program.command.environment),
        directory: judge.runner().mount(MountPoint::Work, &folder),
        returns: match &rule.output_file {
            None => Returns::Names,
            Some(name) => Returns::File(name.clone()),
        },
        readable: program.readable.clone(),
        system: program.system,
        // Its own answer, what was put there, and something to work with.
        scratch: Bytes(limits.output.0 + case.input.len() as u64 + ROOM.0),
        reserves_memory: program.reserves_memory,
        stdin,
        stdout: seat.map_or(&stdout.path, |seat| &seat.stdout).clone(),
        stderr: stderr.path.clone(),
        files: limits.output,
        limits,
        core: worker.core(),
    };
    let Executed {
        began,
        mut outcome,
        waited,
    } = worker.execute(exclusive, &request, seat)?;
    let file = rule.output_file.as_ref().map(|name| folder.join(name));
    let size = match &file {
        None => outcome.stdout.0,
        Some(path) => fs::symlink_metadata(path).map_or(0, |meta| meta.len()),
    };
    if file.is_some() && size > limits.output.0 {
        outcome.breach = outcome.breach.or(Some(Breach::Output));
    }
    // What went over a limit is not judged by its answer: the beginning is enough to show.
    let max = match outcome.breach {
        Some(_) => MAX_STDERR_BYTES,
        None => limits.output.0,
    };
    let large = judge.large_answer(size.min(max));
    let answer = match &file {
        None => Some(stdout.start(max)?),
        Some(path) => output_file(path, max)?,
    };
    let left = match &answer {
        Some(answer) if file.is_some() || !answer.is_empty() => Vec::new(),
        _ => left_in(&folder, rule),
    };
    Ok(Ran {
        began,
        contention: Contention::of(&outcome, waited),
        waited,
        outcome,
        answer,
        stderr: stderr.start(MAX_STDERR_BYTES)?,
        left,
        _large: large,
    })
}

/// An output of ours, held open from before the run: the program may remove or replace it by its path, but not
/// what we read.
struct OutputFile {
    path: PathBuf,
    file: fs::File,
}

impl OutputFile {
    fn new(workspace: &Workspace, name: &str) -> Result<Self, Fault> {
        let path = workspace.path().join(name);
        let file = fs::File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)
            .map_err(Fault::file("create", &path))?;
        Ok(Self { path, file })
    }

    /// At most so much of its beginning.
    fn start(&self, max: u64) -> Result<Vec<u8>, Fault> {
        let mut bytes = Vec::new();
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))
            .and_then(|_| file.take(max).read_to_end(&mut bytes))
            .map_err(Fault::file("read", &self.path))?;
        Ok(bytes)
    }
}

/// Reads the file that a program was to write. `None` if it is not there, or the program took our right to read it away.
///
/// Only a regular file counts: a link or a pipe is a way to make us read something else, or for ever.
fn output_file(path: &Path, max: u64) -> Result<Option<Vec<u8>>, Fault> {
    if !fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
        return Ok(None);
    }
    match read_start(path, max) {
        Err(Fault::File { source, .. }) if source.kind() == ErrorKind::PermissionDenied => Ok(None),
        read => read.map(Some),
    }
}

/// The names of the files that a program left in its folder: the first few.
fn left_in(folder: &Path, rule: &RunRule) -> Vec<String> {
    let mut left: Vec<String> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .take(100)
        .filter_map(|entry| {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            let name = grader_model::escaped(entry.file_name().as_encoded_bytes());
            // Our own input file explains nothing; what has the name of the output file and is none explains less.
            let is_input = Some(&name) == rule.input_file.as_ref();
            let is_output = Some(&name) == rule.output_file.as_ref();
            (!is_input && (is_file || !is_output)).then_some(name)
        })
        .collect();
    left.sort();
    left.truncate(8);
    left
}
