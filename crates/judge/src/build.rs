//! Building a submission.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, Metadata, Permissions};
use std::io;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;
use std::time::Duration;

use grader_language::{
    AuthorsError, BuildCommand, BuiltFiles, Command, Language, OwnMessages, Plan, ProgramSources,
    SourceText, Toolchain, compilers_with, missing_tool, unstartable,
};
use grader_model::{
    Breach, BuildReport, Bytes, CpuTime, End, ForStudent, LanguageId, Limits, Outcome, SourceFile,
    Text, WallTime,
};
use grader_sandbox::{BindMount, MountPoint, Returns, Runner, SystemFolders};

use crate::Fault;
use crate::author_cache::AuthorCache;
use crate::constants::{
    COMPILER_IDLE_FACTOR, COMPILER_MEMORY, COMPILER_PROCESSES, COMPILER_SCRATCH, MAX_COMPILER_FILE,
    MAX_COMPILER_OUTPUT, MAX_COMPILER_SEARCHED_BYTES, MAX_COMPILER_SHOWN_BYTES, MAX_SOURCE_NAMES,
};
use crate::included::remarks;
use crate::java_startup::{ARCHIVE, READ, SOURCE, WRITE};
use crate::judge::Worker;
use crate::kept_build::{keep, unpack};
use crate::keys::of_toolchain;
use crate::names::FileNames;
use crate::program::{Program, shown};
use crate::together::Together;
use crate::workspace::{Workspace, files_in, read_start, write};

/// A submission that is ready to run.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) language: Arc<Language>,
    pub(crate) toolchain: Toolchain,
    pub(crate) report: BuildReport,
    folder: BindMount,
    /// How it is built and run, with advice for every outcome.
    pub(crate) plan: Plan,
    /// File names, ours and the student's.
    pub(crate) names: FileNames,
    /// The files of the build folder right after the build.
    stamp: Stamp,
    /// Its runs in a search.
    pub(crate) together: Together,
    /// Keeps the build folder until the program has run.
    _workspace: Workspace,
}

/// Result of a build.
#[derive(Debug)]
pub(crate) enum Build {
    /// The program can be run.
    Done(Box<Built>),
    /// The student's source does not build.
    Failed {
        /// One sentence.
        message: Text,
        /// Advice.
        hints: Vec<Text>,
        /// The compiler's messages.
        report: BuildReport,
        /// The first error, if it is in what the author gave.
        authors: Option<Box<AuthorsError>>,
        /// Why the student may not be to blame.
        doubt: Option<Box<Text>>,
    },
}

impl Built {
    /// The program with this memory limit.
    pub(crate) fn program(&self, memory: Bytes) -> Program {
        let (language, folder) = (&self.language, &self.folder);
        let command = language.command(&self.plan, &self.toolchain, &folder.inside, memory);
        // An interpreter needs the whole system, a compiled program only the run-time libraries; an assignment's flags
        // may link others.
        let is_compiled = command.program.starts_with(&folder.inside);
        let system = if is_compiled && !language.is_custom {
            SystemFolders::Runtime
        } else {
            SystemFolders::Whole
        };
        let mut readable = vec![folder.clone()];
        readable.extend(self.toolchain.readable.iter().map(BindMount::same));
        Program {
            command,
            readable,
            system,
            data: Arc::clone(&self.plan.data),
            // The author's command may link sanitizers.
            reserves_memory: language.definition.reserves_memory
                || language.definition.build.is_some(),
        }
    }

    /// These limits, with what the language itself needs.
    pub(crate) fn allowed(&self, mut limits: Limits) -> Limits {
        limits.memory.0 += self.language.definition.memory.0;
        limits.processes += self.language.definition.threads;
        limits
    }

    /// Whether the program has changed its own files. It can only as root, and then must gain nothing by it.
    pub(crate) fn has_changed(&self) -> bool {
        stamp(&self.folder.host).ok().as_ref() != Some(&self.stamp)
    }

    /// Whether the build produced this program (a path inside the sandbox) and it still exists. If so, and it cannot be
    /// executed, the source is to blame.
    pub(crate) fn has(&self, program: &Path) -> bool {
        let name = program.strip_prefix(&self.folder.inside);
        name.is_ok_and(|name| self.folder.host.join(name).is_file())
    }
}

/// Builds sources in a fresh workspace, on this worker's core so that other workers' programs are not disturbed. `time`
/// is the problem's limit.
///
/// # Errors
/// [`Fault::Stopped`] as for [`Worker::compile`]; otherwise our own failure.
pub(crate) fn build(
    worker: Worker<'_>,
    language: &Arc<Language>,
    sources: &ProgramSources<'_>,
    time: CpuTime,
) -> Result<Build, Fault> {
    let toolchain = language.find()?;
    build_with(worker, language, toolchain, sources, time, |_| ())
}

/// The same with these flags of the toolchain, and with a changed plan.
pub(crate) fn build_with(
    worker: Worker<'_>,
    language: &Arc<Language>,
    toolchain: Toolchain,
    sources: &ProgramSources<'_>,
    time: CpuTime,
    change: impl FnOnce(&mut Plan),
) -> Result<Build, Fault> {
    let judge = worker.judge;
    check_visible(judge.runner(), &toolchain)?;
    let workspace = Workspace::new(judge.folder(), "job-")?;
    let folder = workspace.folder("build")?;
    let folder = judge.runner().mount(MountPoint::Build, &folder);
    let mut plan = language.plan(sources, &toolchain, &folder.inside);
    change(&mut plan);
    plan.hints.extend(remarks(language, sources));
    let mut report = BuildReport {
        toolchain: match language.definition.build {
            Some(_) => toolchain.version.clone(),
            None => [slice::from_ref(&toolchain.version), &toolchain.flags]
                .concat()
                .join(" "),
        },
        messages: None,
        for_student: None,
        cpu: CpuTime::default(),
    };
    let count = count_names(plan.files.iter().map(|(path, _)| &**path));
    if count > MAX_SOURCE_NAMES {
        return Ok(Build::Failed {
            message: too_many_names(count),
            hints: plan.hints,
            report,
            authors: None,
            doubt: None,
        });
    }
    // The compilers that a script or the author's command starts are in no key.
    let cache = judge.settings.author_cache.as_ref();
    let cache = cache.filter(|_| !language.has_unknown_tools());
    let kept = cache.map(|cache| (cache, key(cache, language, &plan, &folder.inside, time)));
    let found = kept.as_ref().and_then(|(cache, key)| cache.find(key));
    let known = found.and_then(|it| unpack(&it, &folder.host));
    for (path, bytes) in plan.files.iter().filter(|_| known.is_none()) {
        write(&folder.host.join(&**path), bytes)?;
    }
    let names = FileNames::new(&folder.inside, sources, &plan);
    let Compiled {
        messages,
        cpu,
        mut failure,
    } = match known {
        Some(_) => Compiled::default(),
        None => compile(
            worker, language, &toolchain, &plan, &workspace, &folder, time,
        )?,
    };
    report.cpu = cpu;
    let mut messages = names.without_folder(&messages);
    let own = language.own_messages(&messages, names.files());
    report_messages(&mut report, &messages, own.as_ref(), &names);
    let command = language.command(&plan, &toolchain, &folder.inside, COMPILER_MEMORY);
    if failure.is_none()
        && let Ok(program) = command.program.strip_prefix(&folder.inside)
        && !is_executable(&folder.host, program)
    {
        let text = no_program(language.definition.build.as_ref());
        messages = text.en.as_bytes().to_vec();
        failure = Some(text);
    }
    if let Some(message) = failure {
        // Do not trust the compiler's message about a full disk: a source can print the same.
        workspace.check_room()?;
        let authors = authors_error(language, &messages, sources, names.files()).map(Box::new);
        let doubt = plan.doubt.clone().map(Box::new);
        let hints = hints(language, plan, sources, messages, own);
        return Ok(Build::Failed {
            message,
            hints,
            report,
            authors,
            doubt,
        });
    }
    seal(&folder.host)?;
    if let Some(known) = known {
        report = known;
    } else if let Some((cache, key)) = kept {
        keep(cache, &key, &folder.host, &report);
    }
    Ok(Build::Done(Box::new(Built {
        stamp: stamp(&folder.host).map_err(Fault::file("read", &folder.host))?,
        together: Together::default(),
        _workspace: workspace,
        language: Arc::clone(language),
        toolchain,
        report,
        folder,
        plan,
        names,
    })))
}

/// What came of the steps of a plan.
#[derive(Default)]
struct Compiled {
    messages: Vec<u8>,
    cpu: CpuTime,
    /// Why they failed.
    failure: Option<Text>,
}

/// Runs the steps of a plan in the build folder.
fn compile(
    worker: Worker<'_>,
    language: &Arc<Language>,
    toolchain: &Toolchain,
    plan: &Plan,
    workspace: &Workspace,
    folder: &BindMount,
    time: CpuTime,
) -> Result<Compiled, Fault> {
    let has_own_build = language.definition.build.is_some();
    let mut done = Compiled::default();
    for step in &plan.steps {
        let mut compiler = compiler(worker, language, toolchain, step, time);
        if !plan.compiler_flags.is_empty() {
            add_flags(worker, workspace, &mut compiler, &plan.compiler_flags)?;
        }
        let mut request = compiler.request(worker, workspace, folder.clone(), limits(time));
        request.returns = Returns::Everything;
        (request.scratch, request.files) = (COMPILER_SCRATCH, MAX_COMPILER_FILE);
        let mut outcome = worker.compile(&request)?;
        done.cpu.0 += outcome.cpu.0;
        let messages = &mut done.messages;
        let stderr = read_start(&request.stderr, MAX_COMPILER_SEARCHED_BYTES)?;
        // `make` prints its commands.
        if !has_own_build || !outcome.end.is_success() && stderr.trim_ascii().is_empty() {
            messages.extend(read_start(&request.stdout, MAX_COMPILER_SEARCHED_BYTES)?);
        }
        messages.extend(stderr);
        check_compiler_ran(&outcome, time)?;
        if outcome.breach.is_none() && outcome.end.is_success() {
            continue;
        }
        // The signal may kill a child of the compiler (`as`, `ld`); gcc then reports its own error.
        let messages = String::from_utf8_lossy(messages);
        if outcome.breach.is_none() && messages.contains(FILE_TOO_LARGE) {
            outcome.breach = Some(Breach::Output);
        }
        check_installed(toolchain)?;
        let tool = if has_own_build { BUILD } else { COMPILER };
        match fault_of_own_build(&messages).filter(|_| has_own_build) {
            Some(fault) => return Err(fault),
            None => done.failure = Some(stopped(&outcome, time, tool)),
        }
        break;
    }
    Ok(done)
}

/// Adds the compiler's messages to a report: all of them, and those for the student.
fn report_messages(
    report: &mut BuildReport,
    messages: &[u8],
    own: Option<&OwnMessages>,
    names: &FileNames,
) {
    let shown = |messages: &[u8]| shown(&names.as_submitted(messages), MAX_COMPILER_SHOWN_BYTES);
    report.messages = shown(messages);
    report.for_student = own.map(|own| ForStudent {
        messages: shown(own.shown.as_bytes()),
    });
}

/// Advice on a failed build. What quotes the author's files is no ground for it.
fn hints(
    language: &Language,
    plan: Plan,
    sources: &ProgramSources<'_>,
    mut messages: Vec<u8>,
    own: Option<OwnMessages>,
) -> Vec<Text> {
    let mut more = Vec::new();
    if let Some(own) = own {
        messages = (own.shown + &own.linker).into_bytes();
        more = own.missing;
    }
    more.extend(language.explain_build(&messages, sources, plan.has_authors_main));
    let mut hints = plan.hints;
    for hint in more {
        if !hints.contains(&hint) {
            hints.push(hint);
        }
    }
    hints
}

/// The first error of a failed build, if it is in an included file or a flag of the author.
fn authors_error(
    language: &Language,
    messages: &[u8],
    sources: &ProgramSources<'_>,
    files: BuiltFiles<'_>,
) -> Option<AuthorsError> {
    if sources.included.is_empty() && !language.has_own_commands() {
        return None;
    }
    let texts: Vec<_> = sources.included.iter().map(|it| &*it.text).collect();
    language.authors_build_error(messages, files, &texts, &language.own_flags())
}

/// The compiler with the arguments of a step.
fn compiler(
    worker: Worker<'_>,
    language: &Arc<Language>,
    toolchain: &Toolchain,
    step: &Command,
    time: CpuTime,
) -> Program {
    let mut command = step.clone();
    let mut readable: Vec<_> = toolchain.readable.iter().map(BindMount::same).collect();
    if let Some(archive) = java_archive(worker, language, toolchain, step, time) {
        let argument = format!("{READ}{}", archive.inside.display());
        command.arguments.insert(0, argument.into());
        readable.push(archive);
    }
    Program {
        command,
        readable,
        system: SystemFolders::Whole,
        data: Arc::default(),
        reserves_memory: language.definition.reserves_memory,
    }
}

/// Makes the compilers that a command starts by their names take more flags.
fn add_flags(
    worker: Worker<'_>,
    workspace: &Workspace,
    compiler: &mut Program,
    flags: &[String],
) -> Result<(), Fault> {
    let folder = workspace.folder("compilers")?;
    for (name, script) in compilers_with(flags) {
        let path = workspace.file(&format!("compilers/{name}"), script.as_bytes())?;
        let mode = Permissions::from_mode(0o755);
        fs::set_permissions(&path, mode).map_err(Fault::file("write", &path))?;
    }
    seal(&folder)?;
    let folder = worker.judge.runner().mount(MountPoint::Compilers, &folder);
    let mut variables = compiler.command.environment.iter_mut();
    if let Some((_, path)) = variables.find(|(name, _)| name == "PATH") {
        let mut first = folder.inside.clone().into_os_string();
        first.push(":");
        first.push(&*path);
        *path = first;
    }
    compiler.readable.push(folder);
    Ok(())
}

/// What the Java compiler loads when it starts, for this compilation; see [`crate::java_startup`].
fn java_archive(
    worker: Worker<'_>,
    language: &Arc<Language>,
    toolchain: &Toolchain,
    step: &Command,
    time: CpuTime,
) -> Option<BindMount> {
    let judge = worker.judge;
    let writes = |it: &OsString| it.as_bytes().starts_with(WRITE.as_bytes());
    if language.id != LanguageId::Java
        || language.is_custom
        || step.arguments.first().is_some_and(writes)
    {
        return None;
    }
    let archive = judge.java_startup.archive(|| {
        let source = SourceFile::new("Main.java", SOURCE.as_bytes());
        let source = [source];
        let source = SourceText::all(&source);
        let sources = ProgramSources::own(&source);
        let toolchain = toolchain.clone();
        let built = build_with(worker, language, toolchain, &sources, time, |plan| {
            for step in &mut plan.steps {
                step.arguments.insert(0, format!("{WRITE}{ARCHIVE}").into());
            }
        });
        // A failure of ours is found again by the compilation that follows, without the archive.
        let Ok(Build::Done(built)) = built else {
            return None;
        };
        let archive = judge.folder().join(ARCHIVE);
        fs::copy(built.folder.host.join(ARCHIVE), &archive).ok()?;
        Some(archive)
    })?;
    Some(judge.runner().mount(MountPoint::Program, &archive))
}

/// The key under which the cache keeps a build.
fn key(
    cache: &AuthorCache,
    language: &Arc<Language>,
    plan: &Plan,
    inside: &Path,
    time: CpuTime,
) -> String {
    let toolchain = of_toolchain(Some(language));
    let commands = format!("{:?}", (&plan.steps, inside, time));
    let files = plan.files.iter();
    let files = files.flat_map(|(path, bytes)| [path.as_bytes(), bytes]);
    let words = [toolchain.as_bytes(), commands.as_bytes()];
    cache.key(words.into_iter().chain(files))
}

fn too_many_names(count: usize) -> Text {
    Text::new(
        format!("not compiled: {count} files and folders, more than {MAX_SOURCE_NAMES}"),
        format!("未编译：共有 {count} 个文件和文件夹，超过 {MAX_SOURCE_NAMES} 个"),
    )
}

/// The number of files with these paths and of their parent folders.
fn count_names<'a>(paths: impl Iterator<Item = &'a str>) -> usize {
    let mut names = BTreeSet::new();
    for path in paths {
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        names.extend(folders.chain([path]));
    }
    names.len()
}

/// A compiler's limits.
fn limits(time: CpuTime) -> Limits {
    Limits {
        cpu: time,
        wall: WallTime(time.0 * 3 + Duration::from_secs(5)),
        memory: COMPILER_MEMORY,
        output: MAX_COMPILER_OUTPUT,
        processes: COMPILER_PROCESSES,
    }
}

/// Builds a program of the problem's author.
///
/// # Errors
/// If it cannot be built, for example because its language is not recognised: the error that `fault` makes of the
/// reason.
pub(crate) fn build_trusted(
    worker: Worker<'_>,
    language: Option<&Arc<Language>>,
    sources: &ProgramSources<'_>,
    time: CpuTime,
    fault: impl Fn(&str) -> Fault,
) -> Result<Built, Fault> {
    let language = language.ok_or_else(|| fault("its language is not recognised"))?;
    match build(worker, language, sources, time)? {
        Build::Done(built) => Ok(*built),
        Build::Failed {
            report, message, ..
        } => {
            let why = report.messages.map_or(message.en, |excerpt| excerpt.text);
            Err(fault(&why))
        }
    }
}

/// The C library's description of `SIGXFSZ`.
const FILE_TOO_LARGE: &str = "File size limit exceeded";

/// What builds, in English and Chinese.
type Tool = (&'static str, &'static str);

const COMPILER: Tool = ("compiler", "编译器");
const BUILD: Tool = ("build", "构建过程");

/// Why a problem's own build cannot succeed here, whatever the student wrote.
fn fault_of_own_build(messages: &str) -> Option<Fault> {
    if let Some(missing) = missing_tool(messages) {
        return Some(missing.into());
    }
    let program = unstartable(messages)?;
    Some(Fault::StartedInBuild(program.to_owned()))
}

/// A build that ended well without a program.
fn no_program(own_build: Option<&BuildCommand>) -> Text {
    let Some(build) = own_build else {
        // So does Go if the package is not `main`.
        return Text::new(
            "the compiler made no program that can be started",
            "编译器没有生成可以运行的程序",
        );
    };
    let (command, program) = (build.typed(), &build.program);
    Text::new(
        format!("`{command}` made no program `{program}` that can be started"),
        format!("`{command}` 没有生成可以运行的程序 `{program}`"),
    )
}

fn stopped(outcome: &Outcome, time: CpuTime, (tool, zh_tool): Tool) -> Text {
    let Outcome { end, wall, .. } = outcome;
    let is_long = |written: Bytes| written >= MAX_COMPILER_OUTPUT;
    let (en, zh) = match outcome.breach {
        None if matches!(end, End::Signalled(_)) => {
            return Text::new(
                format!("the {tool} crashed on this source: {end}"),
                format!("{zh_tool}在处理这份源程序时崩溃：{end}"),
            );
        }
        None => return Text::new("does not compile", "编译错误"),
        Some(Breach::Wall) if was_idle(outcome) => (
            format!("it was idle for {wall}"),
            format!("一直在等待，历时 {wall}"),
        ),
        Some(Breach::Cpu | Breach::Wall) => (
            format!("it took more than {time}"),
            format!("用时超过 {time}"),
        ),
        Some(Breach::Memory) => (
            format!("it took more than {COMPILER_MEMORY} of memory"),
            format!("内存超过 {COMPILER_MEMORY}"),
        ),
        Some(Breach::Output) if is_long(outcome.stdout) || is_long(outcome.stderr) => (
            format!("it wrote more than {MAX_COMPILER_OUTPUT} of messages"),
            format!("输出的信息超过 {MAX_COMPILER_OUTPUT}"),
        ),
        Some(Breach::Output) => (
            format!("it wrote a file of more than {MAX_COMPILER_FILE}"),
            format!("写出的文件超过 {MAX_COMPILER_FILE}"),
        ),
    };
    Text::new(
        format!("the {tool} was stopped: {en}"),
        format!("{zh_tool}被终止：{zh}"),
    )
}

/// Fails if the compiler was killed or starved of CPU time, which is our fault. If it crashes or waits forever, the
/// source is to blame.
fn check_compiler_ran(outcome: &Outcome, time: CpuTime) -> Result<(), Fault> {
    let Outcome { cpu, wall, end, .. } = outcome;
    match (outcome.breach, end) {
        (None, End::Signalled(signal)) if !CRASHES.contains(signal) => {
            Err(failed(&format!("it was killed by {end}")))
        }
        (Some(Breach::Wall), _) if cpu.0 < time.0 && !was_idle(outcome) => Err(failed(&format!(
            "it had used only {cpu} of CPU time after {wall}: the machine is too busy"
        ))),
        _ => Ok(()),
    }
}

/// A compiler that failed for reasons of this machine.
fn failed(reason: &str) -> Fault {
    Fault::Other(format!("the compiler failed: {reason}"))
}

/// Checks that programs in the sandbox can see the compiler.
fn check_visible(runner: &dyn Runner, toolchain: &Toolchain) -> Result<(), Fault> {
    let mut paths = toolchain.programs.iter().chain(&toolchain.readable);
    let hidden = paths.find(|path| runner.hides(path));
    hidden.map_or(Ok(()), |path| Err(Fault::HiddenToolchain(path.clone())))
}

/// Checks that all of the compiler's programs still exist: they may be removed or replaced during a run.
fn check_installed(toolchain: &Toolchain) -> Result<(), Fault> {
    let gone = toolchain.programs.iter().find(|program| !program.is_file());
    gone.map_or(Ok(()), |program| {
        let program = program.display();
        Err(failed(&format!("`{program}` no longer exists")))
    })
}

/// Signals that a program raises by crashing: SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGSYS.
pub(crate) const CRASHES: [i32; 7] = [4, 5, 6, 7, 8, 11, 31];

/// Whether a compiler reached its wall time limit without having worked.
fn was_idle(outcome: &Outcome) -> bool {
    outcome.breach == Some(Breach::Wall) && outcome.cpu.0 * COMPILER_IDLE_FACTOR < outcome.wall.0
}

/// Whether a folder has this program, to which no link leads.
fn is_executable(folder: &Path, program: &Path) -> bool {
    let is_file = |meta: Metadata| meta.is_file() && meta.permissions().mode() & 0o111 != 0;
    let real = fs::canonicalize(folder.join(program)).ok();
    let is_here =
        real.is_some() && real == fs::canonicalize(folder).ok().map(|it| it.join(program));
    is_here && fs::symlink_metadata(folder.join(program)).is_ok_and(is_file)
}

/// Makes the build folder read-only, even for us; dropping the workspace makes it writable again.
fn seal(folder: &Path) -> Result<(), Fault> {
    for (path, meta) in files_in(folder).map_err(Fault::file("read", folder))? {
        // For any user: the program may run as a different one.
        let mode = match meta.permissions().mode() & 0o100 {
            0 => 0o444,
            _ => 0o555,
        };
        if !meta.is_symlink() {
            let sealed = fs::set_permissions(&path, Permissions::from_mode(mode));
            sealed.map_err(Fault::file("seal", &path))?;
        }
    }
    Ok(())
}

/// Identifies a version of a file: its inode, its size, and the time of its last change of state, which nobody can set.
type Stamp = BTreeMap<PathBuf, (u64, u64, i64, i64)>;

/// The versions of all files in a folder.
fn stamp(folder: &Path) -> io::Result<Stamp> {
    let files = files_in(folder)?.into_iter();
    let stamps = files.map(|(path, it)| (path, (it.ino(), it.len(), it.ctime(), it.ctime_nsec())));
    Ok(stamps.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_compiler_without_one_of_its_programs_no_longer_exists() {
        let folder = tempfile::tempdir().unwrap();
        let part = |name: &str| {
            let path = folder.path().join(name);
            fs::write(&path, "").unwrap();
            path
        };
        let toolchain = Toolchain {
            programs: vec![part("javac"), part("java")],
            version: "javac 21".to_owned(),
            flags: Vec::new(),
            readable: Vec::new(),
        };
        assert!(check_installed(&toolchain).is_ok());
        fs::remove_file(&toolchain.programs[1]).unwrap();
        let fault = check_installed(&toolchain).unwrap_err().chain();
        let path = toolchain.programs[1].display();
        assert_eq!(
            fault,
            format!("the compiler failed: `{path}` no longer exists")
        );
    }
}
