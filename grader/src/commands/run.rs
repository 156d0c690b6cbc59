//! `grader run`.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io::{self, IsTerminal, Read as _, Seek as _, SeekFrom, Write};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Component, Path, PathBuf};
use std::time::Duration;

use anyhow::Context as _;
use grader_model::{Bytes, Excerpt, Limits, WallTime, escaped};
use grader_report::{RunDocument, RunVerdict, atomic_write, probe_write, run_document, run_json};
use grader_sandbox::{Core, Cores, Place, Request, Returns, SandboxError, Seen, System};

use crate::cli::{LimitArgs, RunArgs};
use crate::exit::{Exit, Mistake};
use crate::interrupt;
use crate::isolation::{self, Programs};
use crate::terminal::Terminal;

mod program;

use program::{Program, not_executed};

/// Where a name without a slash is looked for; also the command's own search path.
const PATH: &str = "/usr/local/bin:/usr/bin:/bin";
/// Folders of the system, which every sandbox shows.
const SYSTEM: [&str; 5] = ["/usr", "/bin", "/sbin", "/lib", "/lib64"];
/// Places that are a sandbox's own.
const TAKEN: [&str; 7] = [
    "/tmp", "/box", "/build", "/program", "/proc", "/dev", "/sys",
];
/// So much of our standard input is passed on.
const STDIN_MOST: u64 = 1 << 30;
/// Room for files besides those that were put there.
const ROOM: u64 = 16 << 20;
/// With less memory no program starts.
const MEMORY_LEAST: Bytes = Bytes(1 << 20);

pub(crate) fn run(args: &RunArgs, terminal: &Terminal) -> anyhow::Result<Exit> {
    let limits = limits(&args.limits)?;
    let core = args.core.map(core).transpose()?;
    let files = args
        .files
        .iter()
        .map(Put::read)
        .collect::<Result<Vec<_>, _>>()?;
    let (name, arguments) = args.command.split_first().context("no command is given")?;
    let mut program = Program::find(name)?;
    let environment = environment(&args.environment)?;
    let shown_too = args
        .readable
        .iter()
        .map(|path| readable(path))
        .collect::<Result<Vec<_>, _>>()?;
    if let Some(path) = &args.report {
        probe_write(path).map_err(|error| Mistake(error.text()))?;
    }
    let runner = isolation::runner(&args.isolation, Programs::Others, terminal)?;

    let folder = tempfile::Builder::new()
        .prefix("grader-run-")
        .permissions(Permissions::from_mode(0o700))
        .tempdir()
        .context("cannot create a temporary folder")?;
    interrupt::end_at_once(folder.path())?;
    let bench = Bench::new(folder.path())?;
    for file in &files {
        file.put(&bench.folder)?;
    }
    program.open_to_others(runner.as_ref(), &bench.root.join("program"))?;
    let stdin = args.stdin.as_deref().map(|path| bench.stdin(path));
    let request = Request {
        program: program.inside(runner.as_ref()),
        arguments: arguments.to_vec(),
        environment,
        directory: runner.seen(Place::Work, &bench.folder),
        returns: Returns::Nothing,
        readable: program
            .readable(runner.as_ref())
            .into_iter()
            .chain(shown_too.into_iter().flatten())
            .collect(),
        system: System::Whole,
        room: Bytes(limits.output.0 + files.iter().map(|file| file.size).sum::<u64>() + ROOM),
        reserves_memory: false,
        stdin: stdin.transpose()?,
        stdout: bench.stdout.path.clone(),
        stderr: bench.stderr.path.clone(),
        files: limits.output,
        limits,
        core,
    };
    let outcome = match runner.run(&request) {
        Err(SandboxError::Execute { source, .. }) => {
            return Err(not_executed(name, program.path(), &source).into());
        }
        ran => ran?,
    };
    bench
        .stdout
        .pass_on(&mut terminal.pipe(), io::stdout().is_terminal())?;
    let ended = bench
        .stderr
        .pass_on(&mut terminal.stderr(), io::stderr().is_terminal())?;
    let document = run_document(&outcome, &limits, args.core, &runner.isolation());
    tell(&document, args.report.as_deref(), ended, terminal)?;
    Ok(if document.verdict == RunVerdict::Ok {
        Exit::Done
    } else {
        Exit::Unmet
    })
}

/// Writes the outcome. On standard error it is a line of its own, whatever came before (`ended`: a whole line).
fn tell(
    document: &RunDocument,
    report: Option<&Path>,
    ended: bool,
    terminal: &Terminal,
) -> anyhow::Result<()> {
    if let Some(path) = report {
        atomic_write(path, |out| run_json(document, false, out))?;
        return Ok(());
    }
    let mut err = terminal.stderr();
    if !ended {
        writeln!(err)?;
    }
    run_json(document, true, &mut err)?;
    Ok(())
}

fn limits(args: &LimitArgs) -> Result<Limits, Mistake> {
    let cpu = args.time.0;
    if cpu.is_zero() {
        return Err(Mistake::new(
            "`--time` must be more than nothing",
            "`--time` 必须大于零",
        ));
    }
    let usual = cpu.saturating_mul(2).saturating_add(Duration::from_secs(1));
    let wall = args
        .wall
        .unwrap_or(WallTime(usual.max(Duration::from_secs(3))));
    if wall.0 < cpu {
        return Err(Mistake::new(
            format!(
                "`--wall` must not be shorter than `--time`, {}, found {wall}",
                args.time
            ),
            format!("`--wall` 不得短于 `--time`（{}），实为 {wall}", args.time),
        ));
    }
    if args.memory < MEMORY_LEAST {
        let memory = args.memory;
        return Err(Mistake::new(
            format!("`--memory` must be at least {MEMORY_LEAST}, found {memory}"),
            format!("`--memory` 至少为 {MEMORY_LEAST}，实为 {memory}"),
        ));
    }
    Ok(Limits {
        cpu: args.time,
        wall,
        memory: args.memory,
        output: args.output_limit,
        processes: args.processes,
    })
}

/// The core of this number, if we may run there ourselves.
fn core(number: u32) -> Result<Core, Mistake> {
    let cores = Cores::here();
    if cores.order().is_empty() {
        return Err(Mistake::new(
            "`--core`: this system keeps no program on one core",
            "`--core`：这个系统不能把程序固定在一个核心上",
        ));
    }
    let core = Core(number);
    if cores.order().contains(&core) {
        return Ok(core);
    }
    Err(Mistake::new(
        format!("`--core {core}`: there is no such core to run on; expected one of {cores}"),
        format!("`--core {core}`：没有这个核心可用，应为 {cores} 之一"),
    ))
}

/// PATH and a locale, and then what is asked for, which goes before them.
fn environment(asked: &[OsString]) -> Result<Vec<(OsString, OsString)>, Mistake> {
    let usual = [("PATH", PATH), ("LC_ALL", "C.UTF-8"), ("LANG", "C.UTF-8")];
    let mut all: Vec<(OsString, OsString)> = usual
        .map(|(name, value)| (name.into(), value.into()))
        .into();
    for text in asked {
        let bytes = text.as_bytes();
        let at = bytes.iter().position(|&byte| byte == b'=');
        let Some(at) = at.filter(|&at| at > 0) else {
            let text = shown(text);
            return Err(Mistake::new(
                format!("`--env {text}`: expected NAME=VALUE"),
                format!("`--env {text}`：应为 NAME=VALUE"),
            ));
        };
        let part = |bytes| OsStr::from_bytes(bytes).to_owned();
        let (name, value) = (part(&bytes[..at]), part(&bytes[at + 1..]));
        all.retain(|(known, _)| *known != name);
        all.push((name, value));
    }
    Ok(all)
}

/// What is shown where it is; nothing more where every sandbox shows it. Other places of a sandbox are taken.
fn readable(path: &Path) -> Result<Option<Seen>, Mistake> {
    let wrong = |en: &str, zh: &str| {
        let path = shown(path.as_os_str());
        Mistake::new(
            format!("`--readable {path}`: {en}"),
            format!("`--readable {path}`：{zh}"),
        )
    };
    let real = fs::canonicalize(path).map_err(|error| {
        let error = error.to_string();
        wrong(&error, &error)
    })?;
    // Where it is, and not a name by which it was called: the folders above a link are not there inside.
    if SYSTEM.iter().any(|system| real.starts_with(system)) {
        return Ok(None);
    }
    if real == Path::new("/") || TAKEN.iter().any(|taken| real.starts_with(taken)) {
        let taken = TAKEN.join(", ");
        return Err(wrong(
            &format!(
                "the whole system is not shown, nor what is in {taken}; `--file` puts a copy into the folder"
            ),
            &format!("整个系统和 {taken} 中的内容都不能给它看；`--file` 可把文件复制到它的文件夹"),
        ));
    }
    Ok(Some(Seen::same(real)))
}

/// A file for the command's folder.
#[derive(Debug, PartialEq, Eq)]
struct Put {
    from: PathBuf,
    to: PathBuf,
    size: u64,
}

impl Put {
    fn read(text: &OsString) -> Result<Self, Mistake> {
        let (from, to) = halves(text).ok_or_else(|| {
            let text = shown(text);
            Mistake::new(
                format!("`--file {text}`: expected SRC=DST, where DST is a path inside the command's folder"),
                format!("`--file {text}`：应为 SRC=DST，DST 是命令所在文件夹内的路径"),
            )
        })?;
        let wrong = |en: &str, zh: &str| {
            let from = shown(from.as_os_str());
            Mistake::new(
                format!("`--file`: cannot read `{from}`: {en}"),
                format!("`--file`：无法读取 `{from}`：{zh}"),
            )
        };
        let meta = fs::metadata(from).map_err(|error| {
            let error = error.to_string();
            wrong(&error, &error)
        })?;
        if !meta.is_file() {
            return Err(wrong("it is not a regular file", "不是普通文件"));
        }
        Ok(Self {
            from: from.to_owned(),
            to: to.to_owned(),
            size: meta.len(),
        })
    }

    fn put(&self, folder: &Path) -> anyhow::Result<()> {
        let to = folder.join(&self.to);
        let put = || -> io::Result<()> {
            if let Some(parent) = to.parent() {
                fs::create_dir_all(parent)?;
            }
            fs::copy(&self.from, &to)?;
            Ok(())
        };
        put().map_err(|error| {
            let (from, to) = (shown(self.from.as_os_str()), shown(self.to.as_os_str()));
            Mistake::new(
                format!("`--file`: cannot put `{from}` at `{to}`: {error}"),
                format!("`--file`：无法把 `{from}` 放到 `{to}`：{error}"),
            )
            .into()
        })
    }
}

/// What stands before and after the last `=`; nothing where the second half leads out of a folder, or nowhere.
fn halves(text: &OsStr) -> Option<(&Path, &Path)> {
    let bytes = text.as_bytes();
    let at = bytes.iter().rposition(|&byte| byte == b'=')?;
    let part = |bytes| Path::new(OsStr::from_bytes(bytes));
    let (from, to) = (part(&bytes[..at]), part(&bytes[at + 1..]));
    let stays = to
        .components()
        .all(|component| matches!(component, Component::Normal(_)));
    let names = to.file_name().is_some() && !bytes.ends_with(b"/");
    (stays && names && at > 0).then_some((from, to))
}

/// What the run needs on the disk.
struct Bench<'a> {
    root: &'a Path,
    folder: PathBuf,
    stdout: Kept,
    stderr: Kept,
}

impl<'a> Bench<'a> {
    fn new(root: &'a Path) -> anyhow::Result<Self> {
        let folder = root.join("box");
        fs::create_dir(&folder).context("cannot create the command's folder")?;
        Ok(Self {
            root,
            folder,
            stdout: Kept::new(root.join("stdout"))?,
            stderr: Kept::new(root.join("stderr"))?,
        })
    }

    /// The file that becomes standard input. What is not a regular file (`-`, a pipe) is read to its end first.
    fn stdin(&self, path: &Path) -> anyhow::Result<PathBuf> {
        let cannot = |error: io::Error| {
            let path = shown(path.as_os_str());
            Mistake::new(
                format!("cannot read standard input from `{path}`: {error}"),
                format!("无法从 `{path}` 读取标准输入：{error}"),
            )
        };
        let mut from: Box<dyn io::Read> = if path == Path::new("-") {
            Box::new(io::stdin().lock())
        } else {
            let file = File::open(path).map_err(cannot)?;
            if file.metadata().map_err(cannot)?.is_file() {
                return Ok(fs::canonicalize(path).map_err(cannot)?);
            }
            Box::new(file)
        };
        let copy = self.root.join("stdin");
        let mut to = File::create_new(&copy).context("cannot keep the standard input")?;
        let size = io::copy(&mut from.by_ref().take(STDIN_MOST + 1), &mut to).map_err(cannot)?;
        if size > STDIN_MOST {
            let most = Bytes(STDIN_MOST);
            return Err(Mistake::new(
                format!("standard input is larger than {most}; name a file with `--stdin FILE`"),
                format!("标准输入超过 {most}；请用 `--stdin FILE` 指定文件"),
            )
            .into());
        }
        Ok(copy)
    }
}

/// An output, held open from before the run: whatever becomes of its name, this is what we read.
struct Kept {
    path: PathBuf,
    file: File,
}

impl Kept {
    fn new(path: PathBuf) -> anyhow::Result<Self> {
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&path)
            .with_context(|| format!("cannot create `{}`", path.display()))?;
        Ok(Self { path, file })
    }

    /// Writes what it holds: as it is, or escaped where a terminal would obey it. Whether its last line has an end.
    fn pass_on(&self, to: &mut dyn Write, escape: bool) -> anyhow::Result<bool> {
        let copied = if escape {
            self.pass_on_escaped(to)
        } else {
            self.pass_on_as_it_is(to)
        };
        copied.with_context(|| format!("cannot pass on `{}`", self.path.display()))
    }

    fn pass_on_escaped(&self, to: &mut dyn Write) -> io::Result<bool> {
        let mut bytes = Vec::new();
        let mut file = &self.file;
        file.rewind()?;
        file.read_to_end(&mut bytes)?;
        let text = Excerpt::block(&bytes, bytes.len()).text;
        if !text.is_empty() {
            writeln!(to, "{text}")?;
        }
        Ok(true)
    }

    fn pass_on_as_it_is(&self, to: &mut dyn Write) -> io::Result<bool> {
        let mut file = &self.file;
        file.rewind()?;
        if io::copy(&mut file, to)? == 0 {
            return Ok(true);
        }
        to.flush()?;
        let mut last = [0];
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
        Ok(last == *b"\n")
    }
}

fn shown(text: &OsStr) -> String {
    escaped(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Option<(&str, &str)> {
        let (from, to) = halves(OsStr::new(text))?;
        Some((from.to_str()?, to.to_str()?))
    }

    #[test]
    fn a_file_is_put_under_a_name_that_stays_in_the_folder() {
        assert_eq!(split("a.txt=b.txt"), Some(("a.txt", "b.txt")));
        assert_eq!(split("../a=data/in"), Some(("../a", "data/in")));
        assert_eq!(split("a=b=c"), Some(("a=b", "c")));
        for wrong in [
            "a.txt",
            "=b",
            "a=",
            "a=/etc/passwd",
            "a=../b",
            "a=b/../../c",
            "a=.",
            "a=b/",
            "a=..",
        ] {
            assert_eq!(split(wrong), None, "{wrong}");
        }
    }
}
