//! An assignment's languages: the built-in ones, with those that it adds or changes.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, OnceLock};

use grader_model::{LanguageId, SourceFile, extension_of};
use toml::{Table, Value};

use crate::constants::{PYPY, PYPY_MEMORY, PYPY_NAME};
use crate::definition::{BuildCommand, Changes, Definition};
use crate::toolchain::{NotInstalled, Toolchain, find};

/// A programming language: its definition, and the tools found for it.
#[derive(Debug)]
pub struct Language {
    /// Its identifier in problem files and results.
    pub id: LanguageId,
    /// Whether an assignment has added or changed it.
    pub is_custom: bool,
    /// How it is recognised, compiled and run.
    pub definition: Definition,
    toolchain: OnceLock<Result<Toolchain, NotInstalled>>,
}

/// Languages are equal if their definitions are, whatever tools were found.
impl PartialEq for Language {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.definition == other.definition
    }
}

/// An assignment's languages, in display order. Cheap to clone.
#[derive(Clone, Debug, PartialEq)]
pub struct Languages(Arc<BTreeMap<LanguageId, Arc<Language>>>);

static BUILT_IN: LazyLock<(BTreeMap<LanguageId, Table>, Languages)> = LazyLock::new(|| {
    let tables: BTreeMap<LanguageId, Table> =
        toml::from_str(include_str!("languages.toml")).expect("a test reads languages.toml");
    let definitions = definitions(tables.clone()).expect("a test reads languages.toml");
    let languages = definitions.into_iter().map(|(id, definition)| {
        let language = Language::new(id, definition, false);
        (id, Arc::new(language))
    });
    (tables, Languages(Arc::new(languages.collect())))
});

/// The languages of `more_languages.toml`, by which an assignment turns them on.
static MORE: LazyLock<BTreeMap<LanguageId, Table>> = LazyLock::new(|| {
    toml::from_str(include_str!("more_languages.toml")).expect("a test reads more_languages.toml")
});

impl Languages {
    /// The languages of `languages.toml`.
    pub fn built_in() -> Self {
        BUILT_IN.1.clone()
    }

    /// The built-in languages with an assignment's additions and changes.
    ///
    /// # Errors
    /// The messages of all mistakes in the definitions.
    pub fn with(changes: &BTreeMap<LanguageId, Changes>) -> Result<Self, Vec<String>> {
        let (tables, built_in) = &*BUILT_IN;
        let languages = definitions(changed(tables.clone(), changes))?;
        let languages = languages.into_iter().map(|(id, definition)| {
            let unchanged = built_in.0.get(&id).filter(|_| !changes.contains_key(&id));
            // Unchanged languages are shared, so that their tools are looked for only once per process.
            let language =
                unchanged.map_or_else(|| Arc::new(Language::new(id, definition, true)), Arc::clone);
            (id, language)
        });
        Ok(Self(Arc::new(languages.collect())))
    }

    /// These languages, some of them with more flags.
    #[must_use]
    pub fn with_flags(&self, flags: &BTreeMap<LanguageId, Vec<String>>) -> Self {
        self.with_own(flags.iter().map(|(id, more)| (*id, more)), |it, more| {
            it.flags.extend(more.iter().cloned());
        })
    }

    /// These languages, some of them with a problem's own choice of tools, the preferred one first.
    #[must_use]
    pub fn with_tools(&self, tools: &BTreeMap<LanguageId, Vec<String>>) -> Self {
        self.with_own(tools.iter().map(|(id, own)| (*id, own)), |it, own| {
            it.tools.clone_from(own);
        })
    }

    /// These languages, some of them built by a problem's own command.
    #[must_use]
    pub fn with_build(&self, ids: &[LanguageId], build: &BuildCommand) -> Self {
        self.with_own(ids.iter().map(|id| (*id, build)), |it, build| {
            it.build = Some(build.clone());
        })
    }

    /// These languages, and the one of files that are submitted instead of a program.
    #[must_use]
    pub fn with_files(&self, id: LanguageId) -> Self {
        let mut languages = Arc::clone(&self.0);
        Arc::make_mut(&mut languages).insert(id, of_files(id));
        Self(languages)
    }

    /// These languages, some of them with a problem's own settings.
    fn with_own<T>(
        &self,
        own: impl Iterator<Item = (LanguageId, T)>,
        change: impl Fn(&mut Definition, T),
    ) -> Self {
        let mut languages = Arc::clone(&self.0);
        for (id, setting) in own {
            if let Some(language) = self.get(id) {
                let mut definition = language.definition.clone();
                change(&mut definition, setting);
                let language = Arc::new(Language::new(id, definition, true));
                Arc::make_mut(&mut languages).insert(id, language);
            }
        }
        Self(languages)
    }

    /// Languages that an assignment turns on by naming them: `[languages.lua]`.
    pub fn on_request() -> impl Iterator<Item = LanguageId> {
        MORE.keys().copied()
    }

    /// All languages, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Arc<Language>> + Clone {
        self.0.values()
    }

    /// The language with this id, if there is one.
    pub fn get(&self, id: LanguageId) -> Option<&Arc<Language>> {
        self.0.get(&id)
    }

    /// A language's name in reports. Results of a different assignment may have a language that is not defined here:
    /// then its id is its name, unless it is one that others turn on.
    pub fn name(&self, id: LanguageId) -> &str {
        let named = self
            .get(id)
            .map(|language| language.definition.name.as_str());
        let more = || match id {
            LanguageId::Outputs => Some(OUTPUTS),
            LanguageId::Tests => Some(TESTS),
            _ => MORE.get(&id)?.get("name")?.as_str(),
        };
        named.or_else(more).unwrap_or(id.as_str())
    }

    /// The language whose sources have such a file name; `None` for headers and anything else.
    ///
    /// Only the name decides, so a C++ program in a `.c` file is C here.
    pub fn of_file_name(&self, name: &str) -> Option<&Arc<Language>> {
        let extension = extension_of(name);
        self.iter()
            .find(|language| language.definition.extensions.contains(&extension))
    }

    /// Whether a file with this name is a header of some language.
    pub fn is_header_name(&self, name: &str) -> bool {
        let extension = extension_of(name);
        self.iter()
            .any(|language| language.definition.headers.contains(&extension))
    }
}

/// The tables of the built-in languages with changes.
fn changed(
    mut tables: BTreeMap<LanguageId, Table>,
    changes: &BTreeMap<LanguageId, Changes>,
) -> BTreeMap<LanguageId, Table> {
    for (&id, Changes(changes)) in changes {
        let known = || MORE.get(&id).cloned().unwrap_or_default();
        let (base, mut changes) = (tables.entry(id).or_insert_with(known), changes.clone());
        if let (Some(Value::Array(all)), Some(Value::Array(own))) =
            (base.get("flags"), changes.get_mut("flags"))
        {
            own.splice(0..0, all.iter().cloned());
        }
        if changes.contains_key("compile") {
            // The alternative tools belong to the built-in command.
            base.remove("tools");
        }
        base.extend(changes);
    }
    tables
}

/// The languages defined by these tables, or all mistakes in them.
fn definitions(
    tables: BTreeMap<LanguageId, Table>,
) -> Result<BTreeMap<LanguageId, Definition>, Vec<String>> {
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

impl Language {
    fn new(id: LanguageId, mut definition: Definition, is_custom: bool) -> Self {
        if definition.name.is_empty() {
            definition.name = id.to_string();
        }
        if definition.tools.iter().any(|it| it == PYPY) {
            definition.memory = definition.memory.max(PYPY_MEMORY);
            PYPY.clone_into(&mut definition.package);
        }
        Self {
            id,
            is_custom,
            definition,
            toolchain: OnceLock::new(),
        }
    }

    /// Looks for its tools on this machine and probes their versions, once.
    ///
    /// # Errors
    /// If they are not installed or do not work.
    pub fn find(&self) -> Result<Toolchain, NotInstalled> {
        let path = || std::env::var_os("PATH").unwrap_or_default();
        self.toolchain
            .get_or_init(|| find(&self.definition, &path()))
            .clone()
    }

    /// Whether programs run in CPython although times are made for PyPy, which is not here: it comes first in `tools`.
    pub fn lacks_pypy(&self) -> bool {
        let wants_pypy = self.definition.tools.first().is_some_and(|it| it == PYPY);
        wants_pypy
            && self
                .find()
                .is_ok_and(|it| !it.version.starts_with(PYPY_NAME))
    }

    /// The language, built by its own command.
    #[must_use]
    pub fn without_build(self: &Arc<Self>) -> Arc<Self> {
        if self.definition.build.is_none() {
            return Arc::clone(self);
        }
        let definition = Definition {
            build: None,
            ..self.definition.clone()
        };
        Arc::new(Self::new(self.id, definition, self.is_custom))
    }

    /// Whether its submissions are programs, not outputs or tests.
    pub fn is_of_programs(&self) -> bool {
        self.id.is_of_programs()
    }

    /// Whether nobody knows which tools build a program: a script or an author's command does.
    pub fn has_unknown_tools(&self) -> bool {
        self.id == LanguageId::Scripted || self.definition.build.is_some()
    }

    /// Whether its commands have a place for flags.
    pub fn takes_flags(&self) -> bool {
        let Definition { compile, run, .. } = &self.definition;
        compile.iter().chain(run).any(|it| it.contains("{flags}"))
    }

    /// Whether a file is a source of this language by its name. A C++ compiler accepts C, too.
    pub fn is_source(&self, file: &SourceFile) -> bool {
        let extension = file.extension();
        self.definition.extensions.contains(&extension)
            || (self.id == LanguageId::Cpp && extension == "c")
    }

    /// Whether a file is a source or a header by its name.
    pub(crate) fn is_code(&self, file: &SourceFile) -> bool {
        self.is_source(file) || self.is_header(file)
    }

    /// Whether a file is one that sources include, by its name.
    pub(crate) fn is_header(&self, file: &SourceFile) -> bool {
        self.definition.headers.contains(&file.extension())
    }

    /// Whether an assignment or a problem says how it is built or run: with flags, commands or variables of its own.
    pub fn has_own_commands(&self) -> bool {
        let own = &self.definition;
        let is_changed = |Self { definition, .. }: &Self| {
            definition.flags != own.flags
                || definition.compile != own.compile
                || definition.run != own.run
                || definition.build != own.build
                || definition.environment != own.environment
        };
        let built_in = BUILT_IN.1.0.get(&self.id);
        built_in.is_none_or(|it| is_changed(it))
    }

    /// The flags that an assignment or a problem has added.
    pub fn own_flags(&self) -> Vec<String> {
        let built_in = BUILT_IN.1.0.get(&self.id);
        let common = built_in.map_or(0, |it| it.definition.flags.len());
        self.definition.flags.iter().skip(common).cloned().collect()
    }

    /// The files with code, as opposed to a readme, which may quote an `#include`, too. A single file counts as code
    /// whatever its name.
    pub fn code_files<'a, F: AsRef<SourceFile>>(
        &self,
        files: &'a [F],
    ) -> impl Iterator<Item = &'a F> {
        let is_alone = files.len() == 1;
        let is_code = move |file: &&F| is_alone || self.is_code((*file).as_ref());
        files.iter().filter(is_code)
    }

    /// A program that prints one number, using the library that nearly every submission loads. Its CPU time is the cost
    /// of a run in this language before the student's own work begins. `None` for languages compiled to machine code,
    /// whose programs start in about a millisecond.
    pub fn startup_program(&self) -> Option<SourceFile> {
        let startup = self.definition.startup.as_ref()?;
        Some(SourceFile::new(
            startup.file.as_str(),
            startup.text.as_bytes(),
        ))
    }
}

/// The language of an author's program whose `build` script makes a program or script `run`, or that has such a script
/// already: as in the Kattis problem format.
pub fn scripted() -> Arc<Language> {
    static SCRIPTED: LazyLock<Arc<Language>> = LazyLock::new(|| {
        // Nothing in the build folder can be started yet.
        let build = "if [ -f build ]; then
            case $(head -n 1 build) in *bash*) bash ./build ;; *) sh ./build ;; esac || exit
        fi
        chmod +x run";
        let definition = Definition {
            name: "build script".to_owned(),
            compile: ["sh", "-c", build].map(str::to_owned).into(),
            run: vec!["{build}/run".to_owned()],
            // A shell script starts other programs.
            threads: 15,
            ..Definition::default()
        };
        Arc::new(Language::new(LanguageId::Scripted, definition, true))
    });
    Arc::clone(&SCRIPTED)
}

const OUTPUTS: &str = "output files";
const TESTS: &str = "tests";

/// Files that are submitted instead of a program. A run prints the one whose name is its argument.
fn of_files(id: LanguageId) -> Arc<Language> {
    let name = if id == LanguageId::Tests {
        TESTS
    } else {
        OUTPUTS
    };
    let definition = Definition {
        name: name.to_owned(),
        package: "coreutils".to_owned(),
        run: ["cat", "--"].map(str::to_owned).into(),
        ..Definition::default()
    };
    Arc::new(Language::new(id, definition, true))
}

/// A built-in language.
#[cfg(test)]
pub(crate) fn built_in(id: LanguageId) -> Arc<Language> {
    Arc::clone(Languages::built_in().get(id).unwrap())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::definition::Probe;

    fn with(text: &str) -> Result<Languages, Vec<String>> {
        Languages::with(&toml::from_str(text).unwrap())
    }

    #[test]
    fn the_built_in_languages_are_complete() {
        let all = Languages::built_in();
        assert!(all.iter().map(|it| it.id).eq(LanguageId::ALL));
        for Language { definition, .. } in all.iter().map(Arc::as_ref) {
            assert!(!definition.package.is_empty() && !definition.name.is_empty());
            let mut names = definition.extensions.iter().map(|it| format!("a.{it}"));
            assert!(!names.any(|name| all.is_header_name(&name)));
        }
    }

    #[test]
    fn an_assignment_turns_languages_on() {
        let all = Languages::on_request().map(|id| (id, Changes(Table::new())));
        let all = Languages::with(&all.collect()).unwrap();
        assert_eq!(
            all.iter().count(),
            LanguageId::ALL.len() + Languages::on_request().count()
        );
        let lua = with("[lua]\nflags = ['-W']").unwrap();
        let lua = lua.of_file_name("a.lua").unwrap();
        assert_eq!(
            (&*lua.definition.name, &*lua.definition.flags),
            ("Lua", &["-W".to_owned()][..])
        );
        assert!(Languages::built_in().of_file_name("a.lua").is_none());
        assert_eq!(Languages::built_in().name(lua.id), "Lua");
    }

    #[test]
    fn an_assignment_adds_a_language_and_changes_another() {
        let all = with(
            "[zig]\nname = 'Zig'\nextensions = ['zig']\nrun = ['{program}']\n\
             compile = ['zig', 'build-exe', '-O', 'ReleaseFast', '-femit-bin={program}', '{main}']\n\
             [cpp]\nflags = ['-std=c++23']\ntime-factor = 1.5\nmemory = '8 MiB'\n\
             [c]\ncompile = ['tcc', '{files}']\n[rust]\ncompile = ['rustc-nightly', '{main}']",
        )
        .unwrap();
        let zig = LanguageId::new("zig").unwrap();
        let definition = |id| &all.get(id).unwrap().definition;
        let cpp = definition(LanguageId::Cpp);
        assert_eq!(
            (&*cpp.flags[0], &**cpp.flags.last().unwrap()),
            ("-std=gnu++20", "-std=c++23")
        );
        assert_eq!(
            (cpp.time_factor, cpp.memory.0, &*cpp.run[0]),
            (1.5, 8 << 20, "{program}")
        );
        assert_eq!(definition(LanguageId::Rust).probe, Probe::Rustc);
        assert_eq!(
            (definition(LanguageId::C).tools.len(), cpp.tools.len()),
            (0, 3)
        );
        assert_eq!(
            (all.name(zig), Languages::built_in().name(zig)),
            ("Zig", "zig")
        );
        let python = |languages: &Languages| Arc::clone(languages.get(LanguageId::Python).unwrap());
        assert!(Arc::ptr_eq(&python(&all), &python(&Languages::built_in())));
        let mistakes = with("[zig]\nextensions = ['c']\nrun = ['zig', 'run']").unwrap_err();
        let expected = [
            "language `zig`: neither `compile` nor `run` contains `{main}` or `{files}`",
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
        let languages = Languages::built_in();
        for (name, id) in table {
            let found = languages.of_file_name(name).map(|language| language.id);
            assert_eq!(found, id, "{name}");
        }
        let is_header = |name| languages.is_header_name(name);
        assert!(is_header("A.HPP") && !is_header("a.c") && !is_header(".h"));
    }
}
