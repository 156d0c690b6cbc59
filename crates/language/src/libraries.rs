//! Libraries that an author's sources need, and whether this machine has them.

use std::collections::BTreeSet;
use std::path::Path;

use grader_model::{LanguageId, Text, text};

use crate::language::Language;
use crate::lexer::Token;
use crate::preprocessor::includes;
use crate::probe::ask;
use crate::python::imports;
use crate::source::SourceText;
use crate::syntax::Syntax;

/// Prints which of these modules Python does not find. It loads none of them.
const FIND_MODULES: &str = "\
import importlib.util, sys
for name in sys.argv[1:]:
    try:
        found = importlib.util.find_spec(name)
    except Exception:
        found = True
    if found is None:
        print(name)
";

impl Language {
    /// What an author's sources or flags need that this machine lacks: modules of Python, headers in angle brackets of C and
    /// C++, files that flags name, flags that the compiler refuses. Nothing if the language is not installed, unless it is built
    /// by the author's own command. `is_own` says whether a module of this name could be the author's or a student's.
    pub fn lacks(&self, sources: &[SourceText<'_>], is_own: impl Fn(&str) -> bool) -> Vec<Text> {
        if self.definition.build.is_some()
            && let Err(missing) = self.find()
        {
            return vec![missing.problem()];
        }
        match self.id {
            LanguageId::Python => {
                let modules = sources
                    .iter()
                    .flat_map(|it| modules(&it.text, &it.tokens(Syntax::Python)));
                let modules: BTreeSet<&str> = modules.filter(|it| !is_own(it)).collect();
                let missing = self.missing_modules(&modules).into_iter();
                let text = |name: String| {
                    text!(
                        "Python has no module `{name}` here",
                        "本机的 Python 没有模块 `{name}`"
                    )
                };
                missing.map(text).collect()
            }
            LanguageId::C | LanguageId::Cpp => self.lacks_in_c(sources),
            _ => self.missing_files(),
        }
    }

    /// Which of these modules Python does not find.
    pub fn missing_modules(&self, modules: &BTreeSet<&str>) -> Vec<String> {
        let Some(toolchain) = self.find().ok().filter(|_| !modules.is_empty()) else {
            return Vec::new();
        };
        let arguments: Vec<_> = ["-I", "-c", FIND_MODULES]
            .into_iter()
            .chain(modules.iter().copied())
            .collect();
        let found = ask(&toolchain.programs[0], &arguments).unwrap_or_default();
        found.lines().map(str::to_owned).collect()
    }

    fn lacks_in_c(&self, sources: &[SourceText<'_>]) -> Vec<Text> {
        let Ok(toolchain) = self.find() else {
            return Vec::new();
        };
        let word = if self.id == LanguageId::C { "c" } else { "c++" };
        let accepts = |headers: &[&str]| {
            let flags = toolchain.flags.iter().map(String::as_str);
            let included = headers.iter().flat_map(|it| ["-include", *it]);
            let rest = ["-fsyntax-only", "-x", word, "/dev/null"];
            let arguments: Vec<_> = flags.chain(included).chain(rest).collect();
            ask(&toolchain.programs[0], &arguments).is_ok()
        };
        if !accepts(&[]) {
            let flags = self.own_flags().join(" ");
            let compiler = &toolchain.version;
            return vec![text!(
                "{compiler} refuses the flags `{flags}`",
                "{compiler} 不接受选项 `{flags}`"
            )];
        }
        let headers = sources.iter().flat_map(|it| {
            let all = includes(&it.text, &it.tokens(self.definition.syntax));
            all.into_iter().filter_map(|name| name.strip_prefix('<'))
        });
        let headers: BTreeSet<&str> = headers.collect();
        let all: Vec<_> = headers.iter().copied().collect();
        if accepts(&all) {
            return Vec::new();
        }
        let missing = all.into_iter().filter(|it| !accepts(&[it]));
        let text = |name: &str| {
            let compiler = &toolchain.version;
            text!(
                "{compiler} has no header `{name}` here",
                "本机的 {compiler} 没有头文件 `{name}`"
            )
        };
        missing.map(text).collect()
    }

    /// Files that the author's flags name and that do not exist: a library of Java.
    fn missing_files(&self) -> Vec<Text> {
        let flags = self.own_flags();
        let paths = flags.iter().flat_map(|flag| flag.split([':', '=']));
        let missing =
            paths.filter(|it| it.starts_with('/') && !it.contains('*') && !Path::new(it).exists());
        let missing: BTreeSet<&str> = missing.collect();
        let name = &self.definition.name;
        let text = |path: &str| {
            text!(
                "there is no `{path}` here, which the flags of {name} name",
                "本机没有 {name} 的选项中提到的 `{path}`"
            )
        };
        missing.into_iter().map(text).collect()
    }
}

/// The modules that a script imports in any case: in lines that are not indented.
fn modules<'a>(text: &str, tokens: &[Token<'a>]) -> Vec<&'a str> {
    let all = imports(text, tokens).into_iter();
    let certain = all.filter(|it| it.is_outermost && it.level == 0);
    certain.flat_map(|it| it.modules).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lexer::tokens;

    #[test]
    fn modules_are_those_that_a_script_cannot_do_without() {
        let text = "import os, numpy.linalg as la\nfrom a.b import c\nfrom . import d\ntry:\n    import e\nimport f # import g\nx = 'import h'\nimport 1'\n";
        assert_eq!(
            modules(text, &tokens(text, Syntax::Python)),
            ["os", "numpy", "a", "f"]
        );
    }
}
