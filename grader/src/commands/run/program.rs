//! The program of the command: where it is, and why it could not be executed.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io::{self, Read as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use grader_model::escaped;
use grader_sandbox::{Place, Runner, Seen};

use super::{PATH, SYSTEM, shown};
use crate::exit::Mistake;

/// `ENOEXEC`, which is 8 everywhere.
const NO_EXECUTABLE: i32 = 8;

/// Why the command's program could not be executed, which is at this path.
pub(super) fn not_executed(name: &OsStr, path: &Path, why: &io::Error) -> Mistake {
    let name = shown(name);
    let (en, zh) = match (why.kind(), interpreter(path)) {
        (io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied, Some(interpreter)) => (
            format!(
                "its first line names `{interpreter}`, which cannot be executed in the sandbox ({why})"
            ),
            format!("它的第一行指定了 `{interpreter}`，而沙箱中无法执行它（{why}）"),
        ),
        (io::ErrorKind::NotFound, None) => (
            format!("what loads it is not in the sandbox ({why})"),
            format!("沙箱中没有装载它的程序（{why}）"),
        ),
        _ if why.raw_os_error() == Some(NO_EXECUTABLE) => (
            "it is neither a binary for this machine nor a script that begins with `#!`".to_owned(),
            "它既不是这台机器的二进制程序，也不是以 `#!` 开头的脚本".to_owned(),
        ),
        _ => (why.to_string(), why.to_string()),
    };
    Mistake::new(
        format!("cannot execute `{name}`: {en}"),
        format!("无法执行 `{name}`：{zh}"),
    )
}

/// What the first line of a script says that it is for.
fn interpreter(path: &Path) -> Option<String> {
    const LONGEST: u64 = 256;
    let mut start = Vec::new();
    File::open(path)
        .ok()?
        .take(LONGEST)
        .read_to_end(&mut start)
        .ok()?;
    let line = start
        .strip_prefix(b"#!")?
        .split(|&byte| byte == b'\n')
        .next()?;
    // The carriage return of a line that ends as on Windows is part of the name: then it is what is wrong.
    let mut words = line
        .trim_ascii_start()
        .split(|&byte| byte == b' ' || byte == b'\t');
    words.next().map(escaped)
}

/// Where the command's program is.
pub(super) enum Program {
    /// In a folder of the system, at the same place inside.
    System(PathBuf),
    /// Elsewhere: it is shown by itself.
    Own(PathBuf),
}

impl Program {
    pub(super) fn find(name: &OsStr) -> Result<Self, Mistake> {
        if name.as_bytes().contains(&b'/') {
            return Self::at(
                name,
                &std::path::absolute(name).unwrap_or_else(|_| name.into()),
            );
        }
        let mut known = PATH.split(':').map(|folder| Path::new(folder).join(name));
        if let Some(path) = known.find(|path| is_executable(path)) {
            return Self::at(name, &path);
        }
        let name = shown(name);
        Err(Mistake::new(
            format!(
                "there is no program `{name}` in {PATH}; a program elsewhere is named by its path, such as \
                 `./{name}`"
            ),
            format!("{PATH} 中没有程序 `{name}`；别处的程序请写路径，例如 `./{name}`"),
        ))
    }

    /// The program at this absolute path, which was called by this name.
    fn at(name: &OsStr, path: &Path) -> Result<Self, Mistake> {
        let real = fs::canonicalize(path).map_err(|why| {
            let name = shown(name);
            Mistake::new(
                format!("cannot run `{name}`: {why}"),
                format!("无法运行 `{name}`：{why}"),
            )
        })?;
        if !is_executable(&real) {
            let name = shown(name);
            return Err(Mistake::new(
                format!("`{name}` is not an executable file"),
                format!("`{name}` 不是可执行文件"),
            ));
        }
        let of_system = |path: &Path| SYSTEM.iter().any(|system| path.starts_with(system));
        if !of_system(&real) {
            return Ok(Self::Own(real));
        }
        // By the name it was called by, which may mean something to it (busybox); but a link by way of /etc, as
        // alternatives are, leads nowhere inside.
        let leads_out = fs::read_link(path).is_ok_and(|to| to.is_absolute() && !of_system(&to));
        Ok(Self::System(if of_system(path) && !leads_out {
            path.to_owned()
        } else {
            real
        }))
    }

    pub(super) fn inside(&self, runner: &dyn Runner) -> PathBuf {
        match self {
            Self::System(path) => path.clone(),
            Self::Own(path) => runner.inside(Place::Program, path),
        }
    }

    pub(super) fn path(&self) -> &Path {
        match self {
            Self::System(path) | Self::Own(path) => path,
        }
    }

    /// In a sandbox the command is another user: what only its owner may read is copied to here.
    pub(super) fn open_to_others(
        &mut self,
        runner: &dyn Runner,
        copy: &Path,
    ) -> anyhow::Result<()> {
        const OPEN: u32 = 0o005;
        let Self::Own(path) = self else {
            return Ok(());
        };
        if runner.inside(Place::Program, path) == *path {
            return Ok(());
        }
        let mode = fs::metadata(&*path).map(|meta| meta.permissions().mode());
        if mode.is_ok_and(|mode| mode & OPEN == OPEN) {
            return Ok(());
        }
        let copied = fs::copy(&*path, copy)
            .and_then(|_| fs::set_permissions(copy, Permissions::from_mode(0o755)));
        copied.map_err(|error| {
            let path = shown(path.as_os_str());
            Mistake::new(
                format!("cannot read `{path}`: {error}"),
                format!("无法读取 `{path}`：{error}"),
            )
        })?;
        copy.clone_into(path);
        Ok(())
    }

    pub(super) fn readable(&self, runner: &dyn Runner) -> Vec<Seen> {
        match self {
            Self::System(_) => Vec::new(),
            Self::Own(path) => vec![runner.seen(Place::Program, path)],
        }
    }
}

fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| it.is_file() && it.permissions().mode() & 0o111 != 0)
}
