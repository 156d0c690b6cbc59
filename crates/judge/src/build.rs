//! Building a submission.

use std::collections::BTreeSet;
use std::path::Path;
use std::slice;
use std::sync::Arc;

use grader_language::{AuthorsError, Language, OwnMessages, Plan, ProgramSources, Toolchain};
use grader_model::{BuildReport, Bytes, CpuTime, ForStudent, Limits, Text, text};
use grader_sandbox::{BindMount, Runner, SystemFolders};

use crate::Fault;
use crate::batch_size::BatchSize;
use crate::build_failure::no_program;
use crate::compiler::{BuildFolder, Compiled, Compiler};
use crate::constants::{COMPILER_MEMORY, MAX_COMPILER_SHOWN_BYTES, MAX_SOURCE_NAMES};
use crate::included::remarks;
use crate::kept_build::KeptBuild;
use crate::lab::Lab;
use crate::names::FileNames;
use crate::program::{Program, shown};
use crate::sealed::{Stamp, is_executable, seal, stamp};

/// A submission that is ready to run.
#[derive(Debug)]
pub(crate) struct Built {
    pub(crate) language: Arc<Language>,
    pub(crate) toolchain: Toolchain,
    pub(crate) report: BuildReport,
    folder: BuildFolder,
    /// How it is built and run, with advice for every outcome.
    pub(crate) plan: Plan,
    /// File names, ours and the student's.
    pub(crate) names: FileNames,
    /// The files of the build folder right after the build.
    stamp: Stamp,
    /// Its runs in a search.
    pub(crate) batches: BatchSize,
}

/// Result of a build, if nothing of ours fails.
pub(crate) type Build = Result<Box<Built>, Box<Failed>>;

/// A student's source that does not build.
#[derive(Debug)]
pub(crate) struct Failed {
    /// One sentence.
    pub(crate) message: Text,
    /// Advice.
    pub(crate) hints: Vec<Text>,
    /// The compiler's messages.
    pub(crate) report: BuildReport,
    /// The first error, if it is in what the author gave.
    pub(crate) authors: Option<AuthorsError>,
    /// Why the student may not be to blame.
    pub(crate) doubt: Option<Text>,
}

impl Built {
    /// The program with this memory limit.
    pub(crate) fn program(&self, memory: Bytes) -> Program {
        let (language, folder) = (&self.language, &self.folder.mount);
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
        stamp(&self.folder.mount.host).ok().as_ref() != Some(&self.stamp)
    }

    /// Whether the build produced this program (a path inside the sandbox) and it still exists. If so, and it cannot be
    /// executed, the source is to blame.
    pub(crate) fn has(&self, program: &Path) -> bool {
        let BindMount { host, inside } = &self.folder.mount;
        let name = program.strip_prefix(inside);
        name.is_ok_and(|name| host.join(name).is_file())
    }
}

/// Builds sources in a fresh workspace, on this worker's core so that other workers' programs are not disturbed. `time`
/// is the problem's limit.
///
/// # Errors
/// [`Fault::Stopped`] as for [`Lab::compile`]; otherwise our own failure.
pub(crate) fn build(
    lab: Lab<'_>,
    language: &Arc<Language>,
    sources: &ProgramSources<'_>,
    time: CpuTime,
) -> Result<Build, Fault> {
    let mut toolchain = language.find()?;
    if language.definition.build.is_some() {
        // The author's command has its own.
        toolchain.flags.clear();
    }
    let built = build_with(lab, language, toolchain, sources, time, |_| ())?;
    if let (Some(cache), Ok(built)) = (&lab.judge.settings.kept_builds, &built) {
        // Before it runs.
        let BindMount { host, inside } = &built.folder.mount;
        if let Some(kept) = KeptBuild::of(cache, language, &built.plan, inside, time) {
            kept.keep(host, &built.report);
        }
    }
    Ok(built)
}

/// The same with these flags of the toolchain, and with a changed plan.
pub(crate) fn build_with(
    lab: Lab<'_>,
    language: &Arc<Language>,
    toolchain: Toolchain,
    sources: &ProgramSources<'_>,
    time: CpuTime,
    change: impl FnOnce(&mut Plan),
) -> Result<Build, Fault> {
    check_visible(lab.judge.runner(), &toolchain)?;
    let folder = BuildFolder::new(lab)?;
    let BindMount { host, inside } = &folder.mount;
    let mut plan = language.plan(sources, &toolchain, inside);
    change(&mut plan);
    plan.hints.extend(remarks(language, sources));
    let names = FileNames::new(inside, sources, &plan);
    let cache = lab.judge.settings.author_cache.as_ref();
    let cache = cache.filter(|_| !lab.builds_anew);
    let kept = cache.and_then(|cache| KeptBuild::of(cache, language, &plan, inside, time));
    let known = kept.as_ref().and_then(|it| it.unpack(host));
    let is_known = known.is_some();
    let compiler = Compiler {
        lab,
        language,
        toolchain: &toolchain,
        time,
    };
    let result = match known {
        Some(report) => Ok(report),
        None => compile(&compiler, sources, &plan, &names, &folder)?,
    };
    let report = match result {
        Ok(report) => report,
        Err(failed) => return Ok(Err(failed)),
    };
    seal(host)?;
    if let Some(kept) = kept.filter(|_| !is_known) {
        kept.keep(host, &report);
    }
    Ok(Ok(Box::new(Built {
        stamp: stamp(host).map_err(Fault::file("read", host))?,
        batches: BatchSize::default(),
        language: Arc::clone(language),
        toolchain,
        report,
        folder,
        plan,
        names,
    })))
}

/// Compiles a planned program in its empty folder.
fn compile(
    compiler: &Compiler<'_>,
    sources: &ProgramSources<'_>,
    plan: &Plan,
    names: &FileNames,
    folder: &BuildFolder,
) -> Result<Result<BuildReport, Box<Failed>>, Fault> {
    let (language, toolchain) = (compiler.language, compiler.toolchain);
    let called = [slice::from_ref(&toolchain.version), &toolchain.flags].concat();
    let mut report = BuildReport {
        toolchain: called.join(" "),
        messages: None,
        for_student: None,
        cpu: CpuTime::default(),
    };
    if let Some(message) = too_many_names(plan) {
        return Ok(Err(Box::new(Failed {
            doubt: Some(message.clone()),
            message,
            hints: plan.hints.clone(),
            report,
            authors: None,
        })));
    }
    let Compiled {
        messages,
        cpu,
        mut failure,
    } = compiler.compile(plan, folder)?;
    report.cpu = cpu;
    let mut messages = names.without_folder(&messages);
    let own = language.own_messages(&messages, names.files());
    let shown = |messages: &[u8]| shown(&names.as_submitted(messages), MAX_COMPILER_SHOWN_BYTES);
    report.messages = shown(&messages);
    report.for_student = own.as_ref().map(|own| ForStudent {
        messages: shown(own.shown.as_bytes()),
    });
    if failure.is_none() && !has_program(compiler, plan, &folder.mount) {
        let text = no_program(language.definition.build.as_ref());
        messages = text.en.clone().into_bytes();
        failure = Some(text);
    }
    let Some(message) = failure else {
        return Ok(Ok(report));
    };
    // Do not trust the compiler's message about a full disk: a source can print the same.
    folder.workspace.check_room()?;
    Ok(Err(Box::new(Failed {
        message,
        authors: language.authors_build_error(&messages, names.files(), &sources.included),
        hints: hints(language, plan, sources, messages, own),
        report,
        doubt: plan.doubt.clone(),
    })))
}

/// Whether a build has made the program that it is to make.
fn has_program(compiler: &Compiler<'_>, plan: &Plan, folder: &BindMount) -> bool {
    let (language, toolchain) = (compiler.language, compiler.toolchain);
    let command = language.command(plan, toolchain, &folder.inside, COMPILER_MEMORY);
    match command.program.strip_prefix(&folder.inside) {
        Ok(program) => is_executable(&folder.host, program).unwrap_or(false),
        // An interpreter.
        Err(_) => true,
    }
}

/// Advice on a failed build. What quotes the author's files is no ground for it.
fn hints(
    language: &Language,
    plan: &Plan,
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
    let plan = plan.hints.iter().filter(|it| !more.contains(it));
    let plan: Vec<Text> = plan.cloned().collect();
    more.extend(plan);
    more
}

/// Why a plan is not compiled if it has too many files and folders, those above its files included.
fn too_many_names(plan: &Plan) -> Option<Text> {
    let mut names = BTreeSet::new();
    for (path, _) in &plan.files {
        let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
        names.extend(folders.chain([path.as_str()]));
    }
    let count = names.len();
    (count > MAX_SOURCE_NAMES).then(|| {
        text!(
            "not compiled: {count} files and folders, more than {MAX_SOURCE_NAMES}",
            "未编译：共有 {count} 个文件和文件夹，超过 {MAX_SOURCE_NAMES} 个"
        )
    })
}

/// Checks that programs in the sandbox can see the compiler.
pub(crate) fn check_visible(runner: &dyn Runner, toolchain: &Toolchain) -> Result<(), Fault> {
    let mut paths = toolchain.programs.iter().chain(&toolchain.readable);
    let hidden = paths.find(|path| runner.hides(path));
    hidden.map_or(Ok(()), |path| Err(Fault::HiddenToolchain(path.clone())))
}

/// Builds a program of the problem's author.
///
/// # Errors
/// If it cannot be built, for example because its language is not recognised: the error that `fault` makes of the
/// reason.
pub(crate) fn build_trusted(
    lab: Lab<'_>,
    language: Option<&Arc<Language>>,
    sources: &ProgramSources<'_>,
    time: CpuTime,
    fault: impl Fn(&str) -> Fault,
) -> Result<Built, Fault> {
    let language = language.ok_or_else(|| fault("its language is not recognised"))?;
    lab.note(language.id);
    let lab = lab.building_anew(lab.judge.settings.fresh_authors);
    let built = build(lab, language, sources, time)?;
    built.map(|it| *it).map_err(|failed| {
        let messages = failed.report.messages;
        fault(&messages.map_or(failed.message.en, |it| it.text))
    })
}
