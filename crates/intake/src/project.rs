//! The files of a program: the chosen one, and those that go along.
//!
//! Those go along that the program needs: what a source includes, imports or names, and in C and C++ what defines the functions and
//! variables that it only declares. Not so a second `main`, a test, another version. Where two could be meant, nobody guesses: the
//! work is not scored yet.

mod named;
mod paths;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use grader_language::{Language, Outline};
use grader_model::{FaultCause, LanguageId, Text, folder_of, is_below};
use grader_problem::SubmissionRule;

use crate::junk::is_archive;
use crate::pattern::Patterns;
use crate::pool::{Pool, Pooled, distance};
use crate::program::{Kind, language_by_content};
use crate::reason;
use crate::start::{Start, is_aside, start};
use crate::tree::File;
use crate::unreadable::Unreadable;

/// Most files that are built together.
const MAX_FILES: usize = 1000;

/// What was chosen for a problem.
pub(crate) struct Chosen<'c, 't> {
    pub(crate) problem: usize,
    /// The path of a file or, with a `/` at its end, of a folder.
    pub(crate) path: &'c str,
    /// The file in which the program starts, or which the author's program uses, if it is known.
    pub(crate) entry: Option<&'t File>,
    /// Its files.
    pub(crate) files: &'c [&'t File],
    /// The paths of what is there for other problems.
    pub(crate) others: &'c [String],
}

/// The files of a program, as places in the pool.
pub(crate) struct Project {
    /// The files and their paths in the submission. In languages that do not build all files, the one that starts is first.
    pub(crate) files: Vec<(usize, String)>,
    /// Why other sources beside them are not used.
    pub(crate) left_out: BTreeMap<usize, Text>,
    /// Why it cannot be judged.
    pub(crate) fault: Option<Unreadable>,
    /// Names that they use, and only files define that are not among them: what to say if it fails for one.
    pub(crate) lacking: BTreeMap<String, Text>,
}

/// The files of the program that was chosen.
pub(crate) fn project<'t>(
    chosen: &Chosen<'_, 't>,
    pool: &Pool<'t>,
    patterns: &Patterns,
) -> Project {
    let mut finder = Finder::new(chosen, pool, patterns);
    let is_alone = finder.rule.project == Some(false) || pool.files.len() == 1;
    match finder.language.filter(|_| !is_alone) {
        None => finder.kept.clone_from(&finder.own),
        Some(language) => {
            finder.find_versions(language);
            finder.find_scope();
            finder.find_start(language);
            if patterns.has_build_command(chosen.problem, language.id) {
                finder.take_all(language);
                return finder.finish();
            }
            finder.find_files(language, true);
            if finder.is_too_much() || finder.conflict.is_some() {
                // The folder is more than one program.
                finder.find_files(language, false);
            }
            finder.explain(language);
        }
    }
    finder.finish()
}

/// Finds the files of a program. Numbers are places in the pool.
struct Finder<'a, 't> {
    pool: &'a Pool<'t>,
    patterns: &'a Patterns,
    rule: &'a SubmissionRule,
    problem: usize,
    language: Option<&'a Language>,
    /// What the author's files use of the student's.
    authors: Option<&'a Outline>,
    path: &'a str,
    entry: Option<usize>,
    own: Vec<usize>,
    others: &'a [String],
    /// The folder of what was chosen.
    home: &'a str,
    /// The folder around it whose files may go along.
    scope: Option<&'a str>,
    /// Other versions of the entry.
    versions: Vec<usize>,
    /// Folders that hold other versions, or something for another problem.
    cut: Vec<&'a str>,
    /// The files that go along.
    kept: Vec<usize>,
    /// What they define, and where.
    defined: HashMap<&'a str, usize>,
    /// What they have for other files, and where.
    offered: HashMap<&'a str, usize>,
    /// Those of them that nothing names.
    by_use: HashSet<usize>,
    /// Files that were compared with those.
    compared: HashSet<usize>,
    left_out: BTreeMap<usize, Text>,
    /// Why it is not certain where the program starts.
    fault: Option<Unreadable>,
    /// Why it is not certain which of two files belongs to it.
    conflict: Option<Unreadable>,
}

impl<'a, 't> Finder<'a, 't> {
    fn new(chosen: &'a Chosen<'a, 't>, pool: &'a Pool<'t>, patterns: &'a Patterns) -> Self {
        let rule = &patterns.problem(chosen.problem).submission;
        let files = chosen.files.iter();
        let own: Vec<usize> = files.filter_map(|it| pool.find(it)).collect();
        let entry = chosen.entry.and_then(|it| pool.find(it));
        let path = chosen.path;
        let home = path.strip_suffix('/').unwrap_or_else(|| folder_of(path));
        let language = language_of(entry, &own, pool, patterns, rule);
        Self {
            authors: language.and_then(|it| patterns.authors(chosen.problem, it.id)),
            others: if rule.project == Some(true) {
                &[]
            } else {
                chosen.others
            },
            scope: path.ends_with('/').then_some(home),
            versions: Vec::new(),
            cut: Vec::new(),
            kept: Vec::new(),
            defined: HashMap::new(),
            offered: HashMap::new(),
            left_out: BTreeMap::new(),
            fault: None,
            conflict: None,
            by_use: HashSet::new(),
            compared: HashSet::new(),
            pool,
            patterns,
            rule,
            problem: chosen.problem,
            language,
            path,
            entry,
            own,
            home,
        }
    }

    /// Whether these are more files than a submission may have.
    fn is_too_much(&self) -> bool {
        let files = self.kept.iter().map(|&at| self.pool.files[at].file);
        let size: u64 = files.map(|file| file.size).sum();
        size > self.rule.size.0 || self.kept.len() > MAX_FILES
    }

    fn path_of(&self, at: usize) -> &'t str {
        &self.pool.files[at].file.path
    }

    /// Whether it is a source that can be built with the program.
    fn is_source(&self, at: usize, language: &Language) -> bool {
        let kind = self.pool.files[at].kind;
        Some(at) == self.entry
            || kind.goes_with(language.id) && kind.is_accepted(&self.rule.languages)
    }

    fn outline(&self, at: usize, language: &Language) -> &'a Outline {
        let own = match self.pool.files[at].kind {
            Kind::Source(id) => self.patterns.languages.get(id),
            _ => None,
        };
        self.pool.outline(at, own.map_or(language, |it| it))
    }

    /// Other sources with the name of the entry, wherever they are.
    fn find_versions(&mut self, language: &Language) {
        let Some(entry) = self.entry else { return };
        let stem = self.pool.files[entry].stem().to_lowercase();
        // Each package has an `__init__`.
        if stem.starts_with("__") {
            return;
        }
        let is_version = |&at: &usize| {
            let file = &self.pool.files[at];
            let is_other = at != entry && !file.is_authors;
            is_other && file.stem().to_lowercase() == stem && self.is_source(at, language)
        };
        self.versions = (0..self.pool.files.len()).filter(is_version).collect();
    }

    /// Goes up from the chosen file as long as nothing else lies beside it: no other version, nothing for another problem.
    fn find_scope(&mut self) {
        let versions = self.versions.iter().map(|&at| self.path_of(at));
        let rivals: Vec<&str> = self
            .others
            .iter()
            .map(String::as_str)
            .chain(versions)
            .collect();
        let folders = rivals
            .iter()
            .map(|it| it.strip_suffix('/').unwrap_or_else(|| folder_of(it)));
        self.cut = folders.filter_map(|it| apart(it, self.home)).collect();
        let is_beside = |path: &String| match path.strip_suffix('/') {
            Some(folder) => is_below(self.home, folder),
            None => folder_of(path) == self.home,
        };
        if self.scope.is_none() && self.others.iter().any(is_beside) {
            return;
        }
        let mut scope = self.home;
        while !scope.is_empty() {
            let parent = folder_of(scope);
            let is_rival = |path: &&str| is_below(path, parent) && !is_below(path, scope);
            if rivals.iter().any(is_rival) {
                break;
            }
            scope = parent;
        }
        self.scope = Some(scope);
    }

    /// If the chosen file has no `main`, and the author has none, the program starts in the file that uses it.
    fn find_start(&mut self, language: &'a Language) {
        let chosen: Vec<usize> = match self.entry {
            Some(entry) => vec![entry],
            None => self.own.clone(),
        };
        let has_main = |&at: &usize| self.outline(at, language).has_main;
        if self.has_authors_main() || chosen.iter().any(has_main) {
            return;
        }
        let is_source = |at: &usize| {
            self.is_source(*at, language) && self.is_around(*at) && !self.versions.contains(at)
        };
        let sources: Vec<usize> = (0..self.pool.files.len()).filter(is_source).collect();
        let starts = match start(&sources, self.problem, self.pool, self.patterns) {
            Start::In(at) if !chosen.contains(&at) => vec![at],
            Start::Several(all) => all,
            Start::In(_) | Start::Nowhere => return,
        };
        let uses = |at: usize, used: usize| {
            let (own, other) = (self.outline(at, language), self.outline(used, language));
            let classes = other.defines.iter().filter_map(|it| it.rsplit('.').next());
            let mut words = classes.chain([self.pool.files[used].stem()]);
            words.any(|it| own.mentions.contains(it)) || !own.uses.is_disjoint(&other.offers)
        };
        let is_using = |&at: &usize| chosen.iter().any(|&used| uses(at, used));
        let using: Vec<usize> = starts.iter().copied().filter(is_using).collect();
        // Any script can be started, so that alone says nothing.
        let is_script = matches!(language.id, LanguageId::Python | LanguageId::JavaScript);
        match (&using[..], &starts[..]) {
            ([one], _) => self.start_in(*one),
            ([], [one]) if !is_script => self.start_in(*one),
            ([], _) if is_script => {}
            _ => {
                let paths: Vec<&str> = starts.iter().map(|&at| self.path_of(at)).collect();
                let why = reason::starts(&paths[1..]);
                self.fault = Some(Unreadable::at(paths[0], FaultCause::Unreadable, why));
            }
        }
    }

    fn start_in(&mut self, at: usize) {
        self.entry = Some(at);
        self.home = self.pool.files[at].folder;
    }

    /// Whether a file lies in the scope and in no folder of something else, or beside what was chosen.
    fn is_around(&self, at: usize) -> bool {
        let file = &self.pool.files[at];
        let is_inside = match self.scope {
            Some(scope) => is_below(file.folder, scope),
            None => file.folder == self.home && !self.others.contains(&file.file.path),
        };
        let is_cut = self.cut.iter().any(|cut| is_below(file.folder, cut));
        is_inside && !is_cut && !file.is_authors
    }

    /// Whether a file lies in a folder of tests that does not hold the chosen file too.
    fn is_below_tests(&self, at: usize) -> bool {
        let folder = apart(self.pool.files[at].folder, self.home).map(|top| {
            let rest = &self.pool.files[at].folder[folder_of(top).len()..];
            rest.split('/').any(is_tests)
        });
        folder.unwrap_or(false)
    }

    /// Takes all files that go along; with `takes_all` all sources of the folder that can be built together.
    fn find_files(&mut self, language: &'a Language, takes_all: bool) {
        self.conflict = None;
        self.left_out.clear();
        self.kept.clear();
        self.defined.clear();
        self.offered.clear();
        self.by_use.clear();
        self.compared.clear();
        let is_java = language.id == LanguageId::Java;
        // Without a start nothing says what is needed.
        let takes_own = takes_all && !is_java || self.entry.is_none();
        if let Some(entry) = self.entry {
            self.keep(entry, language);
        }
        let mut order: Vec<usize> = (0..self.pool.files.len()).collect();
        order.sort_by_cached_key(|&at| self.nearness(self.home, at));
        let mut modules = self.pool.files.iter();
        let has_module = modules.any(|it| it.name == "go.mod");
        for &at in &order {
            let file = &self.pool.files[at];
            let is_own = self.own.contains(&at);
            // Packages of Go are folders.
            let is_go = language.id == LanguageId::Go && self.is_around(at);
            let is_beside = is_go && (file.folder == self.home || has_module);
            let goes_along = match file.kind {
                Kind::Source(_)
                    if self.is_source(at, language) && (is_own && takes_own || is_beside) =>
                {
                    !self.is_built(at, language) || self.fits_in(at, false, language)
                }
                Kind::Header | Kind::Other if is_own || is_go && file.name == "go.mod" => true,
                _ => {
                    let is_near = self.is_around(at) || is_below(file.folder, self.home);
                    is_near && self.rule.is_extra(self.path_of(at))
                }
            };
            if goes_along {
                self.keep(at, language);
            }
        }
        let named = self.files_by_word(&order, language);
        let mut offers: HashMap<&str, Vec<usize>> = HashMap::new();
        for &at in order.iter().filter(|_| language.builds_all()) {
            if self.is_source(at, language) && self.is_around(at) {
                for word in &self.outline(at, language).offers {
                    offers.entry(word).or_default().push(at);
                }
            }
        }
        if let Some(authors) = self.authors {
            self.take_named(None, &authors.mentions, &named, language);
            self.take_used(&authors.uses, &offers, language);
        }
        self.take_named(None, &self.rule.required, &named, language);
        // Names go before what is only used: they say which of several files is meant.
        let (mut by_name, mut by_use) = (0, 0);
        while let Some(&at) = self.kept.get(by_use) {
            if let Some(&at) = self.kept.get(by_name) {
                let words = &self.outline(at, language).mentions;
                self.take_named(Some(at), words, &named, language);
                self.take_quoted(at, &named, language);
                self.take_package(at, &order, language);
                by_name += 1;
            } else {
                self.take_used(&self.outline(at, language).uses, &offers, language);
                by_use += 1;
            }
        }
    }

    /// Whether a source is built because it is there, needed or not.
    fn is_built(&self, at: usize, language: &Language) -> bool {
        let is_built = language.builds_all() || language.id == LanguageId::Java;
        is_built && self.pool.files[at].kind.is_source()
    }

    /// How near a file is to a folder: less is better. What is called an old version, a copy or a test comes after the rest.
    fn nearness(&self, folder: &str, at: usize) -> (usize, bool) {
        let file = &self.pool.files[at];
        let rest = apart(file.folder, self.home).map(|top| &file.folder[folder_of(top).len()..]);
        let is_last = is_aside(&file.file.name) || is_aside(rest.unwrap_or_default());
        (
            distance(folder, file.folder),
            is_last || file.name != file.file.name,
        )
    }

    /// Takes a file, if it is not taken yet.
    fn keep(&mut self, at: usize, language: &Language) {
        if self.kept.contains(&at) {
            return;
        }
        self.kept.push(at);
        if self.pool.files[at].kind.is_source() {
            let outline = self.outline(at, language);
            for defined in &outline.defines {
                self.defined.entry(defined).or_insert(at);
            }
            for offered in &outline.offers {
                self.offered.entry(offered).or_insert(at);
            }
        }
    }

    /// Takes all files around, for a command of the author's that knows what to do with them. The author's own rules know
    /// the student's tests and other programs only by name.
    fn take_all(&mut self, language: &Language) {
        let all = (0..self.pool.files.len()).filter(|&at| {
            let file = &self.pool.files[at].file;
            let is_part = self.is_around(at) && file.location.is_ok() && !is_archive(&file.name);
            self.own.contains(&at) || is_part
        });
        let mut all: Vec<usize> = all.collect();
        all.sort_by_key(|&at| Some(at) != self.entry);
        let rules = self.rule.build_rules();
        for at in all {
            let is_named = |rules: &String| rules.contains(&*self.pool.files[at].name);
            let is_free = rules.as_ref().is_none_or(is_named) || !self.is_source(at, language);
            if is_free || self.fits_in(at, false, language) {
                self.keep(at, language);
            }
        }
    }

    /// Whether a source can be built with those that are taken; why not is noted. One that another file names is needed, even
    /// among tests.
    fn fits_in(&mut self, at: usize, is_named: bool, language: &Language) -> bool {
        let name = &self.pool.files[at].name;
        let mut include = self.rule.include.iter();
        // The judge builds the author's file in its place, and tells the student.
        let is_replaced = include.any(|it| it.path.eq_ignore_ascii_case(name));
        if Some(at) == self.entry || is_replaced {
            return true;
        }
        let outline = self.outline(at, language);
        let start = self.entry.filter(|&it| self.outline(it, language).has_main);
        let is_version = self.versions.contains(&at);
        let other = self.same_definitions(at, language);
        let is_linked = language.builds_all();
        let reason = if !is_named && (outline.is_test || self.is_below_tests(at)) {
            reason::a_test()
        } else if is_linked && outline.has_main && self.has_authors_main() {
            reason::main_beside_authors()
        } else if let Some(start) = start.filter(|_| is_linked && outline.has_main) {
            reason::second_main(self.path_of(start))
        } else if let Some(entry) = self.entry.filter(|_| is_linked && is_version) {
            reason::version(self.path_of(entry))
        } else if let Some(other) = other {
            // What is named counts more than what only has a name that is used.
            if is_named || self.by_use.contains(&other) || self.own.contains(&at) {
                self.compare(at, other);
            }
            reason::version(self.path_of(other))
        } else {
            return true;
        };
        self.left_out.insert(at, reason);
        false
    }

    /// A file that is taken and defines what this one defines, or a source in C or C++ that this one includes.
    fn same_definitions(&self, at: usize, language: &Language) -> Option<usize> {
        let outline = self.outline(at, language);
        let mut defines = outline.defines.iter();
        let other = defines.find_map(|it| self.defined.get(&**it)).copied();
        let is_included = |&it: &usize| {
            let file = &self.pool.files[it];
            let is_source = file.kind.is_source() && language.builds_all();
            is_source && outline.mentions.contains(&file.name)
        };
        other.or_else(|| self.kept.iter().copied().find(is_included))
    }

    /// Notes that nothing says which of two files with the same definitions counts, if that is so.
    fn compare(&mut self, at: usize, other: usize) {
        let bytes = |at: usize| {
            self.pool.files[at]
                .file
                .read(self.rule.size.0)
                .ok()
                .flatten()
        };
        // What includes the other is no other version of it.
        let name = &*self.pool.files[other].name;
        let mut language = self.language.into_iter();
        let is_above = language.any(|it| self.outline(at, it).mentions.contains(name));
        let is_as_likely = self.conflict.is_none()
            && at != other
            && !is_above
            && Some(other) != self.entry
            && self.nearness(self.home, at) == self.nearness(self.home, other);
        if is_as_likely && bytes(at) != bytes(other) {
            let why = reason::same_definitions(self.path_of(other));
            let fault = Unreadable::at(self.path_of(at), FaultCause::Unreadable, why);
            self.conflict = Some(fault);
        }
    }

    fn has_authors_main(&self) -> bool {
        self.authors.is_some_and(|it| it.has_main)
    }

    /// Takes the sources that have one of these names for others, unless a file that is taken has it.
    fn take_used(
        &mut self,
        names: &BTreeSet<String>,
        offers: &HashMap<&str, Vec<usize>>,
        language: &'a Language,
    ) {
        for name in names {
            for &at in offers.get(name.as_str()).into_iter().flatten() {
                match self.offered.get(name.as_str()).copied() {
                    None if self.may_link(at, false, language) => {
                        self.by_use.insert(at);
                        self.keep(at, language);
                    }
                    Some(other)
                        if self.by_use.contains(&other)
                            && self.compared.insert(at)
                            && self.same_definitions(at, language) == Some(other) =>
                    {
                        self.compare(at, other);
                    }
                    _ => {}
                }
            }
        }
    }

    fn may_link(&mut self, at: usize, is_named: bool, language: &Language) -> bool {
        let is_known = self.kept.contains(&at) || !is_named && self.left_out.contains_key(&at);
        !is_known && self.fits_in(at, is_named, language)
    }

    /// Notes why the other sources around are not used.
    fn explain(&mut self, language: &Language) {
        if self.scope.is_none() {
            return;
        }
        let entry = self.entry.map_or(self.path, |it| self.path_of(it));
        let conflict = self.conflict.take();
        for at in 0..self.pool.files.len() {
            let is_own = self.own.contains(&at) || self.is_around(at);
            let is_left_out = is_own && self.is_source(at, language) && !self.kept.contains(&at);
            let is_explained = self.versions.contains(&at) || self.left_out.contains_key(&at);
            if is_left_out && !is_explained && self.fits_in(at, false, language) {
                self.left_out.insert(at, reason::no_part(entry));
            }
        }
        // What is not needed is no conflict.
        self.conflict = conflict;
    }
}

/// The language of a program.
fn language_of<'p>(
    entry: Option<usize>,
    own: &[usize],
    pool: &Pool<'_>,
    patterns: &'p Patterns,
    rule: &SubmissionRule,
) -> Option<&'p Language> {
    let files = entry.iter().chain(own).map(|&at| &pool.files[at]);
    let by_name = files.clone().find_map(|it| match it.kind {
        Kind::Source(id) if it.kind.is_accepted(&rule.languages) => Some(id),
        _ => None,
    });
    let by_content = || {
        let [at] = own else { return None };
        let Pooled { file, kind, .. } = &pool.files[*at];
        if *kind == Kind::Header {
            let mut languages = [LanguageId::Cpp, LanguageId::C].into_iter();
            return languages.find(|it| rule.languages.contains(it));
        }
        language_by_content(file, rule.size.0, &patterns.languages).ok()?
    };
    let language = patterns.languages.get(by_name.or_else(by_content)?)?;
    Some(language)
}

fn is_tests(folder: &str) -> bool {
    matches!(&*folder.to_lowercase(), "test" | "tests")
}

/// The highest folder around `folder` (or itself) that does not hold `home`.
fn apart<'p>(folder: &'p str, home: &str) -> Option<&'p str> {
    let mut top = folder;
    if is_below(home, top) {
        return None;
    }
    while !is_below(home, folder_of(top)) {
        top = folder_of(top);
    }
    Some(top)
}
