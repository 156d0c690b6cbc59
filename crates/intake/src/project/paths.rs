//! The paths of a program's files in the submission, and what is missing.

use std::collections::{BTreeMap, BTreeSet};

use grader_language::{Language, Outline, is_build_file};
use grader_model::{
    FaultCause, LanguageId, Text, common_folder, extension_of, file_name, folder_of, is_below,
};

use super::{Finder, Project};
use crate::junk::is_archive;
use crate::name::stem_of;
use crate::pool::Pooled;
use crate::program::Kind;
use crate::reason;
use crate::unreadable::Unreadable;

impl<'a> Finder<'a, '_> {
    pub(super) fn finish(mut self) -> Project {
        let files = &self.pool.files;
        // Where only the program's start counts, it is first.
        let links_all = self.language.is_none_or(Language::builds_all);
        let is_source = |at: &&usize| files[**at].kind.is_source();
        let is_one_of = self.kept.iter().filter(is_source).count() > 1;
        let first = self.entry.filter(|_| is_one_of && !links_all);
        self.kept.sort_by_key(|&at| (Some(at) != first, at));
        let folders = self.kept.iter().map(|&at| files[at].folder);
        let common = folders.reduce(common_folder).unwrap_or(self.home);
        let root = self.root(self.common_of_sources().unwrap_or(common));
        let is_alone = self.kept.len() == 1 && self.rule.include.is_empty();
        let own_name = self.name_of_entry();
        let path = |at: usize| {
            let file = &files[at];
            let folder = if is_below(file.folder, root) {
                root
            } else {
                common
            };
            let is_twin = |it: &Pooled<'_>| it.folder == file.folder && it.file.name == file.name;
            let name = match &file.file.name {
                name if is_alone || *name != file.name && files.iter().any(is_twin) => name,
                _ if Some(at) == self.entry => own_name.as_ref().unwrap_or(&file.name),
                _ => &file.name,
            };
            let inner = file.folder[folder.len()..].trim_start_matches('/');
            if inner.is_empty() {
                name.clone()
            } else {
                format!("{inner}/{name}")
            }
        };
        // A part of a program of several files may be among those that nobody looked at.
        let is_whole = self.kept.len() == 1 && !self.includes_own();
        let missing = self.pool.missing.cloned().filter(|_| !is_whole);
        let lacking = self.lacking();
        Project {
            files: self.kept.iter().map(|&at| (at, path(at))).collect(),
            fault: self.lacks().or(self.fault).or(self.conflict).or(missing),
            lacking,
            left_out: self.left_out,
        }
    }

    /// The folder that holds all that the author's command builds. What else lies around does not move it.
    fn common_of_sources(&self) -> Option<&'a str> {
        let language = self.language?;
        if !self.patterns.has_build_command(self.problem, language.id) {
            return None;
        }
        let has_rules = self.rule.build_rules().is_some();
        let is_built = |it: &&Pooled<'_>| {
            let is_required = self
                .rule
                .required
                .iter()
                .any(|name| it.name.eq_ignore_ascii_case(name));
            let is_code = it.kind.goes_with(language.id) || it.kind == Kind::Header;
            is_code || is_required || !has_rules && is_build_file(&it.name)
        };
        let kept = self.kept.iter().map(|&at| &self.pool.files[at]);
        kept.filter(is_built)
            .map(|it| it.folder)
            .reduce(common_folder)
    }

    /// Names that the program uses, and only files define that are not taken, with what to say if it fails for one.
    fn lacking(&self) -> BTreeMap<String, Text> {
        let mut lacking = BTreeMap::new();
        let Some(language) = self.language.filter(|_| self.rule.project != Some(false)) else {
            return lacking;
        };
        let names = |at: usize| self.names_of(at, language);
        let taken: BTreeSet<&str> = self.kept.iter().flat_map(|&at| names(at)).collect();
        let outlines = self.kept.iter().map(|&at| self.outline(at, language));
        let all: Vec<&Outline> = outlines.chain(self.authors).collect();
        let is_used = |name: &str| {
            let mut all = all.iter();
            all.any(|it| it.mentions.contains(name) || it.uses.contains(name))
        };
        let from = self.entry.map_or(self.path, |it| self.path_of(it));
        for at in (0..self.pool.files.len()).filter(|at| !self.kept.contains(at)) {
            let missing = names(at).into_iter();
            for name in missing.filter(|it| !taken.contains(it) && is_used(it)) {
                let why = reason::lacking(name, self.path_of(at));
                let why = || Unreadable::at(from, FaultCause::Unreadable, why).reason;
                lacking.entry(name.to_owned()).or_insert_with(why);
            }
        }
        lacking
    }

    /// The names under which a file of the student's may be missed.
    fn names_of(&self, at: usize, language: &Language) -> Vec<&'a str> {
        let file = &self.pool.files[at];
        let is_source = self.is_source(at, language);
        if file.is_authors || !is_source && file.kind.is_source() || is_archive(&file.name) {
            return Vec::new();
        }
        let mut names = vec![&*file.name];
        if is_source {
            let outline = self.outline(at, language);
            let defines = outline.defines.iter().map(String::as_str);
            let last = defines.clone().filter_map(|it| it.rsplit('.').next());
            names.extend(last.chain(defines));
            names.extend(outline.offers.iter().map(String::as_str));
            names.push(file.stem());
        }
        names
    }

    /// The name by which the author's script knows the entry, if it has another: `bank.py` for `Bank.py` or `account.py`.
    fn name_of_entry(&self) -> Option<String> {
        let scripts = [LanguageId::Python, LanguageId::JavaScript];
        let entry = &self.pool.files[self.entry?];
        self.language.filter(|it| scripts.contains(&it.id))?;
        let mentions = &self.authors.filter(|it| it.has_main)?.mentions;
        let problem = self.patterns.problem(self.problem);
        let name = problem.file_name(&extension_of(&entry.name));
        let is_meant = mentions.contains(stem_of(&name)) && !mentions.contains(entry.stem());
        (is_meant && !entry.stem().starts_with("__")).then_some(name)
    }

    /// The folder from which the paths of its files count.
    fn root(&self, common: &'a str) -> &'a str {
        let is_package = |folder: &str| {
            let mut files = self.pool.files.iter();
            files.any(|it| it.folder == folder && it.name == "__init__.py")
        };
        let is_python = |it: &Language| it.id == LanguageId::Python;
        if self.language.is_none_or(|it| !is_python(it)) {
            let is_folder = self.path.ends_with('/') && is_below(common, self.home);
            return if is_folder {
                self.home
            } else {
                self.rule.above_named(common)
            };
        }
        // Modules are found from the folder of the script, and packages above theirs, as far as they are imported by it.
        let mut root = self
            .entry
            .map_or(self.home, |it| self.pool.files[it].folder);
        let is_named = |folder: &str| {
            let kept = self.kept.iter().zip(self.language);
            let outlines = kept.map(|(&at, language)| self.outline(at, language));
            let mut all = outlines.chain(self.authors);
            all.any(|it| it.mentions.contains(file_name(folder)))
        };
        let mut is_first = true;
        // What is called so may lie in the folder itself: a module, or a package.
        let has_module = |folder: &str| {
            let (name, mut files) = (file_name(folder), self.pool.files.iter());
            let package = format!("{folder}/{name}");
            files.any(|it| it.folder == folder && it.stem() == name || it.folder == package)
        };
        let is_inside = |folder: &str, is_first: bool| {
            let is_package = is_package(folder);
            is_package && is_first || is_named(folder) && (is_package || !has_module(folder))
        };
        while !root.is_empty() && is_inside(root, is_first) {
            root = folder_of(root);
            is_first = false;
        }
        root
    }

    /// Whether the entry includes a header in quotes.
    fn includes_own(&self) -> bool {
        let outline = self
            .entry
            .zip(self.language)
            .map(|(at, it)| self.outline(at, it));
        outline.is_some_and(|outline| {
            let mut files = outline.mentions.iter().filter(|it| it.contains(".h"));
            files.any(|it| outline.mentions.contains(stem_of(it)))
        })
    }

    /// What is missing of the files that every submission must have.
    fn lacks(&self) -> Option<Unreadable> {
        let kept = self
            .kept
            .iter()
            .map(|&at| self.pool.files[at].name.to_lowercase());
        let included = self.rule.include.iter().map(|it| it.path.to_lowercase());
        let present: BTreeSet<String> = kept.chain(included).collect();
        let needed = self.rule.entry.iter().chain(&self.rule.required);
        let missing = needed.filter(|it| !present.contains(&it.to_lowercase()));
        let missing: Vec<String> = missing.map(|it| format!("`{it}`")).collect();
        let why = || reason::lacks(&missing.join(", "));
        (!missing.is_empty()).then(|| Unreadable::at(self.path, FaultCause::Unreadable, why()))
    }
}
