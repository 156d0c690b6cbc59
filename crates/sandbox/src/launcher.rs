//! The process between the grader and the program.

mod child;
#[cfg(target_os = "linux")]
mod group;
mod tree;
#[cfg(target_os = "linux")]
mod user;
#[cfg(target_os = "linux")]
mod walls;
mod watch;

use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::Path;
use std::process::ExitCode;

use tempfile::TempDir;

use crate::protocol::{Answer, Order};
use crate::system;

#[cfg(target_os = "linux")]
pub(crate) use group::Found as FoundGroups;
#[cfg(target_os = "linux")]
pub(crate) use user::{RunUser, can_be_another};
/// What counts and bounds all processes of a run together, where there is such a thing.
#[cfg(target_os = "linux")]
type RunCgroup = crate::cgroup::Group;
#[cfg(not(target_os = "linux"))]
type RunCgroup = std::convert::Infallible;

/// A step of the launcher that failed.
#[derive(Debug)]
pub(crate) struct Failed {
    /// The step, to be read after "cannot".
    pub(crate) step: String,
    pub(crate) source: io::Error,
}

/// Names the step at which a result failed.
trait Step<T> {
    fn step(self, step: impl Into<String>) -> Result<T, Failed>;
}

impl<T> Step<T> for io::Result<T> {
    fn step(self, step: impl Into<String>) -> Result<T, Failed> {
        self.map_err(|source| Failed {
            step: step.into(),
            source,
        })
    }
}

/// How a launcher ends without having run the program to its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The sandbox failed.
    Failed(Failed),
    /// The program could not be executed.
    Execute(io::Error),
    /// The grader is gone: nobody waits for an answer.
    Abandoned,
}

impl From<Failed> for Stop {
    fn from(failed: Failed) -> Self {
        Self::Failed(failed)
    }
}

/// Is the launcher: serves one request from standard input and answers on standard output.
///
/// The hidden subcommand of the grader calls this first of all, before it starts a thread or installs a
/// handler; it is of no use on a terminal. The exit status is zero when an answer was given, whatever it
/// says.
pub fn launcher_main() -> ExitCode {
    let last = std::env::args_os().next_back();
    let served = match last.as_ref().and_then(|word| word.to_str()) {
        #[cfg(target_os = "linux")]
        Some(crate::strict::STRICT) => crate::strict::serve(),
        _ => serve(),
    };
    match served {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // With standard error gone too there is nobody left to tell.
            drop(writeln!(io::stderr(), "{error}"));
            ExitCode::FAILURE
        }
    }
}

fn serve() -> io::Result<()> {
    let mut line = Vec::new();
    BufReader::new(io::stdin()).read_until(b'\n', &mut line)?;
    let order: Order = serde_json::from_slice(&line)?;
    let answer = match run(&order) {
        Ok(answer) => answer,
        Err(Stop::Failed(Failed { step, source })) => match source.raw_os_error() {
            Some(errno) => Answer::Setup { step, errno },
            None => return Err(io::Error::other(format!("cannot {step}: {source}"))),
        },
        Err(Stop::Execute(source)) => Answer::Execute {
            errno: source.raw_os_error().unwrap_or(libc::EIO),
        },
        Err(Stop::Abandoned) => return Err(io::Error::other("the grader is gone")),
    };
    let mut answer = serde_json::to_vec(&answer)?;
    answer.push(b'\n');
    io::stdout().write_all(&answer)?;
    io::stdout().flush()
}

fn run(order: &Order) -> Result<Answer, Stop> {
    system::block_signals().step("block signals")?;
    system::become_guardian().step("become the parent of orphans")?;
    let files = Files::open(order)?;
    // `/tmp` is everybody's. It lies beside the run's folder, and goes with what is around it if not by us.
    let temporary = match &order.closed {
        Some(_) => Some(temporary(Path::new(&order.directory))?),
        None => None,
    };
    let temporary = temporary.as_ref().map(TempDir::path);
    #[cfg(target_os = "linux")]
    let group = group::of_run(order)?;
    #[cfg(target_os = "linux")]
    let cgroup = group.as_ref();
    #[cfg(not(target_os = "linux"))]
    let cgroup = None;
    let prepared = child::Prepared::new(order, &files, temporary, cgroup)?;
    let outcome =
        watch::Watch::new(order.limits, &files, cgroup)?.run(|| prepared.start(&files))?;
    Ok(Answer::Done(outcome))
}

fn temporary(directory: &Path) -> Result<TempDir, Failed> {
    std::fs::metadata(directory).step("enter the run's folder")?;
    let beside = directory.parent().unwrap_or(directory);
    tempfile::Builder::new()
        .prefix("tmp-")
        .permissions(Permissions::from_mode(0o700))
        .tempdir_in(beside)
        .step("make a temporary folder")
}

/// The three files of a run.
pub(crate) struct Files {
    pub(crate) stdin: File,
    pub(crate) stdout: File,
    pub(crate) stderr: File,
}

impl Files {
    pub(crate) fn open(order: &Order) -> Result<Self, Failed> {
        let output = |path: &Path, what| {
            OpenOptions::new()
                // Appended, so that two descriptors on one file do not overwrite each other's output.
                .append(true)
                .create(true)
                .mode(0o600)
                .custom_flags(libc::O_NOFOLLOW)
                .open(path)
                .and_then(|file| file.set_len(0).map(|()| file))
                .step(format!("create {what} `{}`", shown(path)))
        };
        let stdin = match &order.stdin {
            Some(path) => {
                let path = Path::new(path);
                File::open(path).step(format!("open standard input `{}`", shown(path)))?
            }
            None => system::empty_file().step("make an empty standard input")?,
        };
        Ok(Self {
            stdin,
            stdout: output(Path::new(&order.stdout), "standard output")?,
            stderr: output(Path::new(&order.stderr), "standard error")?,
        })
    }
}

fn shown(path: &Path) -> String {
    use std::os::unix::ffi::OsStrExt;

    grader_model::escaped(path.as_os_str().as_bytes())
}
