//! Job keys: hashes of everything that a result depends on.

use std::collections::{BTreeMap, BTreeSet};
use std::env::consts::{ARCH, OS};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use grader_language::{Definition, Language, NotInstalled, SourceText, Toolchain, find_tool};
use grader_model::{Change, Isolation, LanguageId, ProblemId, SourceFile};
use grader_problem::{
    Assignment, AuthorProgram, CaseRef, Entry, Problem, ReferenceProgram, Sample,
};

use crate::cache::JobKey;
use crate::hash::hash;
use crate::host;
use crate::lock::locked;

/// The parts that all keys of one run share.
///
/// Small values are hashed by their `Debug` text: that may change with this program, but then [`Change::Grader`]
/// changes too.
#[derive(Debug)]
pub(crate) struct Keys {
    /// The parts of every key.
    shared: BTreeMap<Change, String>,
    /// The tools of all programs of each problem's author.
    authors: BTreeMap<ProblemId, AuthorTools>,
    /// The toolchain of each language with its flags, examined once per run.
    toolchains: Mutex<BTreeMap<String, String>>,
}

/// The tools of an author's programs.
#[derive(Debug)]
struct AuthorTools {
    languages: BTreeSet<LanguageId>,
    /// A hash of all toolchains.
    hash: String,
}

impl Keys {
    pub(crate) fn new(
        isolation: &Isolation,
        grader: &str,
        processor: &str,
        assignment: &Assignment,
    ) -> Self {
        let authors = assignment.problems.iter().map(|entry| {
            let problem = &entry.problem;
            let languages = author_languages(problem, &[]);
            let checks = problem.checks.tools.iter();
            let checks = checks.map(|it| of_found(find_tool(it.program())));
            let tools = AuthorTools {
                languages: languages.keys().copied().flatten().collect(),
                hash: languages
                    .into_values()
                    .map(of_toolchain)
                    .chain(checks)
                    .collect(),
            };
            (problem.id.clone(), tools)
        });
        let isolation = format!("{:?}", (isolation.level, &isolation.layers));
        // Not the kernel's release: it changes with every update, but hardly ever affects a program.
        Self {
            shared: BTreeMap::from([
                (Change::Grader, hash([grader.as_bytes()])),
                (Change::Host, hash([processor, ARCH, OS].map(str::as_bytes))),
                (Change::Isolation, hash([isolation.as_bytes()])),
            ]),
            authors: authors.collect(),
            toolchains: Mutex::default(),
        }
    }

    /// The key of a job with sources in this language.
    pub(crate) fn of(
        &self,
        entry: &Entry,
        language: Option<&Arc<Language>>,
        sources: &[SourceFile],
    ) -> JobKey {
        let problem = &entry.problem;
        let authors = &self.authors[&problem.id];
        // The points in the assignment, and whether they are a bonus.
        let worth = format!("{:?}", (entry.points, entry.bonus));
        let judging = hash([problem.own_version().as_bytes(), worth.as_bytes()]);
        // The author's programs set limits, make inputs and judge answers.
        let toolchain = {
            let mut all = locked(&self.toolchains);
            let own = language.map(|it| {
                let Definition {
                    flags,
                    build,
                    tools,
                    ..
                } = &it.definition;
                (it.id, flags, build, tools)
            });
            let own = all.entry(format!("{own:?}"));
            let own = own.or_insert_with(|| of_toolchain(language));
            hash([own.as_bytes(), authors.hash.as_bytes()])
        };
        let mut key = self.shared.clone();
        key.extend([
            (Change::Sources, of_sources(sources)),
            (Change::Judging, judging),
            (Change::Toolchain, toolchain),
        ]);
        JobKey(key)
    }

    /// Whether the key of a job in this language tells the tools of all these languages: those of the author's programs, and its
    /// own, in which a minimal program may be timed.
    pub(crate) fn tell(
        &self,
        problem: &ProblemId,
        own: Option<LanguageId>,
        read: &BTreeSet<LanguageId>,
    ) -> bool {
        let authors = self.authors.get(problem);
        let is_told = |it: &LanguageId| {
            own == Some(*it) || authors.is_some_and(|authors| authors.languages.contains(it))
        };
        read.iter().all(is_told)
    }
}

/// The sources of the reference and of the programs that are timed with it.
pub(crate) fn reference_sources(problem: &Problem) -> impl Iterator<Item = &[SourceFile]> {
    problem.reference.iter().flat_map(|reference| {
        let own = match &reference.program {
            ReferenceProgram::Sources(sources) => Some(sources),
            ReferenceProgram::Builtin(_) => None,
        };
        own.into_iter().chain(&reference.timed).map(Vec::as_slice)
    })
}

/// The author's programs of all cases, judged or not.
pub(crate) fn author_programs(problem: &Problem) -> impl Iterator<Item = &AuthorProgram> {
    let unjudged = CaseRef::in_subtasks(problem, &problem.unjudged);
    CaseRef::all(problem)
        .chain(unjudged)
        .flat_map(|CaseRef { case, .. }| case.programs().map(|call| &*call.program))
}

/// A hash of the toolchains of all programs that verifying a problem runs. `None` if a script or the author's command
/// builds one: its compilers are not known.
pub(crate) fn of_programs(problem: &Problem, samples: &[Sample]) -> Option<String> {
    let languages = author_languages(problem, samples);
    if languages
        .values()
        .flatten()
        .any(|it| it.has_unknown_tools())
    {
        return None;
    }
    let checks = problem.checks.tools.iter();
    let checks = checks.map(|it| of_found(find_tool(it.program())));
    let toolchains = languages.into_values().map(of_toolchain);
    let toolchains: Vec<_> = toolchains.chain(checks).collect();
    Some(hash(toolchains.iter().map(String::as_bytes)))
}

/// The languages of all programs of a problem's author; `None` if one is not recognised.
fn author_languages<'a>(
    problem: &'a Problem,
    samples: &'a [Sample],
) -> BTreeMap<Option<LanguageId>, Option<&'a Arc<Language>>> {
    let samples = samples.iter().map(|it| problem.language_of(&it.sources));
    let references = reference_sources(problem);
    let references = references.map(|it| problem.languages.recognise(&SourceText::all(it)));
    let recognised = samples.chain(references);
    let authors = author_programs(problem).map(|it| it.language.as_ref());
    let languages = recognised.chain(authors);
    languages.map(|it| (it.map(|it| it.id), it)).collect()
}

/// What changes when packages are installed: system libraries belong to no toolchain.
const INSTALLED: [&str; 7] = [
    "/etc/ld.so.cache",
    "/lib/apk/db/installed",
    "/usr/include",
    "/usr/local/include",
    "/var/lib/dpkg/status",
    "/var/lib/pacman/local",
    "/var/lib/rpm/rpmdb.sqlite",
];

/// A hash of this grader, this machine, its installed packages and the isolation of programs.
pub(crate) fn of_machine(isolation: &Isolation) -> String {
    let grader = std::env::current_exe().map(|program| stamp(&program));
    let installed = INSTALLED.map(|path| stamp(Path::new(path)));
    let isolation = (isolation.level, &isolation.layers);
    let all = (
        grader.ok(),
        installed,
        host::processor(),
        ARCH,
        OS,
        isolation,
    );
    hash([format!("{all:?}").as_bytes()])
}

/// A short unique name of these sources, as in [`grader_model::ProblemResult::submission`].
pub fn name_of(sources: &[SourceFile]) -> String {
    of_sources(sources).chars().take(12).collect()
}

fn of_sources(sources: &[SourceFile]) -> String {
    let words = sources
        .iter()
        .flat_map(|source| [source.path.as_bytes(), &source.bytes[..]]);
    hash(words)
}

/// Hash of the language's definition, its compiler, version and flags, and the state of its files and folders. Not
/// installed and no language known have distinct hashes. System libraries are not included, except for what a script builds.
pub(crate) fn of_toolchain(language: Option<&Arc<Language>>) -> String {
    let Some(language) = language else {
        return hash([&b"no language"[..]]);
    };
    let installed = language
        .has_unknown_tools()
        .then(|| INSTALLED.map(|it| stamp(Path::new(it))));
    let found = of_found(language.find());
    let all = (language.id, &language.definition, found, installed);
    hash([format!("{all:?}").as_bytes()])
}

/// Hash of a tool's version and flags, and of the state of its files and folders; not installed is one, too.
fn of_found(found: Result<Toolchain, NotInstalled>) -> String {
    let found = found.ok().map(|toolchain| {
        let all = toolchain.programs.iter().chain(&toolchain.readable);
        let files: Vec<_> = all.map(|path| stamp(path)).collect();
        (toolchain.version, toolchain.flags, files)
    });
    hash([format!("{found:?}").as_bytes()])
}

/// Identifies a version of a file or folder: real path, size, modification time. A folder's time changes when an entry
/// is added or removed.
fn stamp(path: &Path) -> Option<(PathBuf, u64, Option<SystemTime>)> {
    let real = fs::canonicalize(path).ok()?;
    let found = fs::metadata(&real).ok()?;
    Some((real, found.len(), found.modified().ok()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use grader_language::Languages;
    use grader_problem::{MemoryLibrary, load_problem, load_samples};

    use super::*;

    fn files(files: &[(String, Vec<u8>)]) -> Vec<SourceFile> {
        let files = files.iter();
        files
            .map(|(path, bytes)| SourceFile::new(path, bytes.as_slice()))
            .collect()
    }

    proptest! {
        #[test]
        fn sources_have_the_same_hash_only_if_all_paths_and_bytes_are_the_same(
            some in prop::collection::vec(("[ab/]{0,3}", prop::collection::vec(0u8..3, 0..4)), 0..4),
            others in prop::collection::vec(("[ab/]{0,3}", prop::collection::vec(0u8..3, 0..4)), 0..4),
        ) {
            let same = of_sources(&files(&some)) == of_sources(&files(&others));
            prop_assert_eq!(same, some == others);
        }
    }

    #[test]
    fn every_language_has_a_toolchain_of_its_own() {
        let languages = Languages::built_in();
        let mut all: Vec<String> = languages.iter().map(|it| of_toolchain(Some(it))).collect();
        all.push(of_toolchain(None));
        // An assignment's changes to a language count, too.
        let changes = toml::from_str("python.time-factor = 3.0").unwrap();
        let slower = Languages::with(&changes).unwrap();
        all.push(of_toolchain(slower.get(LanguageId::Python)));
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn what_is_verified_depends_on_the_compilers_of_all_programs_unless_a_script_chooses_them() {
        let folder = tempfile::tempdir().unwrap();
        let tool = folder.path().join("tool");
        let hash_with = |more: &str| {
            let changes = format!(
                "[mine]\nextensions = ['mine']\nrun = ['{}', '{{main}}']",
                tool.display()
            );
            let languages = Languages::with(&toml::from_str(&changes).unwrap()).unwrap();
            let mut library = MemoryLibrary::default();
            let problem = format!(
                r#"format = 1
id = "p"
title = "P"
[submission]
files = ["p.*"]
[limits]
time = "1 s"
[checker.tokens]
{more}
[[subtask]]
name = "all"
points = 1
case = [{{ name = "1", answer = "1.ans" }}]
"#
            );
            library.insert("problem.toml", problem);
            for path in [
                "1.ans",
                "script/run",
                "submissions/accepted/a.mine",
                "submissions/accepted/b.py",
            ] {
                library.insert(path, "");
            }
            let problem = load_problem(&library, "", &[], &languages).unwrap();
            of_programs(&problem, &load_samples(&library, &problem).unwrap())
        };
        let missing = hash_with("");
        assert!(missing.is_some());
        assert_eq!(hash_with(""), missing);
        std::os::unix::fs::symlink("/bin/true", &tool).unwrap();
        assert_ne!(hash_with(""), missing);
        assert_eq!(hash_with("[validator]\nsource = \"script\""), None);
    }

    #[test]
    fn a_compiler_that_was_installed_anew_and_a_folder_to_which_something_was_added_are_others() {
        let folder = tempfile::tempdir().unwrap();
        let (file, libraries) = (folder.path().join("cc"), folder.path().join("lib"));
        fs::write(&file, "one").unwrap();
        fs::create_dir(&libraries).unwrap();
        let old = SystemTime::UNIX_EPOCH;
        for path in [&file, &libraries] {
            fs::File::open(path).unwrap().set_modified(old).unwrap();
        }
        let both = || [stamp(&file), stamp(&libraries)];
        let before = both();
        assert_eq!(both(), before);
        fs::write(&file, "two").unwrap();
        fs::create_dir(libraries.join("numpy")).unwrap();
        let [one, other] = both();
        assert!(one != before[0] && other != before[1]);
        assert_eq!(stamp(&folder.path().join("none")), None);
    }
}
