//! How a language is defined: the entries of `languages.toml`, and of `[languages.NAME]` in an assignment.

use std::collections::BTreeMap;

use grader_model::Bytes;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use toml::Table;

use crate::encoding::Encoding;
use crate::syntax::Syntax;

/// How a tool is asked for its version and its files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Probe {
    /// It prints its version, and has its files in the folder above its `bin`.
    #[default]
    Version,
    /// As `rustc`: it prints its sysroot, and needs a linker.
    Rustc,
    /// As `javac`: it prints the properties of its virtual machine.
    Javac,
    /// As `fpc`: it prints which compiler it starts.
    Fpc,
    /// As `python3`: it runs a script that prints where its interpreter and library are.
    Python,
}

/// A problem's own command that builds its submissions, instead of their language's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildCommand {
    /// The command: the name of a program, then its arguments. No shell is involved.
    pub words: Vec<String>,
    /// The program that it makes, by its path in the build folder.
    pub program: String,
}

/// A language. A new one needs `extensions` and `run`; in a built-in one, keys that are left out keep their values.
///
/// Arguments of `compile` and `run` may contain `{program}`, `{main}`, `{files}`, `{folders}`, `{flags}`, `{build}` and
/// `{memory-mib}`. An argument with a placeholder for several things is repeated for each of them. No shell is involved.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Definition {
    /// The name in reports: `C++`.
    pub name: String,
    /// Extensions of its source files, in lower case and without the dot, the usual one first.
    pub extensions: Vec<String>,
    /// Extensions of files that sources include and that are not programs themselves.
    pub headers: Vec<String>,
    /// Programs to look for, the preferred one first. Default: the one that `compile` or `run` starts.
    pub tools: Vec<String>,
    /// How a tool is asked for its version and its files: `"version"` (it prints its version, and its files are in the
    /// folder above its `bin`), or as one of `"rustc"`, `"javac"`, `"fpc"`, `"python"`. Default: `"version"`.
    pub probe: Probe,
    /// Arguments with which a tool prints its version. Default: `--version`.
    pub version: Vec<String>,
    /// The oldest version that is accepted. Default: any.
    pub oldest: String,
    /// The Debian packages to install, separated by spaces.
    pub package: String,
    /// The web page to get a newer version from, for people whose packages are too old.
    pub download: String,
    /// Flags for `{flags}` in `compile` or `run`. Yours come after the built-in ones.
    pub flags: Vec<String>,
    /// The command that compiles a submission in the build folder. Default: none, for interpreted languages.
    pub compile: Vec<String>,
    /// The command that runs it.
    pub run: Vec<String>,
    /// The command that people type to compile files by hand, for instructions to students. Default: none is shown.
    pub by_hand: Vec<String>,
    /// Environment variables of both commands; `{build}` is the build folder.
    pub environment: BTreeMap<String, String>,
    /// Memory that the language gets on top of a program's limit: `128 MiB`.
    #[serde(deserialize_with = "memory")]
    #[schemars(with = "String")]
    pub memory: Bytes,
    /// Threads that the language needs on top of the program's limit.
    pub threads: u32,
    /// Whether it reserves far more address space than the memory it uses.
    pub reserves_memory: bool,
    /// Factor of time limits; a problem may set another. Default: 1.
    #[serde(default = "one")]
    pub time_factor: f64,
    /// How sources are read for hints and flags: `"c"`, `"cpp"`, `"rust"`, `"java"`, `"pascal"`, `"python"`, `"go"`,
    /// `"javascript"`, `"lua"`, `"sql"`, `"haskell"`, `"ocaml"`. Default: `"c"`.
    pub syntax: Syntax,
    /// The encoding that its compiler takes: `"bytes"` (any), `"utf-8"`, or `"python"` (UTF-8 or a coding line).
    /// Default: `"bytes"`.
    pub encoding: Encoding,
    /// The call that ends a program with a status, for hints: `System.exit`.
    pub exit_call: Option<String>,
    /// Code that reads standard input, for hints: `scanf`, `read(`.
    pub stdin: Vec<String>,
    /// Code that reads command-line arguments, for hints: `args()`.
    pub arguments: Vec<String>,
    /// Lines of standard error that report a lack of memory; `{}` stands for any text, `^` for the beginning.
    pub out_of_memory: Vec<String>,
    /// Lines of standard error that name a file that does not exist; `{}` stands for the file.
    pub missing_file: Vec<String>,
    /// A program that does nothing: its CPU time is the start-up time, which time limits allow for.
    pub startup: Option<Startup>,
    /// How undefined behaviour is found, after judging. Default: it is not looked for.
    pub undefined_behaviour: Option<DiagnosticBuilds>,
    /// A problem's own command, instead of `compile` and `run`.
    #[serde(skip)]
    #[schemars(skip)]
    pub build: Option<BuildCommand>,
}

/// Builds that show undefined behaviour: the flags of each, which come after `flags`. A build that the compiler refuses
/// is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct DiagnosticBuilds {
    /// A build that reports it on standard error, as the sanitizers of GCC and Clang do. `{fill}` is `zero` or
    /// `pattern`: what local variables begin with.
    pub sanitize: Vec<String>,
    /// A build whose warnings name uses of variables without a value. Default: none.
    pub analyse: Vec<String>,
    /// A build that fills its stack, as `GRADER_FILL` says, in the function `__sanitizer_cov_trace_pc` of the header
    /// `grader-fill.h`. Default: none.
    pub fill: Vec<String>,
    /// Environment variables of the programs of `sanitize` and `fill`. `{byte}` is what memory begins with: `0` for zeros, `1`
    /// for a pattern, `2` for different numbers.
    pub environment: BTreeMap<String, String>,
}

/// A program that measures the start-up time.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Startup {
    /// The name of its file.
    pub file: String,
    /// Its source.
    pub text: String,
}

/// Changes of a language: some keys of a [`Definition`]. A key that is left out keeps its built-in value.
#[derive(Clone, Debug, JsonSchema)]
pub struct Changes(#[schemars(with = "Definition")] pub(crate) Table);

impl<'de> Deserialize<'de> for Changes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let table = Table::deserialize(deserializer)?;
        match Definition::deserialize(table.clone()) {
            Ok(_) => Ok(Self(table)),
            Err(error) => Err(D::Error::custom(error.message())),
        }
    }
}

/// Words that braces may contain.
const PLACEHOLDERS: [&str; 9] = [
    "program",
    "main",
    "files",
    "folders",
    "flags",
    "build",
    "memory-mib",
    "class",
    "linker",
];

impl Definition {
    /// The mistakes in this definition.
    pub(crate) fn mistakes(&self) -> Vec<String> {
        let mut mistakes = Vec::new();
        for (list, key) in [(&self.extensions, "extensions"), (&self.run, "run")] {
            if list.is_empty() {
                mistakes.push(format!("`{key}` is missing or empty"));
            }
        }
        let is_wrong = |c: char| c.is_uppercase() || c.is_whitespace() || matches!(c, '.' | '/');
        for extension in self.extensions.iter().chain(&self.headers) {
            if extension.is_empty() || extension.contains(is_wrong) {
                mistakes.push(format!(
                    "extension `{extension}`: expected lower case, without the dot"
                ));
            }
        }
        let mut has_sources = self.run.is_empty();
        for (command, key) in [(&self.compile, "compile"), (&self.run, "run")] {
            for argument in command {
                has_sources |= argument.contains("{main}") || argument.contains("{files}");
                if let Some(unknown) = unknown_placeholder(argument) {
                    mistakes.push(format!("unknown placeholder `{{{unknown}}}` in `{key}`"));
                }
            }
        }
        if !has_sources {
            mistakes.push("neither `compile` nor `run` contains `{main}` or `{files}`".to_owned());
        }
        if self
            .compile
            .first()
            .is_some_and(|program| program.contains(['{', '/']))
        {
            mistakes.push("`compile` must begin with the name of a program".to_owned());
        }
        if !(0.1..=1000.0).contains(&self.time_factor) {
            mistakes.push("`time-factor` must be between 0.1 and 1000".to_owned());
        }
        if self.memory.0 > 16 << 30 || self.threads > 1000 {
            mistakes.push("`memory` must be at most 16 GiB, and `threads` at most 1000".to_owned());
        }
        mistakes
    }
}

/// The first word in braces that looks like a placeholder but is not one.
fn unknown_placeholder(argument: &str) -> Option<&str> {
    let is_word = |text: &str| {
        text.bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    let mut words = argument
        .split('{')
        .skip(1)
        .filter_map(|rest| Some(rest.split_once('}')?.0));
    words.find(|word| is_word(word) && !PLACEHOLDERS.contains(word))
}

fn memory<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(D::Error::custom)
}

const fn one() -> f64 {
    1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_in_a_definition_are_named() {
        #[rustfmt::skip]
        let table = [
            ("extensions = ['zig']\nrun = ['{program}']\ncompile = ['zig', '-femit-bin={program}', '{main}']", None),
            ("run = ['x', '{main}']", Some("`extensions` is missing or empty")),
            ("extensions = ['zig']", Some("`run` is missing or empty")),
            ("extensions = ['.Zig']\nrun = ['x', '{main}']", Some("extension `.Zig`: expected lower case, without the \
             dot")),
            ("extensions = ['zig']\nrun = ['x', '{mian}', '{main}']", Some("unknown placeholder `{mian}` in `run`")),
            ("extensions = ['zig']\nrun = ['x']", Some("neither `compile` nor `run` contains `{main}` or `{files}`")),
            ("extensions = ['zig']\nrun = ['{program}']\ncompile = ['{main}']", Some("`compile` must begin with the \
             name of a program")),
            ("extensions = ['zig']\nrun = ['x', '{main}']\ntime-factor = nan", Some("`time-factor` must be between 0.1 \
             and 1000")),
        ];
        for (text, expected) in table {
            let definition: Definition = toml::from_str(text).unwrap();
            assert_eq!(definition.mistakes(), Vec::from_iter(expected), "{text}");
        }
        for wrong in [
            "probe = 'gcc'",
            "extension = ['zig']",
            "memory = 5",
            "memory = '5 parsecs'",
        ] {
            assert!(toml::from_str::<Changes>(wrong).is_err(), "{wrong}");
        }
    }
}
