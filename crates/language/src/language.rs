//! The table of languages: the built-in ones, and those that a site defines.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock, PoisonError, RwLock};

use grader_model::{Bytes, LanguageId, SourceFile, extension_of};

use crate::definition::{Definition, DefinitionError};
use crate::encoding::Encoding;
use crate::lexer::{Syntax, Token, tokens};
use crate::toolchain::{NotInstalled, Toolchain, find};

/// A programming language.
#[derive(Debug)]
pub struct Language {
    id: LanguageId,
    pub(crate) definition: Definition,
    found: OnceLock<Result<Toolchain, NotInstalled>>,
}

type Table = BTreeMap<LanguageId, &'static Language>;

static BUILT_IN: LazyLock<BTreeMap<LanguageId, Definition>> = LazyLock::new(|| {
    toml::from_str(include_str!("languages.toml")).expect("a test reads languages.toml")
});

/// The table that holds in this process. It is replaced as a whole, and the languages in it live as long as the process,
/// so that they can be used by reference everywhere.
static TABLE: LazyLock<RwLock<&'static Table>> =
    LazyLock::new(|| RwLock::new(leaked(BUILT_IN.clone())));

fn leaked(definitions: BTreeMap<LanguageId, Definition>) -> &'static Table {
    let languages = definitions.into_iter().map(|(id, definition)| {
        let found = OnceLock::new();
        let language = Language {
            id,
            definition,
            found,
        };
        (id, &*Box::leak(Box::new(language)))
    });
    Box::leak(Box::new(languages.collect()))
}

fn table() -> &'static Table {
    &TABLE.read().unwrap_or_else(PoisonError::into_inner)
}

/// The built-in languages with what a site defines: new languages, and changes of built-in ones.
///
/// # Errors
/// All mistakes in the definitions.
fn merged(
    definitions: &BTreeMap<LanguageId, Definition>,
) -> Result<BTreeMap<LanguageId, Definition>, Vec<DefinitionError>> {
    let mut all = BUILT_IN.clone();
    let mut mistakes = Vec::new();
    for (&id, definition) in definitions {
        let base = all.remove(&id).unwrap_or_default();
        let complete = definition.clone().over(base);
        mistakes.extend(complete.mistakes(id));
        all.insert(id, complete);
    }
    let mut owners: BTreeMap<&str, LanguageId> = BTreeMap::new();
    for (&second, definition) in &all {
        for extension in definition.extensions.iter().flatten() {
            if let Some(first) = owners.insert(extension, second) {
                mistakes.push(DefinitionError::SharedExtension {
                    extension: extension.clone(),
                    first,
                    second,
                });
            }
        }
    }
    if mistakes.is_empty() {
        Ok(all)
    } else {
        Err(mistakes)
    }
}

/// Makes these definitions hold in this process, on top of the built-in languages and in place of earlier definitions.
///
/// # Errors
/// All mistakes in the definitions; then nothing changes.
pub fn define(definitions: &BTreeMap<LanguageId, Definition>) -> Result<(), Vec<DefinitionError>> {
    let all = merged(definitions)?;
    if !definitions.is_empty() {
        *TABLE.write().unwrap_or_else(PoisonError::into_inner) = leaked(all);
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
    static UNDEFINED: RwLock<Table> = RwLock::new(BTreeMap::new());
    if let Some(language) = table().get(&id) {
        return language;
    }
    let mut undefined = UNDEFINED.write().unwrap_or_else(PoisonError::into_inner);
    undefined.entry(id).or_insert_with(|| {
        let definitions = BTreeMap::from([(id, Definition::default())]);
        leaked(definitions)[&id]
    })
}

/// The language of which a file of this name is a source; `None` for headers and all else.
///
/// The name alone decides, so a C++ program called `.c` is C here.
pub fn of_file_name(name: &str) -> Option<LanguageId> {
    let extension = extension_of(name);
    let mut all = languages();
    all.find(|language| language.extensions().contains(&extension))
        .map(Language::id)
}

/// Whether a file of this name is a header of some language.
pub fn is_header_name(name: &str) -> bool {
    let extension = extension_of(name);
    let mut all = languages();
    all.any(|language| language.headers().contains(&extension))
}

/// The files that hold code: a readme beside them may quote an `#include` too. A file that is alone does whatever its
/// name.
pub(crate) fn code_files(sources: &[SourceFile]) -> impl Iterator<Item = &SourceFile> {
    sources.iter().filter(|source| {
        let name = source.name();
        sources.len() == 1 || of_file_name(name).is_some() || is_header_name(name)
    })
}

impl Language {
    /// Its word.
    pub const fn id(&self) -> LanguageId {
        self.id
    }

    /// The name people call it by: `C++`.
    pub fn name(&self) -> &str {
        self.definition.name.as_deref().unwrap_or(self.id.as_str())
    }

    /// Extensions of its source files, in lower case and without the dot, the usual one first.
    pub fn extensions(&self) -> &[String] {
        self.definition.extensions.as_deref().unwrap_or_default()
    }

    /// Extensions of files that its sources include and that are no programs alone.
    pub fn headers(&self) -> &[String] {
        self.definition.headers.as_deref().unwrap_or_default()
    }

    /// Looks for its tools on this machine and asks them for their version, once.
    ///
    /// # Errors
    /// If they are not installed or do not work.
    pub fn find(&self) -> Result<Toolchain, NotInstalled> {
        let find = || {
            find(
                self.id,
                &self.definition,
                &std::env::var_os("PATH").unwrap_or_default(),
            )
        };
        self.found.get_or_init(find).clone()
    }

    /// The Debian packages that hold its tools.
    pub fn packages(&self) -> impl Iterator<Item = &str> {
        self.definition
            .package
            .iter()
            .flat_map(|all| all.split(' '))
    }

    /// Memory that the language's own machinery takes on top of a program's limit (the Java machine).
    pub fn overhead(&self) -> Bytes {
        self.definition.memory.unwrap_or(Bytes(0))
    }

    /// Threads that the language's own machinery has besides the program's, on top of a limit of processes.
    pub fn threads(&self) -> u32 {
        self.definition.threads.unwrap_or(0)
    }

    /// Whether its machinery reserves far more address space than the memory it uses (the Java machine).
    pub fn reserves_memory(&self) -> bool {
        self.definition.reserves_memory.unwrap_or(false)
    }

    /// What time limits are multiplied by, unless a problem says otherwise.
    pub fn time_factor(&self) -> f64 {
        self.definition.time_factor.unwrap_or(1.0)
    }

    /// How its sources are read.
    pub fn syntax(&self) -> Syntax {
        self.definition.syntax.unwrap_or_default()
    }

    /// The tokens of a source text.
    pub fn tokens<'a>(&self, text: &'a str) -> Vec<Token<'a>> {
        tokens(text, self.syntax())
    }

    pub(crate) fn encoding(&self) -> Encoding {
        self.definition.encoding.unwrap_or_default()
    }

    /// A program that prints one number, with the library that nearly every submission loads. Its CPU time is what a run
    /// in this language costs before the student's own work begins. `None` for languages that are compiled to machine
    /// code: their programs start in about a millisecond.
    pub fn startup_program(&self) -> Option<SourceFile> {
        let startup = self.definition.startup.as_ref()?;
        Some(SourceFile::new(
            startup.file.as_str(),
            startup.text.as_bytes(),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(text: &str) -> Result<BTreeMap<LanguageId, Definition>, Vec<DefinitionError>> {
        merged(&toml::from_str(text).unwrap())
    }

    #[test]
    fn the_built_in_languages_are_complete() {
        assert!(merge("").unwrap().keys().eq(&LanguageId::ALL));
        for language in LanguageId::ALL.map(language) {
            assert_eq!(language.definition.mistakes(language.id()), []);
            assert!(language.definition.package.is_some() && language.definition.name.is_some());
            assert!(
                language
                    .extensions()
                    .iter()
                    .all(|it| !is_header_name(&format!("a.{it}")))
            );
        }
    }

    #[test]
    fn a_site_adds_a_language_and_changes_another() {
        let all = merge(
            "[zig]\nname = 'Zig'\nextensions = ['zig']\nrun = ['{program}']\n\
             compile = ['zig', 'build-exe', '-O', 'ReleaseFast', '-femit-bin={program}', '{main}']\n\
             [cpp]\nflags = ['-std=c++23']\ntime-factor = 1.5\nmemory = '8 MiB'\n",
        )
        .unwrap();
        let cpp = &all[&LanguageId::Cpp];
        let flags = cpp.flags.as_ref().unwrap();
        assert_eq!(flags[0], "-std=gnu++20");
        assert_eq!(flags.last().unwrap(), "-std=c++23");
        assert_eq!(
            (cpp.time_factor, cpp.memory),
            (Some(1.5), Some(Bytes(8 << 20)))
        );
        assert_eq!(cpp.run, BUILT_IN[&LanguageId::Cpp].run);
        assert!(all.contains_key(&LanguageId::new("zig").unwrap()));
        let shared =
            merge("[zig]\nextensions = ['c']\nrun = ['zig', 'run', '{main}']").unwrap_err();
        assert_eq!(
            shared[0].to_string(),
            "extension `c` belongs to both `c` and `zig`"
        );
    }

    #[test]
    fn names_say_the_language_of_a_source_in_any_case() {
        let table = [
            ("八皇后 #1.CPP", Some(LanguageId::Cpp)),
            ("a.b.cc", Some(LanguageId::Cpp)),
            ("A.Java", Some(LanguageId::Java)),
            ("a.mjs", Some(LanguageId::JavaScript)),
            ("queens.inc", None),
            ("a.txt", None),
            (".c", None),
        ];
        for (name, language) in table {
            assert_eq!(of_file_name(name), language, "{name}");
        }
        assert!(is_header_name("A.HPP") && !is_header_name("a.c") && !is_header_name(".h"));
    }
}
