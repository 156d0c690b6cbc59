//! Context of validation: the problem's folder, its files, and the log of mistakes.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::sync::Arc;

use grader_language::{Language, Languages, SourceText, scripted};
use grader_model::{LanguageId, SourceFile, file_name};

use crate::author_program::{
    AuthorCall, AuthorProgram, CheckerProtocol, Checktestdata, InputValidator, ProgramId, Role,
};
use crate::checker_options::ProgramFile;
use crate::constants::{
    DEFAULT_CHECKER_CPU, DEFAULT_CHECKER_MEMORY, MAX_ARGUMENT_BYTES, MAX_ARGUMENTS_BYTES, MAX_DATA,
};
use crate::diagnostic::Log;
use crate::library::{Library, below, explain, join, sources};
use crate::own_values::{MARK, OwnValues};
use crate::suggest::{did_you_mean, quoted, unknown};
use crate::value::{At, Count, LanguageWord, Scalar, Time};

/// The case variables of templates, as text.
pub(crate) type Variables = BTreeMap<String, String>;

pub(crate) struct Context<'a> {
    library: &'a dyn Library,
    /// The problem's folder in the library.
    folder: &'a str,
    /// The languages of the assignment.
    pub(crate) languages: &'a Languages,
    pub(crate) log: Log,
    /// The values of a student, if each has values of their own.
    pub(crate) own: Option<OwnValues>,
    /// Bytes of inputs and answers so far.
    bytes: u64,
    /// Hash of every file that affects judging.
    version: blake3::Hasher,
    /// The author's programs loaded so far, with the paths of their sources.
    programs: Vec<(String, Arc<AuthorProgram>)>,
    /// The programs in checktestdata, if they are right.
    checktestdata: Vec<(String, Option<Arc<Checktestdata>>)>,
}

impl<'a> Context<'a> {
    pub(crate) fn new(
        library: &'a dyn Library,
        folder: &'a str,
        languages: &'a Languages,
        log: Log,
    ) -> Self {
        let file = Arc::clone(&log.file);
        let mut context = Self {
            library,
            folder,
            languages,
            log,
            own: None,
            bytes: 0,
            version: blake3::Hasher::new(),
            programs: Vec::new(),
            checktestdata: Vec::new(),
        };
        context.remember("problem.toml", file.text.as_bytes());
        context
    }

    /// Reports a mistake; the second line of the message is the help.
    pub(crate) fn report(&mut self, span: &Range<usize>, message: &str) {
        self.log.report(span, message);
    }

    /// The language with this name. If there is none, reports that and returns `None`.
    pub(crate) fn language(&mut self, word: &At<LanguageWord>) -> Option<LanguageId> {
        let mut all = self.languages.iter().map(|language| language.id);
        let found = all.clone().find(|id| id.as_str() == word.0);
        if found.is_none() {
            let known = all.by_ref().map(LanguageId::as_str);
            let mut message = unknown("language", &word.0, known);
            if Languages::on_request().any(|id| id.as_str() == word.0) {
                let name = &word.0;
                message = format!(
                    "language `{name}` is not turned on\nadd `[languages.{name}]` to `assignment.toml`"
                );
            }
            self.log.report(&word.span, &message);
        }
        found
    }

    fn recognise(&self, sources: &[SourceFile]) -> Option<Arc<Language>> {
        self.languages.recognise(&SourceText::all(sources)).cloned()
    }

    /// Adds a file to the problem's version, with its path in the problem's folder.
    fn remember(&mut self, path: &str, bytes: &[u8]) {
        for part in [path.as_bytes(), bytes] {
            self.version.update(&(part.len() as u64).to_le_bytes());
            self.version.update(part);
        }
    }

    /// Hash of the paths and contents of all files that affect judging.
    pub(crate) fn version(&self) -> String {
        self.version.finalize().to_string()
    }

    /// Expands a template: `{name}` is a case variable, `{{` and `}}` are braces. What depends on the student stands between marks.
    /// Reports a mistake and returns `None` if it is wrong.
    pub(crate) fn fill(
        &mut self,
        template: &At<Scalar>,
        variables: &BTreeMap<String, String>,
    ) -> Option<String> {
        let own = || {
            self.own
                .iter()
                .flat_map(OwnValues::all)
                .map(|(name, _)| name)
        };
        let mut text = String::new();
        let mut rest = template.0.as_str();
        while let Some(at) = rest.find(['{', '}']) {
            let (before, brace) = rest.split_at(at);
            text.push_str(before);
            if brace.starts_with("{{") || brace.starts_with("}}") {
                text.push_str(&brace[..1]);
                rest = &brace[2..];
                continue;
            }
            let (name, after) = brace[1..].split_once('}').unwrap_or_default();
            if let Some(value) = variables.get(name) {
                text.push_str(value);
                rest = after;
                continue;
            }
            if own().any(|it| it == name) {
                text.extend([MARK, name, MARK]);
                rest = after;
                continue;
            }
            let (part, message) = if brace.starts_with('}') {
                (
                    template.0.as_str(),
                    "`}` closes nothing\nwrite `}}` for a brace itself".to_owned(),
                )
            } else if !brace.contains('}') {
                let message = "is not closed\nwrite `{{` for a brace itself";
                (brace, format!("{} {message}", quoted(brace)))
            } else {
                let own: Vec<String> = own().collect();
                let known = variables.keys().chain(&own).map(String::as_str);
                let help = match did_you_mean(name, known, "variable") {
                    none if none.is_empty() => "write `{{` for a brace itself".to_owned(),
                    help => help,
                };
                let message = format!("unknown variable {}\n{help}", quoted(name));
                (&brace[..name.len() + 2], message)
            };
            self.log.report_part(&template.span, part, &message);
            return None;
        }
        Some(text + rest)
    }

    /// A text that must be known whoever the student is; reports it if it is not.
    pub(crate) fn known(&mut self, span: &Range<usize>, text: String) -> Option<String> {
        if !text.contains(MARK) {
            return Some(text);
        }
        let message =
            "this must be the same for all students: no value of `[student]` can stand here";
        self.report(span, message);
        None
    }

    pub(crate) fn fill_all(
        &mut self,
        templates: &[At<Scalar>],
        variables: &BTreeMap<String, String>,
    ) -> Vec<String> {
        let mut arguments = Vec::new();
        let mut size = 0;
        for at in templates {
            let Some(argument) = self.fill(at, variables) else {
                continue;
            };
            self.check_argument(&at.span, &argument);
            let was_fine = size <= MAX_ARGUMENTS_BYTES;
            size += argument.len() + 1;
            if was_fine && size > MAX_ARGUMENTS_BYTES {
                let message = "the arguments of a program must not be longer than 1 MiB together\ngive the program a file, or standard input, instead";
                self.report(&at.span, message);
            }
            arguments.push(argument);
        }
        arguments
    }

    /// Reports an argument that Linux cannot pass to a program.
    fn check_argument(&mut self, span: &Range<usize>, argument: &str) {
        if argument.contains('\0') {
            self.report(span, "an argument must not contain a NUL character");
        }
        if argument.len() > MAX_ARGUMENT_BYTES {
            let message = format!(
                "an argument must not be longer than {MAX_ARGUMENT_BYTES} bytes, found {}\ngive the program a file, or standard input, instead",
                argument.len()
            );
            self.report(span, &message);
        }
    }

    /// Loads a path from the problem file. If that fails, reports it and returns the default value.
    pub(crate) fn load<T: Default>(
        &mut self,
        at: &At<String>,
        load: impl Fn(&dyn Library, &str) -> io::Result<T>,
    ) -> T {
        let loaded = join(self.folder, at)
            .map_err(str::to_owned)
            .and_then(|path| {
                let shown = || self.library.describe(&path);
                load(self.library, &path)
                    .map_err(|error| format!("`{}`: {}", shown(), explain(&error)))
            });
        loaded.unwrap_or_else(|message| {
            self.report(&at.span, &message);
            T::default()
        })
    }

    /// The bytes of a file. All files stay in memory, so their total is limited.
    pub(crate) fn read(&mut self, at: &At<String>) -> Arc<[u8]> {
        if self.bytes > MAX_DATA.0 {
            return Arc::default();
        }
        let bytes = self.load(at, |library, path| library.read(path));
        self.bytes += bytes.len() as u64;
        if self.bytes > MAX_DATA.0 {
            let message = format!("the inputs and answers are larger than {MAX_DATA} together");
            self.report(&at.span, &message);
        }
        self.remember(at, &bytes);
        bytes.into()
    }

    /// Files by their names alone.
    pub(crate) fn files(&mut self, paths: &[At<String>]) -> Vec<SourceFile> {
        let files = paths.iter();
        let files = files.map(|path| SourceFile::new(file_name(path), self.read(path)));
        files.collect()
    }

    /// A source file, or all sources of a folder.
    pub(crate) fn sources(&mut self, at: &At<String>) -> Vec<SourceFile> {
        let sources = self.load(at, sources);
        for source in &sources {
            self.remember(&below(at, &source.path), &source.bytes);
        }
        sources
    }

    /// A checker, interactor or validator, with its arguments for a case.
    pub(crate) fn author_call(
        &mut self,
        file: &ProgramFile,
        role: Role,
        variables: &BTreeMap<String, String>,
    ) -> AuthorCall {
        match (file.protocol, role) {
            (CheckerProtocol::Junit, Role::Checker | Role::Validator) => {
                self.report(&file.source.span, "the protocol `junit` is for interactors");
            }
            (CheckerProtocol::Hustoj | CheckerProtocol::Cms, Role::Interactor) => {
                let message = "the protocols `hustoj` and `cms` are for checkers";
                self.report(&file.source.span, message);
            }
            _ => {}
        }
        AuthorCall {
            program: self.author_program(&file.source, role, Some(file)),
            arguments: self.fill_all(&file.arguments, variables),
        }
    }

    /// A validator: a program, or a file `*.ctd` in the language checktestdata. Reports a mistake and returns `None` if
    /// that is wrong.
    pub(crate) fn validator(
        &mut self,
        file: &ProgramFile,
        variables: &BTreeMap<String, String>,
    ) -> Option<InputValidator> {
        let source = &file.source;
        if source.value.rsplit('.').next() != Some("ctd") {
            let call = self.author_call(file, Role::Validator, variables);
            return Some(InputValidator::Program(call));
        }
        let has_limits = file.time.is_some() || file.memory.is_some() || file.processes.is_some();
        if !file.arguments.is_empty() || has_limits || file.protocol != CheckerProtocol::default() {
            let message = "a validator in checktestdata takes no arguments and no limits\nremove `arguments`, `protocol`, `time`, `memory` and `processes`";
            self.report(&source.span, message);
        }
        let known = self.checktestdata.iter().find(|it| it.0 == source.value);
        if let Some((_, known)) = known {
            return known.clone().map(InputValidator::Checktestdata);
        }
        let loaded = self.sources(source).into_iter().next();
        let parsed =
            loaded.and_then(
                |source| match grader_checktestdata::Program::parse(&source.bytes) {
                    Ok(program) => Some(Arc::new(Checktestdata { source, program })),
                    Err(mistake) => {
                        let message = format!("`{}`, {mistake}", file.source.value);
                        self.report(&file.source.span, &message);
                        None
                    }
                },
            );
        let entry = (source.value.clone(), parsed.clone());
        self.checktestdata.push(entry);
        parsed.map(InputValidator::Checktestdata)
    }

    /// `gen.py {n}`: a program with its arguments. Reports a mistake and returns `None` if it is wrong.
    pub(crate) fn command(
        &mut self,
        at: &At<Scalar>,
        role: Role,
        variables: &BTreeMap<String, String>,
    ) -> Option<AuthorCall> {
        let text = self.fill(at, variables)?;
        self.check_argument(&at.span, &text);
        let mut words = text.split_whitespace().map(str::to_owned);
        let Some(value) = words.next() else {
            let message = match role {
                Role::Change => "`change` needs a program\nwrite `change = \"noise.py {seed}\"`",
                Role::Mutant => "`mutant` needs a program\nwrite `mutant = \"mutants/sign.py\"`",
                _ => "`generate` needs a program\nwrite `generate = \"gen.py {n}\"`",
            };
            self.report(&at.span, message);
            return None;
        };
        let span = at.span.clone();
        let value = self.known(&span, value)?;
        Some(AuthorCall {
            program: self.author_program(&At { value, span }, role, None),
            arguments: words.collect(),
        })
    }

    /// Loads a program, once for all references to it with the same role and options.
    fn author_program(
        &mut self,
        source: &At<String>,
        role: Role,
        options: Option<&ProgramFile>,
    ) -> Arc<AuthorProgram> {
        let mut program = AuthorProgram {
            id: ProgramId::default(),
            role,
            path: source.value.clone(),
            language: None,
            sources: Vec::new(),
            protocol: options.map(|it| it.protocol).unwrap_or_default(),
            cpu: options
                .and_then(|it| it.time)
                .map_or(DEFAULT_CHECKER_CPU, Time::cpu),
            memory: options
                .and_then(|it| it.memory)
                .map_or(DEFAULT_CHECKER_MEMORY, |size| size.0),
            processes: options.and_then(|it| it.processes).map_or(1, Count::get),
        };
        let mut same_source = self.programs.iter().filter(|it| it.0 == source.value);
        if let Some((_, known)) = same_source.find(|(_, known)| known.has_options_of(&program)) {
            return Arc::clone(known);
        }
        program.sources = self.sources(source);
        let is_script = |file: &SourceFile| matches!(&*file.path, "build" | "run");
        program.language = if program.sources.iter().any(is_script) {
            Some(scripted())
        } else {
            self.recognise(&program.sources)
        };
        program.id = program.content_id();
        let program = Arc::new(program);
        // A source that cannot be read is reported at every place that names it.
        if !program.sources.is_empty() {
            let entry = (source.value.clone(), Arc::clone(&program));
            self.programs.push(entry);
        }
        program
    }
}
