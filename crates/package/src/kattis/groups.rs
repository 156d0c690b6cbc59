//! Kattis test groups (`data/sample`, `data/secret` and their subfolders), as subtasks.

use std::collections::BTreeSet;
use std::ops::Range;

use grader_model::Points;
use grader_problem::LibraryEntry;

use super::generators::{Generated, reference};
use super::settings::{AcceptedIf, Arguments, GroupSettings, SETTINGS};
use super::sources::is_of_domjudge;
use crate::constants::{MAX_CASES, MAX_GROUP_DEPTH};
use crate::draft::Draft;
use crate::error::{PackageError, mistake, unsupported};
use crate::output::{TomlCase, TomlSubtask, all_or_nothing, points};

/// A group with tests.
pub(super) struct KattisGroup {
    /// Its folder in the package.
    pub(super) folder: String,
    pub(super) arguments: Arguments,
    pub(super) subtask: TomlSubtask,
    /// The folders of the groups that must be passed first.
    pub(super) require: Vec<String>,
    /// Whether an accepted test may earn a part of its score.
    pub(super) gives_parts: bool,
}

/// A group, or the tests of a group beside its groups, as a part of the group around it.
pub(super) struct Part {
    /// Which of all subtasks belong to it.
    pub(super) subtasks: Range<usize>,
    pub(super) accepted: AcceptedIf,
    /// How many tests and groups it has.
    pub(super) items: usize,
}

/// Tests with the same arguments.
pub(super) struct SameTests {
    pub(super) arguments: Arguments,
    pub(super) cases: Vec<TomlCase>,
}

/// Reader of groups.
pub(super) struct Groups<'a, 'b> {
    pub(super) draft: &'a mut Draft<'b>,
    /// Whether a group gets `accept_score` once, if all of its tests pass. In Kattis, each test gets it.
    pub(super) is_of_domjudge: bool,
    pub(super) all: Vec<KattisGroup>,
    generated: Generated,
    /// Whether a test has no answer.
    lacks_answers: bool,
    /// The groups with points whose maximum is that of a group around them.
    pub(super) borrowers: Vec<String>,
}

impl Groups<'_, '_> {
    /// Reads `data`, whose settings begin as `base`, and copies its files. If the judge `needs_answers`, missing ones
    /// come from a solution. Also returns the settings of `data`, or when `data/secret` is accepted if that says more.
    pub(super) fn read(
        draft: &mut Draft<'_>,
        mut base: GroupSettings,
        needs_answers: bool,
    ) -> Result<(Vec<KattisGroup>, GroupSettings), PackageError> {
        let generated = Generated::read(draft)?;
        let is_of_domjudge = is_of_domjudge(draft.library);
        let mut groups = Groups {
            draft,
            is_of_domjudge,
            all: Vec::new(),
            generated,
            lacks_answers: false,
            borrowers: Vec::new(),
        };
        let is_scoring = base.is_scoring;
        base.score = if is_scoring { "sum" } else { "all" };
        let mut base = groups.settings("data", &base)?;
        let mut parts = Vec::new();
        for folder in ["data/sample", "data/secret"] {
            parts.extend(groups.group(folder, &base, 0)?);
        }
        for entry in groups.draft.library.list("data").unwrap_or_default() {
            if entry.folder && !["sample", "secret"].contains(&&*entry.name) {
                let note = format!("`data/{}` is not used", entry.name);
                groups.draft.note(note);
            }
        }
        groups.generated.note_left_out(groups.draft);
        groups.secret()?;
        groups.chain("data", &base, &parts)?;
        let mut accepted = parts.iter().map(|it| it.accepted);
        if let Some(other) = accepted.find(|it| *it != AcceptedIf::All) {
            base.accepted = other;
        }
        groups.requirements()?;
        if let [first, second, ..] = &groups.borrowers[..] {
            let message = format!(
                "the most points of this group are not known: it has the `range` of a group around it, as `{first}` has; give it a `range` of its own"
            );
            return mistake(second, message);
        }
        if !is_scoring {
            // Samples alone are worth nothing.
            let is_secret = groups.all.last().is_some_and(|it| it.subtask.hidden);
            let subtasks = groups.all.iter_mut().map(|it| &mut it.subtask);
            all_or_nothing(subtasks, Points::whole(is_secret.into()));
        }
        if groups.lacks_answers && needs_answers {
            reference(groups.draft, groups.generated.solution)?;
        }
        Ok((groups.all, base))
    }

    /// Fails if there are no secret tests: the samples are known, so nobody is judged by them alone.
    fn secret(&mut self) -> Result<(), PackageError> {
        if self.all.iter().any(|it| it.subtask.hidden) {
            return Ok(());
        }
        if self.all.is_empty() {
            return unsupported("there are no tests: expected `data/secret/*.in`");
        }
        if !self.draft.options.allow_empty {
            return unsupported(
                "there are no secret tests: expected `data/secret/*.in`; pass `--allow-empty` to import the samples, worth 0 points",
            );
        }
        let note = "there are no secret tests: the samples are worth 0 points";
        self.draft.note(note);
        for group in &mut self.all {
            group.subtask.points = Points::ZERO;
        }
        Ok(())
    }

    /// The settings of a group inside one with the settings `outer`.
    fn settings(
        &mut self,
        folder: &str,
        outer: &GroupSettings,
    ) -> Result<GroupSettings, PackageError> {
        let made = self.generated.settings(folder);
        outer.of_group(folder, self.draft, made)
    }

    /// Reads a group and the groups in it; `None` if it does not exist or has no tests.
    fn group(
        &mut self,
        folder: &str,
        outer: &GroupSettings,
        depth: usize,
    ) -> Result<Option<Part>, PackageError> {
        let listed = self.draft.library.list(folder);
        if listed.is_err() && !self.generated.has(folder) {
            return Ok(None);
        }
        let entries = listed.unwrap_or_default();
        if depth > MAX_GROUP_DEPTH {
            let message = format!("groups are nested more than {MAX_GROUP_DEPTH} deep");
            return mistake(folder, message);
        }
        let settings = self.settings(folder, outer)?;
        let first = self.all.len();
        let names = entries.iter().filter(|entry| !entry.folder);
        let names: BTreeSet<&str> = names.map(|it| &*it.name).collect();
        let has_settings = SETTINGS.iter().any(|file| names.contains(file))
            || self.generated.settings(folder).is_some();
        let tests = self.tests(folder, &settings, &names)?;
        let count: usize = tests.iter().map(|it| it.cases.len()).sum();
        if count > MAX_CASES {
            let message = format!("a group may have at most {MAX_CASES} tests, found {count}");
            return mistake(folder, message);
        }
        self.copy(folder, &entries, &tests);
        if count > 0 {
            self.subtasks(folder, &settings, tests)?;
        }
        let items = self.groups_below(folder, entries, &settings, first, depth)? + count;
        if self.all.len() == first {
            if folder != "data/sample" && folder != "data/secret" {
                self.without_tests(folder, &settings, has_settings)?;
            }
            return Ok(None);
        }
        Ok(Some(Part {
            subtasks: first..self.all.len(),
            accepted: settings.accepted,
            items,
        }))
    }

    /// Fails if a group without tests has settings: its tests are missing.
    fn without_tests(
        &mut self,
        folder: &str,
        settings: &GroupSettings,
        has_settings: bool,
    ) -> Result<(), PackageError> {
        if !has_settings {
            self.draft.note(format!("`{folder}`: there are no tests"));
            return Ok(());
        }
        let worth = settings.max_score.or(settings.accept_score);
        let lost = match worth.filter(|_| settings.is_scoring) {
            Some(worth) => format!(": its {} points would be lost", points(worth)),
            None => String::new(),
        };
        mistake(
            folder,
            format!("the group has settings, but no tests{lost}"),
        )
    }

    /// The tests of a group, those with the same arguments together.
    fn tests(
        &mut self,
        folder: &str,
        settings: &GroupSettings,
        names: &BTreeSet<&str>,
    ) -> Result<Vec<SameTests>, PackageError> {
        let stems = names.iter().filter_map(|name| name.strip_suffix(".in"));
        let stems: Vec<&str> = stems.collect();
        let mut same: Vec<SameTests> = Vec::new();
        let mut add = |arguments: Arguments, case: TomlCase| match same
            .iter_mut()
            .find(|it| it.arguments == arguments)
        {
            Some(found) => found.cases.push(case),
            None => same.push(SameTests {
                arguments,
                cases: vec![case],
            }),
        };
        for stem in &stems {
            let answer = ["ans", "out"].map(|extension| format!("{stem}.{extension}"));
            let answer = answer.into_iter().find(|name| names.contains(&**name));
            let mut own = settings.clone();
            let config = format!("{stem}.yaml");
            if names.contains(&*config) {
                own.take_test(&format!("{folder}/{config}"), self.draft)?;
            }
            let files = self.files(&format!("{folder}/{stem}.files"))?;
            let case = TomlCase {
                name: (*stem).to_owned(),
                arguments: own.submission,
                files,
                stdin_file: Some(format!("{folder}/{stem}.in")),
                answer_file: answer.map(|name| format!("{folder}/{name}")),
                ..TomlCase::default()
            };
            add(own.arguments, case);
        }
        let made = self
            .generated
            .make(self.draft, folder, |name| names.contains(name))?;
        for mut case in made {
            case.arguments.clone_from(&settings.submission);
            add(settings.arguments.clone(), case);
        }
        let cases = || same.iter().flat_map(|it| &it.cases);
        self.lacks_answers |= cases().any(|case| case.answer_file.is_none());
        if cases().any(TomlCase::is_own) && self.draft.has_entries("input_validators") {
            let note = "the input validator gets neither the arguments (`args`) nor the files (`*.files`) of tests";
            self.draft.note(note);
        }
        Ok(same)
    }

    /// Copies the files that submissions read in a test, if it has a folder of them; returns their paths.
    fn files(&mut self, folder: &str) -> Result<Vec<String>, PackageError> {
        let mut files = Vec::new();
        for entry in self.draft.library.list(folder).unwrap_or_default() {
            let path = format!("{folder}/{}", entry.name);
            if entry.folder {
                return unsupported(format!(
                    "`{path}`: folders that submissions read are not supported"
                ));
            }
            self.draft.file(&path, &path);
            files.push(path);
        }
        Ok(files)
    }

    /// Copies the files of tests.
    fn copy(&mut self, folder: &str, entries: &[LibraryEntry], tests: &[SameTests]) {
        let cases = tests.iter().flat_map(|it| &it.cases);
        let mut listed = cases.filter(|it| it.stdin_file.is_some()).peekable();
        let has_tests = listed.peek().is_some();
        let names: BTreeSet<&str> = listed.map(|it| &*it.name).collect();
        for entry in entries.iter().filter(|entry| !entry.folder) {
            let (stem, extension) = entry.name.rsplit_once('.').unwrap_or(("", &entry.name));
            let path = format!("{folder}/{}", entry.name);
            if SETTINGS.contains(&&*entry.name) || extension == "yaml" && names.contains(stem) {
                // They are read elsewhere.
            } else if !["in", "ans", "out"].contains(&extension) {
                let note = format!("`data`: files `*.{extension}` are not used");
                self.draft.note(note);
            } else if has_tests {
                self.draft.file(&path, &path);
            }
        }
    }

    /// Reads the groups in a group whose own tests, if there are any, are the subtasks from `first`. Returns how many have
    /// tests.
    fn groups_below(
        &mut self,
        folder: &str,
        entries: Vec<LibraryEntry>,
        settings: &GroupSettings,
        first: usize,
        depth: usize,
    ) -> Result<usize, PackageError> {
        let folders = entries.into_iter().filter(|entry| entry.folder);
        let mut folders: BTreeSet<String> = folders.map(|entry| entry.name).collect();
        folders.extend(self.generated.folders(folder));
        let mut parts = Vec::new();
        let own = self.all.len() - first;
        if own > 0 {
            parts.push(Part {
                subtasks: first..self.all.len(),
                accepted: AcceptedIf::All,
                items: own,
            });
        }
        for name in folders {
            let path = format!("{folder}/{name}");
            if let Some(test) = name.strip_suffix(".files") {
                if self.draft.is_file(&format!("{folder}/{test}.in")) {
                    continue;
                }
                return mistake(
                    &path,
                    format!("there is no test `{test}.in` with these files"),
                );
            }
            parts.extend(self.group(&path, settings, depth + 1)?);
        }
        self.chain(folder, settings, &parts)?;
        self.combine(folder, settings, first, parts.len(), own > 0)?;
        Ok(parts.len() - usize::from(own > 0))
    }
}

/// The name of a subtask: `sample`, `secret`, `group-1`.
pub(super) fn name(folder: &str) -> String {
    let inner = folder.strip_prefix("data/").unwrap_or(folder);
    let inner = inner.strip_prefix("secret/").unwrap_or(inner);
    inner.replace('/', "-")
}
