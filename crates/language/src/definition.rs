//! How a language is defined: the entries of `languages.toml`, and of `[languages.NAME]` in an assignment.

use std::collections::BTreeMap;

use grader_model::{Bytes, LanguageId};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};

use crate::encoding::Encoding;
use crate::lexer::Syntax;

/// A language, or what a site changes of one: a key that is left out keeps its built-in value.
///
/// Arguments of `compile` and `run` may hold `{program}`, `{main}`, `{files}`, `{folders}`, `{flags}`, `{build}` and
/// `{memory-mib}`. An argument with a placeholder for several things is repeated for each of them. No shell is involved.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Definition {
    /// The name people call it by: `C++`.
    pub name: Option<String>,
    /// Extensions of its source files, in lower case and without the dot, the usual one first.
    pub extensions: Option<Vec<String>>,
    /// Extensions of files that sources include and that are no programs alone.
    pub headers: Option<Vec<String>>,
    /// Programs to look for, the preferred one first; usually the one that `compile` or `run` starts.
    pub tools: Option<Vec<String>>,
    /// Arguments with which a tool says its version.
    pub version: Option<Vec<String>>,
    /// The oldest version that is accepted.
    pub oldest: Option<String>,
    /// The Debian packages that hold it.
    pub package: Option<String>,
    /// Flags, for `{flags}` in `compile` or `run`. A site's come after the built-in ones.
    pub flags: Option<Vec<String>>,
    /// The command that compiles a submission in the build folder. A language without one is only interpreted.
    pub compile: Option<Vec<String>>,
    /// The command that runs it.
    pub run: Option<Vec<String>>,
    /// Environment variables of both commands; `{build}` is the build folder.
    pub environment: Option<BTreeMap<String, String>>,
    /// Memory that the language's own machinery takes on top of a program's limit: `128 MiB`.
    #[serde(deserialize_with = "memory")]
    #[schemars(with = "Option<String>")]
    pub memory: Option<Bytes>,
    /// Threads that it has besides the program's.
    pub threads: Option<u32>,
    /// Whether it reserves far more address space than the memory it uses.
    pub reserves_memory: Option<bool>,
    /// What time limits are multiplied by, unless a problem says otherwise.
    pub time_factor: Option<f64>,
    /// How its sources are read for hints and flags.
    pub syntax: Option<Syntax>,
    /// The encoding of sources that its compiler takes.
    pub encoding: Option<Encoding>,
    /// The call that ends a program with a status.
    pub exit_call: Option<String>,
    /// Code that reads standard input.
    pub stdin: Option<Vec<String>>,
    /// Code that reads command-line arguments.
    pub arguments: Option<Vec<String>>,
    /// Lines of standard error by which a program ran out of memory; `{}` stands for any text, `^` for the beginning.
    pub out_of_memory: Option<Vec<String>>,
    /// Lines by which it did not find a file, which `{}` stands for.
    pub missing_file: Option<Vec<String>>,
    /// A program that does next to nothing: its CPU time is what each run costs before the student's work begins.
    pub startup: Option<Startup>,
}

/// A program by which start-up time is measured.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Startup {
    /// The name of its file.
    pub file: String,
    /// Its source.
    pub text: String,
}

/// A mistake in the definition of a language.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionError {
    /// A new language without something that it needs.
    #[error("language `{0}` is not built in, so it needs `{1}`")]
    Missing(LanguageId, &'static str),
    /// A list that may not be empty.
    #[error("language `{0}`: `{1}` must not be empty")]
    Empty(LanguageId, &'static str),
    /// An extension that no file name ends with.
    #[error("language `{0}`: extension `{1}`: expected lower case, without the dot")]
    Extension(LanguageId, String),
    /// An extension of two languages.
    #[error("extension `{extension}` belongs to both `{first}` and `{second}`")]
    SharedExtension {
        /// The extension.
        extension: String,
        /// The language that is listed first.
        first: LanguageId,
        /// The other one.
        second: LanguageId,
    },
    /// An argument with braces that mean nothing.
    #[error("language `{0}`: `{1}` in `{2}` is no placeholder")]
    Placeholder(LanguageId, String, &'static str),
    /// A command that begins with a placeholder.
    #[error("language `{0}`: `compile` must begin with the name of a program")]
    CompilerName(LanguageId),
    /// Neither command mentions the sources.
    #[error("language `{0}`: neither `compile` nor `run` holds `{{main}}` or `{{files}}`")]
    NoSources(LanguageId),
    /// A factor that no time can be multiplied by.
    #[error("language `{0}`: `time-factor` must be between 0.1 and 1000")]
    TimeFactor(LanguageId),
    /// Too much memory.
    #[error("language `{0}`: `memory` must be at most 16 GiB")]
    Memory(LanguageId),
    /// Too many threads.
    #[error("language `{0}`: `threads` must be at most 1000")]
    Threads(LanguageId),
}

/// What braces may hold.
const PLACEHOLDERS: [&str; 9] = [
    "{program}",
    "{main}",
    "{files}",
    "{folders}",
    "{flags}",
    "{build}",
    "{memory-mib}",
    "{class}",
    "{linker}",
];

impl Definition {
    /// This definition, with `base` for what it leaves out.
    pub(crate) fn over(self, base: Self) -> Self {
        Self {
            name: self.name.or(base.name),
            extensions: self.extensions.or(base.extensions),
            headers: self.headers.or(base.headers),
            tools: match &self.compile {
                // The alternatives are those of the built-in command.
                Some(_) => self.tools,
                None => self.tools.or(base.tools),
            },
            version: self.version.or(base.version),
            oldest: self.oldest.or(base.oldest),
            package: self.package.or(base.package),
            flags: match (base.flags, self.flags) {
                (Some(base), Some(own)) => Some([base, own].concat()),
                (base, own) => own.or(base),
            },
            compile: self.compile.or(base.compile),
            run: self.run.or(base.run),
            environment: self.environment.or(base.environment),
            memory: self.memory.or(base.memory),
            threads: self.threads.or(base.threads),
            reserves_memory: self.reserves_memory.or(base.reserves_memory),
            time_factor: self.time_factor.or(base.time_factor),
            syntax: self.syntax.or(base.syntax),
            encoding: self.encoding.or(base.encoding),
            exit_call: self.exit_call.or(base.exit_call),
            stdin: self.stdin.or(base.stdin),
            arguments: self.arguments.or(base.arguments),
            out_of_memory: self.out_of_memory.or(base.out_of_memory),
            missing_file: self.missing_file.or(base.missing_file),
            startup: self.startup.or(base.startup),
        }
    }

    /// What is wrong with this definition, complete as it is.
    pub(crate) fn mistakes(&self, id: LanguageId) -> Vec<DefinitionError> {
        let mut mistakes = Vec::new();
        for (list, key) in [(&self.extensions, "extensions"), (&self.run, "run")] {
            match list {
                None => mistakes.push(DefinitionError::Missing(id, key)),
                Some(list) if list.is_empty() => mistakes.push(DefinitionError::Empty(id, key)),
                Some(_) => {}
            }
        }
        for extension in self.extensions.iter().chain(&self.headers).flatten() {
            let is_extension =
                |c: char| !c.is_uppercase() && !c.is_whitespace() && !matches!(c, '.' | '/');
            if extension.is_empty() || !extension.chars().all(is_extension) {
                mistakes.push(DefinitionError::Extension(id, extension.clone()));
            }
        }
        let mut has_sources = false;
        for (command, key) in [(&self.compile, "compile"), (&self.run, "run")] {
            for argument in command.iter().flatten() {
                has_sources |= argument.contains("{main}") || argument.contains("{files}");
                if let Some(unknown) = unknown_placeholder(argument) {
                    mistakes.push(DefinitionError::Placeholder(id, unknown.to_owned(), key));
                }
            }
        }
        match self.compile.as_deref() {
            Some([]) => mistakes.push(DefinitionError::Empty(id, "compile")),
            Some([program, ..]) if program.contains(['{', '/']) => {
                mistakes.push(DefinitionError::CompilerName(id));
            }
            Some(_) | None => {}
        }
        if self.run.is_some() && !has_sources {
            mistakes.push(DefinitionError::NoSources(id));
        }
        if self
            .time_factor
            .is_some_and(|factor| !(0.1..=1000.0).contains(&factor))
        {
            mistakes.push(DefinitionError::TimeFactor(id));
        }
        if self.memory.is_some_and(|memory| memory.0 > 16 << 30) {
            mistakes.push(DefinitionError::Memory(id));
        }
        if self.threads.is_some_and(|threads| threads > 1000) {
            mistakes.push(DefinitionError::Threads(id));
        }
        mistakes
    }
}

/// What is in braces in an argument of one line, like a placeholder, and is none.
fn unknown_placeholder(argument: &str) -> Option<&str> {
    let is_word = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    argument.match_indices('{').find_map(|(open, _)| {
        let rest = &argument[open..];
        let found = &rest[..=rest.find('}')?];
        (is_word(&found[1..found.len() - 1]) && !PLACEHOLDERS.contains(&found)).then_some(found)
    })
}

fn memory<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Bytes>, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map(Some).map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(text: &str) -> Vec<String> {
        let definition: Definition = toml::from_str(text).unwrap();
        let id = LanguageId::new("zig").unwrap();
        let mistakes = definition.mistakes(id).into_iter();
        mistakes.map(|mistake| mistake.to_string()).collect()
    }

    #[test]
    fn mistakes_in_a_definition_are_named() {
        let good = "extensions = ['zig']\nrun = ['{program}']\ncompile = ['zig', 'build-exe', '-femit-bin={program}', '{main}']\n";
        assert_eq!(mistakes(good), [""; 0]);
        let table = [
            (
                "",
                "language `zig` is not built in, so it needs `extensions`",
            ),
            (
                "extensions = ['zig']",
                "language `zig` is not built in, so it needs `run`",
            ),
            (
                "extensions = ['.Zig']\nrun = ['x', '{main}']",
                "language `zig`: extension `.Zig`: expected lower case, without the dot",
            ),
            (
                "extensions = ['zig']\nrun = []",
                "language `zig`: `run` must not be empty",
            ),
            (
                "extensions = ['zig']\nrun = ['x', '{mian}', '{main}']",
                "language `zig`: `{mian}` in `run` is no placeholder",
            ),
            (
                "extensions = ['zig']\nrun = ['x']",
                "language `zig`: neither `compile` nor `run` holds `{main}` or `{files}`",
            ),
            (
                "extensions = ['zig']\nrun = ['{program}']\ncompile = ['{main}']",
                "language `zig`: `compile` must begin with the name of a program",
            ),
            (
                "extensions = ['zig']\nrun = ['x', '{main}']\ntime-factor = nan",
                "language `zig`: `time-factor` must be between 0.1 and 1000",
            ),
        ];
        for (text, expected) in table {
            let mistakes = mistakes(text);
            assert!(
                mistakes.iter().any(|it| it == expected),
                "{text}: {mistakes:?}"
            );
        }
        for wrong in ["extension = ['zig']", "memory = 5", "memory = '5 parsecs'"] {
            assert!(toml::from_str::<Definition>(wrong).is_err(), "{wrong}");
        }
    }
}
