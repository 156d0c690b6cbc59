//! The table of languages: the built-in ones, and those that a site defines.

use std::collections::BTreeMap;
use std::ops::Deref;
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};

use grader_model::{LanguageId, SourceFile, extension_of};
use toml::{Table, Value};

use crate::definition::{Changes, Definition};
use crate::lexer::{Token, tokens};
use crate::toolchain::{NotInstalled, Toolchain, find};

/// A programming language: its definition, and the tools that were found for it.
#[derive(Debug)]
pub struct Language {
    /// Its word.
    pub id: LanguageId,
    /// Whether a site has defined or changed it.
    pub is_site: bool,
    definition: Definition,
    found: OnceLock<Result<Toolchain, NotInstalled>>,
}

impl Deref for Language {
    type Target = Definition;

    fn deref(&self) -> &Definition {
        &self.definition
    }
}

type Languages = BTreeMap<LanguageId, &'static Language>;

static BUILT_IN: LazyLock<BTreeMap<LanguageId, Table>> = LazyLock::new(|| {
    toml::from_str(include_str!("languages.toml")).expect("a test reads languages.toml")
});

/// The languages that hold in this process. They are replaced as a whole, and live as long as the process, so that they
/// can be used by reference everywhere.
static LANGUAGES: LazyLock<RwLock<&'static Languages>> = LazyLock::new(|| {
    let definitions = merged(&BTreeMap::new()).expect("a test reads languages.toml");
    RwLock::new(leaked(definitions, |_| false))
});

fn leaked(
    definitions: BTreeMap<LanguageId, Definition>,
    is_site: impl Fn(&LanguageId) -> bool,
) -> &'static Languages {
    let languages = definitions.into_iter().map(|(id, mut definition)| {
        if definition.name.is_empty() {
            definition.name = id.to_string();
        }
        let language = Language {
            id,
            is_site: is_site(&id),
            definition,
            found: OnceLock::new(),
        };
        (id, &*Box::leak(Box::new(language)))
    });
    Box::leak(Box::new(languages.collect()))
}

fn table() -> &'static Languages {
    &LANGUAGES.read().unwrap_or_else(PoisonError::into_inner)
}

/// The built-in languages with what a site defines: new languages, and changes of built-in ones.
fn merged(
    site: &BTreeMap<LanguageId, Changes>,
) -> Result<BTreeMap<LanguageId, Definition>, Vec<String>> {
    let mut tables = BUILT_IN.clone();
    for (&id, Changes(changes)) in site {
        let (base, mut changes) = (tables.entry(id).or_default(), changes.clone());
        if let (Some(Value::Array(all)), Some(Value::Array(own))) =
            (base.get("flags"), changes.get_mut("flags"))
        {
            own.splice(0..0, all.iter().cloned());
        }
        if changes.contains_key("compile") {
            // The alternatives belong to the built-in command.
            base.remove("tools");
        }
        base.extend(changes);
    }
    let mut languages: BTreeMap<LanguageId, Definition> = BTreeMap::new();
    let mut owners: BTreeMap<String, LanguageId> = BTreeMap::new();
    let mut mistakes = Vec::new();
    for (id, table) in tables {
        let definition: Definition = match table.try_into() {
            Ok(definition) => definition,
            Err(error) => {
                mistakes.push(format!("language `{id}`: {}", error.message()));
                continue;
            }
        };
        mistakes.extend(
            definition
                .mistakes()
                .iter()
                .map(|mistake| format!("language `{id}`: {mistake}")),
        );
        for extension in &definition.extensions {
            if let Some(first) = owners.insert(extension.clone(), id) {
                mistakes.push(format!(
                    "extension `{extension}` belongs to both `{first}` and `{id}`"
                ));
            }
        }
        languages.insert(id, definition);
    }
    if mistakes.is_empty() {
        Ok(languages)
    } else {
        Err(mistakes)
    }
}

/// Makes these languages hold in this process, on top of the built-in ones and in place of earlier definitions.
///
/// # Errors
/// All mistakes in the definitions, in words; then nothing changes.
pub fn define(site: &BTreeMap<LanguageId, Changes>) -> Result<(), Vec<String>> {
    let languages = merged(site)?;
    if !site.is_empty() {
        *LANGUAGES.write().unwrap_or_else(PoisonError::into_inner) =
            leaked(languages, |id| site.contains_key(id));
    }
    Ok(())
}

/// The languages of this process, in the order in which they are listed to people.
pub fn languages() -> impl Iterator<Item = &'static Language> {
    table().values().copied()
}

/// Whether there is a language of this id.
pub fn is_known(id: LanguageId) -> bool {
    table().contains_key(&id)
}

/// The language of this id. One that is not defined in this process (only an old ledger can name it) has no tools.
pub fn language(id: LanguageId) -> &'static Language {
    let undefined = || leaked(BTreeMap::from([(id, Definition::default())]), |_| false)[&id];
    table().get(&id).copied().unwrap_or_else(undefined)
}

/// The language of which a file of this name is a source; `None` for headers and all else.
///
/// The name alone decides, so a C++ program called `.c` is C here.
pub fn of_file_name(name: &str) -> Option<LanguageId> {
    let extension = extension_of(name);
    let mut all = languages();
    all.find(|language| language.extensions.contains(&extension))
        .map(|language| language.id)
}

/// Whether a file of this name is a header of some language.
pub fn is_header_name(name: &str) -> bool {
    let extension = extension_of(name);
    let mut all = languages();
    all.any(|language| language.headers.contains(&extension))
}

/// The files that hold code: a readme beside them may quote an `#include` too. A file that is alone does whatever its
/// name.
pub fn code_files(sources: &[SourceFile]) -> impl Iterator<Item = &SourceFile> {
    sources.iter().filter(|source| {
        let name = source.name();
        sources.len() == 1 || of_file_name(name).is_some() || is_header_name(name)
    })
}

impl Language {
    /// Looks for its tools on this machine and asks them for their version, once.
    ///
    /// # Errors
    /// If they are not installed or do not work.
    pub fn find(&self) -> Result<Toolchain, NotInstalled> {
        let path = || std::env::var_os("PATH").unwrap_or_default();
        self.found
            .get_or_init(|| find(self.id, self, &path()))
            .clone()
    }

    /// The tokens of a source text.
    pub fn tokens<'a>(&self, text: &'a str) -> Vec<Token<'a>> {
        tokens(text, self.syntax)
    }

    /// A program that prints one number, with the library that nearly every submission loads. Its CPU time is what a run
    /// in this language costs before the student's own work begins. `None` for languages that are compiled to machine
    /// code: their programs start in about a millisecond.
    pub fn startup_program(&self) -> Option<SourceFile> {
        let startup = self.startup.as_ref()?;
        Some(SourceFile::new(
            startup.file.as_str(),
            startup.text.as_bytes(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(text: &str) -> Result<BTreeMap<LanguageId, Definition>, Vec<String>> {
        merged(&toml::from_str(text).unwrap())
    }

    #[test]
    fn the_built_in_languages_are_complete() {
        let all = merge("").unwrap();
        assert!(all.keys().eq(&LanguageId::ALL));
        for definition in all.values() {
            assert!(!definition.package.is_empty() && !definition.name.is_empty());
            assert!(
                !definition
                    .extensions
                    .iter()
                    .any(|it| is_header_name(&format!("a.{it}")))
            );
        }
    }

    #[test]
    fn a_site_adds_a_language_and_changes_another() {
        let all = merge(
            "[zig]\nname = 'Zig'\nextensions = ['zig']\nrun = ['{program}']\n\
             compile = ['zig', 'build-exe', '-O', 'ReleaseFast', '-femit-bin={program}', '{main}']\n\
             [cpp]\nflags = ['-std=c++23']\ntime-factor = 1.5\nmemory = '8 MiB'\n\
             [c]\ncompile = ['tcc', '{files}']",
        )
        .unwrap();
        let cpp = &all[&LanguageId::Cpp];
        assert_eq!(
            (&*cpp.flags[0], &**cpp.flags.last().unwrap()),
            ("-std=gnu++20", "-std=c++23")
        );
        assert_eq!(
            (cpp.time_factor, cpp.memory.0, &*cpp.run[0]),
            (1.5, 8 << 20, "{program}")
        );
        assert_eq!((all[&LanguageId::C].tools.len(), cpp.tools.len()), (0, 3));
        assert!(all.contains_key(&LanguageId::new("zig").unwrap()));
        let mistakes = merge("[zig]\nextensions = ['c']\nrun = ['zig', 'run']").unwrap_err();
        let expected = [
            "language `zig`: neither `compile` nor `run` holds `{main}` or `{files}`",
            "extension `c` belongs to both `c` and `zig`",
        ];
        assert_eq!(mistakes, expected);
    }

    #[test]
    fn names_say_the_language_of_a_source_in_any_case() {
        #[rustfmt::skip]
        let table = [
            ("八皇后 #1.CPP", Some(LanguageId::Cpp)), ("a.b.cc", Some(LanguageId::Cpp)), ("queens.inc", None),
            ("A.Java", Some(LanguageId::Java)), ("a.mjs", Some(LanguageId::JavaScript)), ("a.txt", None), (".c", None),
        ];
        for (name, language) in table {
            assert_eq!(of_file_name(name), language, "{name}");
        }
        assert!(is_header_name("A.HPP") && !is_header_name("a.c") && !is_header_name(".h"));
    }
}
