//! Runs the tools of a problem's checks on the sources of a program that was built, in the sandbox.
//!
//! A tool starts in an empty folder with the author's files. The sources lie in another one, read-only, and nothing else of the
//! student's does: settings that a student submits must not change what it says.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grader_language::{
    Command, NotInstalled, SourceText, Syntax, Token, TokenKind, Toolchain, find_tool, tokens,
};
use grader_model::{
    End, LanguageId, Limits, ProblemResult, Text, WallTime, escaped, file_name, text,
};
use grader_problem::ToolCheck;
use grader_sandbox::{BindMount, SystemFolders};

use crate::Fault;
use crate::build::check_visible;
use crate::build_failure::limit_exceeded;
use crate::compiler::BuildFolder;
use crate::constants::{
    COMPILER_MEMORY, COMPILER_PROCESSES, COMPILER_SCRATCH, MAX_COMPILER_OUTPUT, MAX_TOOL_TIME,
};
use crate::decide::flags::flag;
use crate::decide::tool_output::{Checked, Places, Written, remarks};
use crate::included::with_included;
use crate::judging::{Ahead, Judging};
use crate::lab::{Key, Lab, Task};
use crate::program::Program;
use crate::sealed::seal;
use crate::workspace::{RunFolder, read_start, write};

/// A tool on this machine.
struct Tool<'a>(&'a str);

impl Task for Tool<'_> {
    type Out = Result<Arc<Toolchain>, NotInstalled>;

    fn key(&self) -> Key {
        Key::of("tool", [self.0.as_bytes()])
    }

    fn run(&self, _: Lab<'_>) -> Result<Self::Out, Fault> {
        Ok(find_tool(self.0).map(Arc::new))
    }
}

impl Judging<'_> {
    /// What a tool says of the submission. It is run once.
    ///
    /// # Errors
    /// [`Fault::Stopped`] only.
    pub(crate) fn checked<'b>(
        &self,
        tool: &ToolCheck,
        ahead: &'b mut Ahead,
    ) -> Result<&'b Checked, Fault> {
        if !ahead.checked.contains_key(&tool.name) {
            let checked = match self.check(tool) {
                Err(Fault::Stopped) => return Err(Fault::Stopped),
                Err(fault) => Err(fault.text()),
                Ok(checked) => checked,
            };
            ahead.checked.insert(tool.name.clone(), checked);
        }
        Ok(&ahead.checked[&tool.name])
    }

    /// Adds what all tools say to the result. That one failed is for staff, and is said beside its subtask, if it has one.
    ///
    /// # Errors
    /// [`Fault::Stopped`] only.
    pub(crate) fn tell_remarks(
        &self,
        ahead: &mut Ahead,
        result: &mut ProblemResult,
    ) -> Result<(), Fault> {
        let problem = &self.job.entry.problem;
        let language = &self.built.language.id;
        for tool in problem
            .checks
            .tools
            .iter()
            .filter(|it| it.languages.contains(language))
        {
            let mut rules = problem.subtasks.iter().filter_map(|it| it.check.as_ref());
            let has_subtask = rules.any(|it| it.check == tool.name);
            match self.checked(tool, ahead)? {
                Ok(remarks) => {
                    let is_cut = remarks.told.len() < remarks.count;
                    let more = is_cut.then(|| remarks.sentence(&tool.name, None));
                    result.hints.extend(more.filter(|_| !has_subtask));
                    result.remarks.extend(remarks.told.iter().cloned());
                }
                Err(why) if !has_subtask => {
                    let name = &tool.name;
                    let message = text!(
                        "the check `{name}` failed: {why}",
                        "检查 `{name}` 失败：{why}",
                        why
                    );
                    result.flags.push(flag("check-failed", message, Vec::new()));
                }
                Err(_) => {}
            }
        }
        Ok(())
    }

    /// Runs a tool.
    fn check(&self, tool: &ToolCheck) -> Result<Checked, Fault> {
        let toolchain = match self.lab.get(&Tool(tool.program()))? {
            Ok(toolchain) => toolchain,
            Err(missing) => return Ok(Err(missing.text())),
        };
        check_visible(self.lab.judge.runner(), &toolchain)?;
        let folder = BuildFolder::new(self.lab)?;
        let (mut files, mut listed) = (BTreeMap::new(), Vec::new());
        let included = SourceText::all(&self.job.entry.problem.submission.include);
        let (language, languages) = (&self.built.language, &self.job.entry.problem.languages);
        let sources = with_included(language, languages, self.texts, &included);
        let own = self.built.plan.files.iter().zip(sources.all());
        for ((path, _), source) in own.skip(sources.included.len()) {
            if path.contains(|c: char| c == ':' || c.is_control()) {
                let name = escaped(source.submitted.as_bytes());
                return Ok(Err(text!(
                    "remarks on `{name}` cannot be told from other lines: rename it without a colon and control characters",
                    "无法辨认针对 `{name}` 的提示：请改名，不要用冒号和控制字符"
                )));
            }
            files.insert(path.clone(), source.submitted);
            if language.is_source(source.file) {
                listed.push(folder.mount.inside.join(path));
            }
        }
        if listed.is_empty() {
            return Ok(Err(Text::new(
                "there is no source for it",
                "没有可供它检查的源程序",
            )));
        }
        let large = self.lab.judge.large_source(self.prepared.files);
        for (path, bytes) in &self.built.plan.files {
            let name = file_name(path);
            if languages.of_file_name(name).is_some() || languages.is_header_name(name) {
                let path = folder.mount.host.join(path);
                match language.id {
                    LanguageId::C | LanguageId::Cpp => write(&path, &own_lines(bytes))?,
                    _ => write(&path, bytes)?,
                }
            }
        }
        drop(large);
        seal(&folder.mount.host)?;
        let work = self.lab.judge.run_folder()?;
        for file in &tool.files {
            write(&work.directory.host.join(&file.path), &file.bytes)?;
        }
        let written = match self.run_tool(tool, &toolchain, &listed, &folder.mount, &work)? {
            Ok(written) => written,
            Err(why) => return Ok(Err(why)),
        };
        let places = Places {
            started: &work.directory.inside,
            sources: &folder.mount.inside,
            files: &files,
        };
        Ok(remarks(&tool.name, &written, &places))
    }

    /// Runs a tool on the sources that are `listed`, in a folder, or says why it failed.
    fn run_tool(
        &self,
        tool: &ToolCheck,
        toolchain: &Toolchain,
        listed: &[PathBuf],
        sources: &BindMount,
        work: &RunFolder<'_>,
    ) -> Result<Result<Written, Text>, Fault> {
        let arguments = tool.command.iter().skip(1).flat_map(|word| {
            let count = if word.contains(ToolCheck::FILES) {
                listed.len()
            } else {
                1
            };
            let filled = |path: &PathBuf| word.replace(ToolCheck::FILES, &path.to_string_lossy());
            listed.iter().take(count).map(move |it| filled(it).into())
        });
        let readable = toolchain.readable.iter().map(BindMount::same);
        let program = Program {
            command: Command {
                program: toolchain.programs[0].clone(),
                arguments: arguments.collect(),
                environment: vec![("HOME".into(), work.directory.inside.clone().into())],
            },
            readable: readable.chain([sources.clone()]).collect(),
            system: SystemFolders::Whole,
            data: Arc::default(),
            reserves_memory: true,
        };
        let limits = Limits {
            cpu: MAX_TOOL_TIME,
            wall: WallTime(MAX_TOOL_TIME.0 * 3),
            memory: COMPILER_MEMORY,
            output: MAX_COMPILER_OUTPUT,
            processes: COMPILER_PROCESSES,
        };
        let mut request = program.request(self.lab, work, work.directory.clone(), limits);
        request.scratch = COMPILER_SCRATCH;
        let outcome = self.lab.compile(&request)?;
        if let Some(breach) = outcome.breach {
            let why = limit_exceeded(breach, &outcome, MAX_TOOL_TIME);
            return Ok(Err(text!("it was stopped: {why}", "它被终止：{why}", why)));
        }
        let read = |path: &Path| read_start(path, MAX_COMPILER_OUTPUT.0);
        match outcome.end {
            End::Exited(status) => Ok(Ok(Written {
                status,
                outputs: [read(&request.stdout)?, read(&request.stderr)?],
            })),
            end @ End::Signalled(_) => Ok(Err(text!("it crashed: {end}", "它崩溃了：{end}"))),
        }
    }
}

/// A source in C without `#line "list.h" 1` and the like, by which remarks would be on files that are not the student's.
fn own_lines(source: &[u8]) -> Cow<'_, [u8]> {
    let text = String::from_utf8_lossy(source);
    let mut tokens = tokens(&text, Syntax::Cpp);
    tokens.retain(|it| it.text != "\\");
    let end = |it: &Token<'_>| it.at + it.text.len();
    let markers = tokens.windows(2).enumerate().filter_map(|(index, pair)| {
        let is_marker = pair[1].text == "line" || pair[1].kind == TokenKind::Number;
        let before = &text[..end(&pair[0])];
        let mut signs = ["#", "%:", "??="].into_iter();
        let sign = signs.find(|it| is_marker && before.ends_with(it))?;
        let start = before.len() - sign.len();
        let mut earlier = tokens[..index].iter().rev();
        let earlier = earlier.find(|it| it.at < start);
        let is_first = earlier.is_none_or(|it| text[end(it)..start].contains('\n'));
        is_first.then_some((start, pair[1].at))
    });
    let markers: Vec<_> = markers.collect();
    if markers.is_empty() {
        return Cow::Borrowed(source);
    }
    let mut bytes = text.clone().into_owned().into_bytes();
    for (start, word) in markers {
        let end = text[word..].find('\n').map_or(text.len(), |at| word + at);
        let is_kept = |byte: &u8| matches!(byte, b'\n' | b'\r');
        let directive = bytes[start..end].iter_mut();
        directive
            .filter(|it| !is_kept(it))
            .for_each(|it| *it = b' ');
    }
    Cow::Owned(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_directive_moves_lines_to_another_file() {
        for (source, expected) in [
            ("a\n#line 1 \"b.h\"\r\nc", "a||c"),
            (" # 1 \"b.h\" 3\nc", "|c"),
            ("%: /**/ line 7 \"b.h\"\nc", "|c"),
            ("#\\\nline 1 \"b.h\"\n#line\nc", "|||c"),
            ("#define line 1\n", "#define line 1"),
            ("#define F(x) x##1 # 2\n", "#define F(x) x##1 # 2"),
            ("x = \"#line 1\"; // #line 1", "x = \"#line 1\"; // #line 1"),
        ] {
            let found = own_lines(source.as_bytes());
            assert_eq!(found.len(), source.len());
            let found = String::from_utf8_lossy(&found);
            let lines: Vec<&str> = found.lines().map(str::trim_end).collect();
            assert_eq!(lines.join("|"), expected, "{source:?}");
        }
        assert_eq!(own_lines(b"// \xc0\xaf").as_ref(), b"// \xc0\xaf");
    }
}
