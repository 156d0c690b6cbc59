//! Runs a compiler, or a problem's own command, in the sandbox.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use grader_language::{
    Command, Language, Plan, ProgramSources, SourceText, Toolchain, compilers_with,
};
use grader_model::{CpuTime, LanguageId, Limits, Outcome, SourceFile, Text, WallTime};
use grader_sandbox::{BindMount, MountPoint, Returns, SystemFolders};

use crate::Fault;
use crate::build_failure::{compiler_fault, why_failed};
use crate::constants::{
    COMPILER_MEMORY, COMPILER_PROCESSES, COMPILER_SCRATCH, MAX_COMPILER_FILE, MAX_COMPILER_OUTPUT,
    MAX_COMPILER_SEARCHED_BYTES,
};
use crate::javac_archive::{ARCHIVE, READ, SOURCE, WRITE};
use crate::lab::Lab;
use crate::precompiled::{
    HEADER_SOURCE, INCLUDED_AS, NAME, PRECOMPILED, PrecompiledHeader, includes_header,
};
use crate::program::Program;
use crate::sealed::seal;
use crate::workspace::{Workspace, read_start, write};

/// The folder of a build, where the compiler writes too.
#[derive(Debug)]
pub(crate) struct BuildFolder {
    pub(crate) workspace: Workspace,
    pub(crate) mount: BindMount,
}

impl BuildFolder {
    /// An empty one in a fresh workspace.
    pub(crate) fn new(lab: Lab<'_>) -> Result<Self, Fault> {
        let workspace = Workspace::new(lab.judge.folder(), "job-")?;
        let folder = workspace.folder("build")?;
        let mount = lab.judge.runner().mount(MountPoint::Build, &folder);
        Ok(Self { workspace, mount })
    }
}

/// The tools of a language on this worker's core.
#[derive(Clone, Copy)]
pub(crate) struct Compiler<'a> {
    pub(crate) lab: Lab<'a>,
    pub(crate) language: &'a Arc<Language>,
    pub(crate) toolchain: &'a Toolchain,
    /// The limit of the problem.
    pub(crate) time: CpuTime,
}

/// What came of a plan.
#[derive(Default)]
pub(crate) struct Compiled {
    pub(crate) messages: Vec<u8>,
    pub(crate) cpu: CpuTime,
    /// Why it failed.
    pub(crate) failure: Option<Text>,
}

impl Compiler<'_> {
    /// Writes the files of a plan into its folder, and runs its command there.
    ///
    /// # Errors
    /// [`Fault::Stopped`] as for [`Lab::compile`]; otherwise our own failure.
    pub(crate) fn compile(&self, plan: &Plan, folder: &BuildFolder) -> Result<Compiled, Fault> {
        for (path, bytes) in &plan.files {
            write(&folder.mount.host.join(path), bytes)?;
        }
        let Some(step) = &plan.step else {
            return Ok(Compiled::default());
        };
        let mut program = self.program(step);
        if self.language.definition.build.is_some() {
            self.add_flags(&mut program, &folder.workspace)?;
        } else if self.language.id == LanguageId::Java && !self.language.is_custom {
            self.add_archive(&mut program);
        }
        let is_precompiled =
            includes_header(self.language, self.toolchain, plan) && self.add_header(&mut program);
        let (mut outcome, mut messages) = self.run(program, folder)?;
        let has_ended_well = outcome.breach.is_none() && outcome.end.is_success();
        let names_ours = || String::from_utf8_lossy(&messages).contains(NAME);
        if is_precompiled && (!has_ended_well || names_ours()) {
            // The header may be to blame; and a message that names our source is to name the student's.
            (outcome, messages) = self.run(self.program(step), folder)?;
        }
        if let Some(fault) = compiler_fault(&outcome, self.time) {
            return Err(fault);
        }
        let text = String::from_utf8_lossy(&messages);
        let failure = why_failed(&outcome, &text, self.language, self.time);
        if failure.is_some() {
            check_installed(self.toolchain)?;
        }
        Ok(Compiled {
            failure: failure.transpose()?,
            messages,
            cpu: outcome.cpu,
        })
    }

    fn program(&self, step: &Command) -> Program {
        let readable = self.toolchain.readable.iter();
        Program {
            command: step.clone(),
            readable: readable.map(BindMount::same).collect(),
            system: SystemFolders::Whole,
            data: Arc::default(),
            reserves_memory: self.language.definition.reserves_memory,
        }
    }

    /// How it ended, and its messages.
    fn run(&self, program: Program, folder: &BuildFolder) -> Result<(Outcome, Vec<u8>), Fault> {
        let limits = Limits {
            cpu: self.time,
            wall: WallTime(self.time.0 * 3 + Duration::from_secs(5)),
            memory: COMPILER_MEMORY,
            output: MAX_COMPILER_OUTPUT,
            processes: COMPILER_PROCESSES,
        };
        let mount = folder.mount.clone();
        let mut request = program.request(self.lab, &folder.workspace, mount, limits);
        request.returns = Returns::Everything;
        (request.scratch, request.files) = (COMPILER_SCRATCH, MAX_COMPILER_FILE);
        let outcome = self.lab.compile(&request)?;
        let written = |path: &Path| read_start(path, MAX_COMPILER_SEARCHED_BYTES);
        let (mut messages, stderr) = (Vec::new(), written(&request.stderr)?);
        // `make` prints its commands.
        let is_silent = !outcome.end.is_success() && stderr.trim_ascii().is_empty();
        if self.language.definition.build.is_none() || is_silent {
            messages = written(&request.stdout)?;
        }
        messages.extend(stderr);
        Ok((outcome, messages))
    }

    /// Makes the compilers that the author's command starts by their names take our flags.
    fn add_flags(&self, program: &mut Program, workspace: &Workspace) -> Result<(), Fault> {
        if self.toolchain.flags.is_empty() {
            return Ok(());
        }
        let folder = workspace.folder("compilers")?;
        for (name, script) in compilers_with(&self.toolchain.flags) {
            let path = workspace.file(&format!("compilers/{name}"), script.as_bytes())?;
            let mode = Permissions::from_mode(0o755);
            fs::set_permissions(&path, mode).map_err(Fault::file("write", &path))?;
        }
        seal(&folder)?;
        let runner = self.lab.judge.runner();
        let folder = runner.mount(MountPoint::Compilers, &folder);
        let mut variables = program.command.environment.iter_mut();
        if let Some((_, path)) = variables.find(|(name, _)| name == "PATH") {
            let mut first = folder.inside.clone().into_os_string();
            first.push(":");
            first.push(&*path);
            *path = first;
        }
        program.readable.push(folder);
        Ok(())
    }

    /// Adds what the Java compiler loads when it starts; see [`crate::javac_archive`].
    fn add_archive(&self, program: &mut Program) {
        let judge = self.lab.judge;
        // A failure of ours is found again by the compilation that follows, without the archive.
        let write = || self.write_archive().ok().flatten();
        if let Some(archive) = judge.java_archive.get(write) {
            let archive = judge.runner().mount(MountPoint::Program, archive);
            let argument = format!("{READ}{}", archive.inside.display());
            program.command.arguments.insert(0, argument.into());
            program.readable.push(archive);
        }
    }

    /// Adds a precompiled header, and returns whether there is one; see [`crate::precompiled`].
    fn add_header(&self, program: &mut Program) -> bool {
        let judge = self.lab.judge;
        // A failure of ours is found again by the compilation that follows, without the header.
        let make = || self.make_header().ok().flatten();
        let header = judge.precompiled_header.get(make);
        let Some(header) = header.filter(|it| it.flags == self.toolchain.flags) else {
            return false;
        };
        let folder = judge.runner().mount(MountPoint::Compilers, &header.folder);
        let arguments = ["-I".into(), folder.inside.clone().into_os_string()];
        program.command.arguments.extend(arguments);
        program.readable.push(folder);
        true
    }

    /// Compiles a source of ours as a header. `None` if the compiler does not.
    fn make_header(&self) -> Result<Option<PrecompiledHeader>, Fault> {
        let folder = self.lab.judge.folder().join("headers");
        let to = folder.join(INCLUDED_AS);
        fs::create_dir_all(to.parent().unwrap_or(&folder))
            .map_err(Fault::file("create", &folder))?;
        let is_made = self.compile_own(NAME, HEADER_SOURCE, (PRECOMPILED, &to), |arguments| {
            let flags = self.toolchain.flags.iter().map(OsString::from);
            let kind = ["-x", "c++-header", NAME, "-o", PRECOMPILED].map(OsString::from);
            *arguments = flags.chain(kind).collect();
        })?;
        seal(&folder)?;
        let flags = self.toolchain.flags.clone();
        Ok(is_made.then_some(PrecompiledHeader { flags, folder }))
    }

    /// Compiles a source of ours, so that the compiler writes its archive. `None` if it does not.
    fn write_archive(&self) -> Result<Option<PathBuf>, Fault> {
        let archive = self.lab.judge.folder().join(ARCHIVE);
        let written = (ARCHIVE, &*archive);
        let is_written = self.compile_own("Main.java", SOURCE, written, |arguments| {
            arguments.insert(0, format!("{WRITE}{ARCHIVE}").into());
        })?;
        Ok(is_written.then_some(archive))
    }

    /// Compiles a source of ours, with changed arguments of the compiler, and copies a file that it writes. Returns whether
    /// there is one.
    fn compile_own(
        &self,
        name: &str,
        text: &str,
        (written, to): (&str, &Path),
        change: impl FnOnce(&mut Vec<OsString>),
    ) -> Result<bool, Fault> {
        let source = [SourceFile::new(name, text.as_bytes())];
        let source = SourceText::all(&source);
        let folder = BuildFolder::new(self.lab)?;
        let BindMount { host, inside } = &folder.mount;
        let plan = self
            .language
            .plan(&ProgramSources::own(&source), self.toolchain, inside);
        write(&host.join(name), text.as_bytes())?;
        let Some(mut program) = plan.step.map(|step| self.program(&step)) else {
            return Ok(false);
        };
        change(&mut program.command.arguments);
        let (outcome, _) = self.run(program, &folder)?;
        let has_ended_well = outcome.breach.is_none() && outcome.end.is_success();
        let is_copied = has_ended_well && fs::copy(host.join(written), to).is_ok();
        if !is_copied {
            // The disk may be full, and this is large. It may not exist.
            let _ = fs::remove_file(to);
        }
        Ok(is_copied)
    }
}

/// Checks that all of the compiler's programs still exist: they may be removed or replaced during a run.
fn check_installed(toolchain: &Toolchain) -> Result<(), Fault> {
    match toolchain.programs.iter().find(|it| !it.is_file()) {
        None => Ok(()),
        Some(program) => {
            let program = program.display();
            let message = format!("the compiler failed: `{program}` no longer exists");
            Err(Fault::Other(message))
        }
    }
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
