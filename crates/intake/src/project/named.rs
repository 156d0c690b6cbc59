//! Files that other files name: what they include, import, or call by the name of a class.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use grader_language::{Language, Outline};
use grader_model::{FaultCause, LanguageId, extension_of, file_name, is_below};

use super::{Finder, apart};
use crate::junk::is_archive;
use crate::program::Kind;
use crate::reason;
use crate::unreadable::Unreadable;

/// Most files of one name that are compared, besides those that are named with their folder.
const MAX_OF_NAME: usize = 64;

impl<'a> Finder<'a, '_> {
    /// The files that a word may stand for. In C and C++ its case does not matter, as on other systems.
    pub(super) fn files_by_word(
        &self,
        order: &[usize],
        language: &Language,
    ) -> HashMap<String, Vec<usize>> {
        let mut known: HashMap<String, Vec<usize>> = HashMap::new();
        let names: HashSet<(&str, &str)> = self
            .pool
            .files
            .iter()
            .map(|it| (it.folder, &*it.file.name))
            .collect();
        for &at in order {
            let file = &self.pool.files[at];
            let is_possible = match file.kind {
                Kind::Source(_) => self.is_source(at, language),
                Kind::Header => {
                    let extension = extension_of(&file.name);
                    language.definition.headers.contains(&extension)
                }
                // A word without a dot is rarely a file.
                Kind::Other => !is_archive(&file.name) && file.name.contains('.'),
            };
            // `util (1).py` beside `util.py` is not what `import util` means.
            let is_copy =
                file.name != file.file.name && names.contains(&(file.folder, &*file.name));
            if !is_possible || is_copy || file.is_authors {
                continue;
            }
            let mut words = BTreeSet::from([&*file.name]);
            if file.kind != Kind::Other || language.id == LanguageId::JavaScript {
                words.insert(file.stem());
            }
            if matches!(file.stem(), "__init__" | "index") {
                words.insert(file_name(file.folder));
            }
            if file.kind.is_source() && !language.builds_all() {
                let defines = self.outline(at, language).defines.iter();
                let classes = defines.clone().filter_map(|it| it.rsplit('.').next());
                words.extend(classes.chain(defines.map(String::as_str)));
            }
            for word in words {
                known.entry(folded(word, language)).or_default().push(at);
            }
        }
        known
    }

    /// Takes the files that these words in a file, or in the author's, stand for: of several with a name the nearest.
    pub(super) fn take_named(
        &mut self,
        from: Option<usize>,
        words: impl IntoIterator<Item = &'a String>,
        named: &HashMap<String, Vec<usize>>,
        language: &'a Language,
    ) {
        let folder = from.map_or(self.home, |it| self.pool.files[it].folder);
        for word in words {
            let Some(files) = named.get(&folded(word, language)) else {
                continue;
            };
            let meant = self.meant(from, word, files, language);
            if meant.is_none() && self.conflict.is_none() {
                let path = from.or(self.entry).map_or(self.path, |it| self.path_of(it));
                let name = file_name(self.path_of(files[0]));
                let why = reason::too_many_of_name(name, MAX_OF_NAME);
                self.conflict = Some(Unreadable::at(path, FaultCause::Unreadable, why));
            }
            let mut nearest: BTreeMap<&str, ((usize, bool), usize)> = BTreeMap::new();
            for at in meant.unwrap_or_default() {
                let file = &self.pool.files[at];
                let class = || self.outline(at, language).defines.first();
                let name = match file.kind {
                    Kind::Source(_) if file.stem() == "__init__" => file_name(file.folder),
                    // Packages of Java may have classes of the same name.
                    Kind::Source(_) if language.id == LanguageId::Java => {
                        class().unwrap_or(&file.name)
                    }
                    _ if self.names_folder(from, at, language) => self.path_of(at),
                    _ => &file.name,
                };
                let found = (self.nearness(folder, at), at);
                let known = nearest.entry(name).or_insert(found);
                // The compiler finds the nearest header by itself.
                if known.0 == found.0 && file.kind.is_source() && !self.kept.contains(&known.1) {
                    self.compare(at, known.1);
                }
                *known = found.min(*known);
            }
            for (_, at) in nearest.into_values() {
                let is_included = language.builds_all() && *word == self.pool.files[at].name;
                let is_free = is_included || !self.is_built(at, language);
                if is_free || self.may_link(at, true, language) {
                    self.keep(at, language);
                }
            }
        }
    }

    /// Those of the files that a word in a file stands for, as far as languages tell: what is imported goes before what only
    /// has the name, what is named with its folder before what is not, and what lies around before the rest. `None` if none of
    /// those that were looked at can be meant, but there are more.
    fn meant(
        &self,
        from: Option<usize>,
        word: &str,
        files: &[usize],
        language: &Language,
    ) -> Option<Vec<usize>> {
        let folder = from.map_or(self.home, |it| self.pool.files[it].folder);
        let own = from.map(|it| self.outline(it, language));
        let is_java = language.id == LanguageId::Java;
        let is_imported = |&at: &usize| {
            let outline = self.outline(at, language);
            let mut defines = outline.defines.iter();
            own.is_some_and(|own| defines.any(|it| own.imports.contains(it)))
        };
        let imported: Vec<usize> = files
            .iter()
            .copied()
            .filter(|it| is_java && is_imported(it))
            .collect();
        if !imported.is_empty() {
            return Some(imported);
        }
        let is_of_another = |at: usize| {
            let file = &self.pool.files[at];
            self.others.contains(&file.file.path) && file.folder != folder
        };
        let is_version = |at: usize| {
            let folder = self.pool.files[at].folder;
            let mut versions = self.versions.iter();
            versions.any(|&it| {
                it == at
                    || apart(self.pool.files[it].folder, self.home)
                        .is_some_and(|top| is_below(folder, top))
            })
        };
        let (near, more) = files.split_at(files.len().min(MAX_OF_NAME));
        let is_named = |it: &&usize| self.names_folder(from, **it, language);
        let mut all: Vec<usize> = near
            .iter()
            .chain(more.iter().filter(is_named))
            .copied()
            .filter(|&at| !is_of_another(at) && !is_version(at))
            .collect();
        if let Some(own) = own.filter(|_| is_java) {
            let is_defined = own
                .defines
                .iter()
                .any(|it| it.rsplit('.').next() == Some(word));
            let is_elsewhere = own
                .imports
                .iter()
                .any(|it| it.rsplit('.').next() == Some(word));
            if is_defined || is_elsewhere {
                return Some(Vec::new());
            }
            let package = |&at: &usize| &*self.outline(at, language).package;
            let is_visible = |at: &usize| {
                let package = package(at);
                let last = package.rsplit('.').next().unwrap_or(package);
                package == own.package
                    || own.imports.contains(&format!("{package}.*"))
                    || !last.is_empty() && own.mentions.contains(last)
            };
            all.retain(is_visible);
        }
        if all.iter().any(|&it| self.names_folder(from, it, language)) {
            all.retain(|&it| {
                self.names_folder(from, it, language) || self.pool.files[it].folder == folder
            });
        }
        if language.id == LanguageId::Python {
            // A module elsewhere is on no path.
            let is_below_home = |at: usize| is_below(self.pool.files[at].folder, self.home);
            all.retain(|&it| self.is_around(it) || is_below_home(it));
        }
        if all.iter().any(|&it| self.is_around(it)) {
            all.retain(|&it| self.is_around(it));
        }
        (!all.is_empty() || more.is_empty()).then_some(all)
    }

    /// Whether a file names the folder of another, too: `from b.util import add`, `#include "b/util.h"`.
    fn names_folder(&self, from: Option<usize>, at: usize, language: &Language) -> bool {
        let file = &self.pool.files[at];
        let name = file_name(file.folder);
        let is_script =
            !language.builds_all() && language.id != LanguageId::Java && file.kind.is_source();
        from.is_some_and(|it| {
            let Outline {
                mentions, paths, ..
            } = self.outline(it, language);
            let is_in = || paths.contains(&format!("{name}/{}", file.stem()).to_lowercase());
            is_script && mentions.contains(name) || !paths.is_empty() && is_in()
        })
    }

    /// Takes the modules beside a script that literals in it name, as in `import_module("util")`.
    pub(super) fn take_quoted(
        &mut self,
        at: usize,
        named: &HashMap<String, Vec<usize>>,
        language: &Language,
    ) {
        let folder = self.pool.files[at].folder;
        for files in self
            .outline(at, language)
            .quoted
            .iter()
            .filter_map(|it| named.get(it))
        {
            for &at in files
                .iter()
                .filter(|&&it| self.pool.files[it].folder == folder)
            {
                self.keep(at, language);
            }
        }
    }

    /// Takes a class of each package that a file of Java imports as a whole: without one the package does not exist.
    pub(super) fn take_package(&mut self, at: usize, order: &[usize], language: &'a Language) {
        if language.id != LanguageId::Java {
            return;
        }
        for package in self
            .outline(at, language)
            .imports
            .iter()
            .filter_map(|it| it.strip_suffix(".*"))
        {
            let is_of = |&it: &usize| {
                self.is_source(it, language) && self.outline(it, language).package == package
            };
            if self.kept.iter().any(is_of) {
                continue;
            }
            if let Some(at) = order
                .iter()
                .copied()
                .find(|it| is_of(it) && !self.pool.files[*it].is_authors)
            {
                self.keep(at, language);
            }
        }
    }
}

/// A word that stands for a file.
fn folded(word: &str, language: &Language) -> String {
    match language.id {
        LanguageId::C | LanguageId::Cpp | LanguageId::Pascal => word.to_lowercase(),
        _ => word.to_owned(),
    }
}
