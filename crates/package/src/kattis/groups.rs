//! Kattis test groups (`data/sample`, `data/secret` and their subfolders), as subtasks.

use std::collections::BTreeSet;
use std::ops::Range;

use grader_model::Points;
use grader_problem::LibraryEntry;

use super::generators::{Generated, reference};
use super::sources::is_of_domjudge;
use crate::draft::Draft;
use crate::error::{PackageError, mistake, unsupported};
use crate::fields::Fields;
use crate::limits::{MAX_CASES, MAX_GROUP_DEPTH};
use crate::output::{TomlCase, TomlSubtask, points, require_others, template};

/// Arguments of validators.
#[derive(Clone, Default, PartialEq)]
pub(super) struct Arguments {
    /// Those of the output validator.
    pub(super) output: Vec<String>,
    /// Those of the input validator, as templates.
    pub(super) input: Vec<String>,
}

/// When a group is accepted.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum AcceptedIf {
    /// If all its tests and groups are.
    #[default]
    All,
    /// If one of them is.
    Any,
    Always,
}

/// Settings of a group, which its subgroups inherit.
#[derive(Clone, Default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "these are settings of the format"
)]
pub(super) struct GroupSettings {
    pub(super) arguments: Arguments,
    pub(super) is_scoring: bool,
    /// Whether groups inherit how scores are combined.
    pub(super) is_legacy: bool,
    /// Whether an accepted test may earn a part of its score.
    pub(super) gives_parts: bool,
    /// Whether the score of each accepted test is what the output validator says.
    pub(super) gives_scores: bool,
    /// Whether the first test or group that is not accepted ends the group.
    pub(super) breaks: bool,
    pub(super) max_score: Option<f64>,
    /// Whether the group says that its score has no maximum.
    pub(super) is_unbounded: bool,
    /// That of the innermost group around this one that has one.
    pub(super) outer_score: Option<f64>,
    /// Score of one accepted test.
    pub(super) accept_score: Option<f64>,
    /// How scores are combined: `sum`, `mean`, `worst`, `best` or `all`.
    pub(super) score: &'static str,
    pub(super) accepted: AcceptedIf,
    /// Whether the score of the samples does not count.
    pub(super) ignores_samples: bool,
    /// The folders of the groups that must be passed first.
    pub(super) require: Vec<String>,
}

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
struct Part {
    /// Which of all subtasks belong to it.
    subtasks: Range<usize>,
    accepted: AcceptedIf,
    /// How many tests and groups it has.
    items: usize,
}

/// The tests of a group.
pub(super) struct Tests {
    pub(super) same: Vec<SameTests>,
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
    /// Arguments of the output validator in all groups.
    flags: Vec<String>,
    /// Whether a test has no answer.
    lacks_answers: bool,
    /// The groups with points whose maximum is that of a group around them.
    pub(super) borrowers: Vec<String>,
}

/// Why a package with a program that adds up the scores of groups is not imported.
pub(super) const OWN_GRADER: &str =
    "custom graders (`graders/`, `grading: custom`) are not supported";
/// Files with settings of a group.
const SETTINGS: [&str; 2] = ["test_group.yaml", "testdata.yaml"];
/// Words for a grader that change the verdict and not the score.
const VERDICT_ONLY: [&str; 3] = ["first_error", "worst_error", "no_errors"];
/// Settings that do not affect judging here.
const ELSEWHERE: [&str; 5] = [
    "grading",
    "full_feedback",
    "run_samples",
    "input_visualizer_args",
    "output_visualizer_args",
];

impl Groups<'_, '_> {
    /// Reads `data`, whose settings begin as `base`, and copies its files. If the judge `needs_answers`, missing ones
    /// come from a solution.
    pub(super) fn read(
        draft: &mut Draft<'_>,
        mut base: GroupSettings,
        needs_answers: bool,
    ) -> Result<Vec<KattisGroup>, PackageError> {
        let generated = Generated::read(draft)?;
        let is_of_domjudge = is_of_domjudge(draft.library);
        let mut groups = Groups {
            draft,
            is_of_domjudge,
            all: Vec::new(),
            generated,
            flags: base.arguments.output.clone(),
            lacks_answers: false,
            borrowers: Vec::new(),
        };
        let is_scoring = base.is_scoring;
        base.score = if is_scoring { "sum" } else { "all" };
        let base = groups.settings("data", &base)?;
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
        groups.requirements()?;
        if let [first, second, ..] = &groups.borrowers[..] {
            let message = format!(
                "the most points of this group are not known: it has the `range` of a group around it, as `{first}` has; give it a `range` of its own"
            );
            return mistake(second, message);
        }
        if !is_scoring {
            // A submission that fails one test is rejected.
            let mut subtasks: Vec<_> = groups.all.iter().map(|it| it.subtask.clone()).collect();
            require_others(&mut subtasks);
            for (group, subtask) in groups.all.iter_mut().zip(subtasks) {
                group.subtask.require = subtask.require;
                group.subtask.points = Points::ZERO;
            }
            if let Some(last) = groups.all.last_mut().filter(|it| it.subtask.hidden) {
                last.subtask.points = points(1.0);
            }
        }
        if groups.lacks_answers && needs_answers {
            reference(groups.draft, groups.generated.solution)?;
        }
        Ok(groups.all)
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

    /// Lets subtasks require those of the groups that `require_pass` names.
    fn requirements(&mut self) -> Result<(), PackageError> {
        for index in 0..self.all.len() {
            for folder in self.all[index].require.clone() {
                let is_inside = |it: &&KattisGroup| {
                    let rest = it.folder.strip_prefix(&folder);
                    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
                };
                let names = self.all.iter().filter(is_inside);
                let names: Vec<_> = names.map(|it| it.subtask.name.clone()).collect();
                if names.is_empty() && folder != "data/sample" {
                    let message = format!("`require_pass`: there are no tests in `{folder}`");
                    return mistake(&self.all[index].folder, message);
                }
                if self.all[index].subtask.hidden && self.gives_parts(&names) {
                    self.draft.note("a group that others require must earn all its points; a part of them is not enough");
                }
                require(&mut self.all[index].subtask, &names);
            }
        }
        Ok(())
    }

    /// Whether an accepted test of these subtasks may earn a part of its points.
    fn gives_parts(&self, names: &[String]) -> bool {
        self.all.iter().any(|it| {
            it.gives_parts && it.subtask.points > Points::ZERO && names.contains(&it.subtask.name)
        })
    }

    /// Lets each part of a group that breaks require the part before it.
    fn chain(
        &mut self,
        folder: &str,
        settings: &GroupSettings,
        parts: &[Part],
    ) -> Result<(), PackageError> {
        if !settings.is_scoring || !settings.breaks || parts.len() < 2 {
            return Ok(());
        }
        if settings.score == "mean" {
            return broken(
                folder,
                "the mean of its groups depends on which of them run",
            );
        }
        let mut before: Vec<String> = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            for group in &mut self.all[part.subtasks.clone()] {
                require(&mut group.subtask, &before);
            }
            if index + 1 == parts.len() || part.accepted == AcceptedIf::Always {
                continue;
            }
            if part.accepted == AcceptedIf::Any && part.items > 1 {
                return broken(folder, "a group is accepted if one of its tests is");
            }
            let names = self.all[part.subtasks.clone()].iter();
            before = names.map(|it| it.subtask.name.clone()).collect();
            if self.gives_parts(&before) {
                return broken(folder, "an accepted test may earn a part of its points");
            }
        }
        Ok(())
    }

    fn settings(
        &mut self,
        folder: &str,
        outer: &GroupSettings,
    ) -> Result<GroupSettings, PackageError> {
        let mut settings = GroupSettings {
            max_score: None,
            is_unbounded: false,
            outer_score: outer.max_score.or(outer.outer_score),
            require: Vec::new(),
            ..outer.clone()
        };
        if !outer.is_legacy && folder.starts_with("data/secret/") {
            settings.score = "all";
        }
        for file in SETTINGS {
            let path = format!("{folder}/{file}");
            let mut fields = match Fields::read(self.draft.library, &path)? {
                Some(fields) => fields,
                None if file == SETTINGS[0] => {
                    Fields::of(&path, self.generated.settings(folder).cloned())?
                }
                None => continue,
            };
            if fields
                .take("grading")
                .is_some_and(|grading| grading == "custom")
            {
                return unsupported(OWN_GRADER);
            }
            self.arguments(&mut fields, &path, &mut settings)?;
            match fields.text("on_reject")?.as_deref() {
                None => {}
                Some("break") => settings.breaks = true,
                Some("continue") => settings.breaks = false,
                Some(other) => {
                    let message =
                        format!("`on_reject`: expected `break` or `continue`, found `{other}`");
                    return mistake(&path, message);
                }
            }
            if fields
                .text("static_validation_score")?
                .is_some_and(|score| score != "0")
            {
                return unsupported(format!(
                    "`{path}`: a score for the source (`static_validation_score`) is not supported"
                ));
            }
            self.scores(folder, &mut fields, &mut settings)?;
            if let Some(required) = fields.words("require_pass")? {
                let folders = required.iter().map(|path| format!("data/{path}"));
                settings.require = folders.collect();
            }
            fields.ignore(&ELSEWHERE);
            // One note for all groups.
            let left = fields.left().map(|note| note.replacen(&path, file, 1));
            self.draft.notes.extend(left);
        }
        Ok(settings)
    }

    /// Takes the arguments of a group or a test.
    fn arguments(
        &self,
        fields: &mut Fields,
        path: &str,
        settings: &mut GroupSettings,
    ) -> Result<(), PackageError> {
        for key in ["output_validator_args", "output_validator_flags"] {
            if let Some(words) = fields.program_words(key)? {
                let common = &self.flags;
                settings.arguments.output = [common, &self.draft.fill_all(&words)[..]].concat();
            }
        }
        for key in ["input_validator_args", "input_validator_flags"] {
            if let Some(words) = fields.program_words(key)? {
                let words = self.draft.fill_all(&words);
                settings.arguments.input = words.iter().map(|it| template(it)).collect();
            }
        }
        match fields.words("args")? {
            Some(words) if !words.is_empty() => unsupported(format!(
                "`{path}`: arguments of submissions (`args`) are not supported"
            )),
            _ => Ok(()),
        }
    }

    /// Takes what a test is worth, and how scores are combined.
    fn scores(
        &mut self,
        folder: &str,
        fields: &mut Fields,
        settings: &mut GroupSettings,
    ) -> Result<(), PackageError> {
        if settings.is_scoring && fields.number("reject_score")? > Some(0.0) {
            return unsupported("a score for tests that fail (`reject_score`) is not supported");
        }
        if let Some(range) = fields.words("range")? {
            let most = range.last().and_then(|text| text.parse().ok());
            settings.max_score = most.filter(|most: &f64| most.is_finite());
        }
        let mut drafted = fields.table("scoring")?;
        let score = drafted.text("score")?;
        match fields.text("max_score")?.or(score) {
            None => {}
            Some(score) if score == "unbounded" => settings.is_unbounded = true,
            Some(score) => {
                settings.max_score = score.parse().ok();
                if settings.max_score.is_none() {
                    let message = format!("`max_score`: expected a number, found `{score}`");
                    return mistake(folder, message);
                }
            }
        }
        if let Some(score) = fields.number("accept_score")? {
            settings.accept_score = Some(score);
        }
        let flags = fields.words("grader_flags")?;
        if flags.is_some() {
            settings.accepted = AcceptedIf::All;
            settings.ignores_samples = false;
            settings.score = if settings.is_scoring { "sum" } else { "all" };
        }
        let mut words = flags.unwrap_or_default();
        words.extend(fields.text("score_aggregation")?);
        words.extend(drafted.text("aggregation")?);
        for word in words {
            match (combination(&word), &*word) {
                (Some(score), _) => settings.score = score,
                (None, "ignore_sample") => settings.ignores_samples = true,
                (None, "always_accept") => settings.accepted = AcceptedIf::Always,
                (None, "accept_if_any_accepted") => {
                    settings.accepted = AcceptedIf::Any;
                    let note = "the grader's `accept_if_any_accepted` is not used";
                    self.draft.note(note);
                }
                (None, word) if VERDICT_ONLY.contains(&word) => {}
                (None, word) => {
                    return mistake(folder, format!("the grader has no setting `{word}`"));
                }
            }
        }
        Ok(())
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
        let count: usize = tests.same.iter().map(|it| it.cases.len()).sum();
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
    ) -> Result<Tests, PackageError> {
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
            self.lacks_answers |= answer.is_none();
            let mut own = settings.clone();
            let config = format!("{stem}.yaml");
            if names.contains(&*config) {
                self.test_settings(&format!("{folder}/{config}"), &mut own)?;
            }
            let case = TomlCase {
                name: (*stem).to_owned(),
                stdin_file: Some(format!("{folder}/{stem}.in")),
                answer_file: answer.map(|name| format!("{folder}/{name}")),
                ..TomlCase::default()
            };
            add(own.arguments, case);
        }
        let made = self
            .generated
            .make(self.draft, folder, |name| names.contains(name))?;
        self.lacks_answers |= made.lacks_answers;
        for (name, has_answer) in &made.files {
            let case = TomlCase {
                name: name.clone(),
                stdin_file: Some(format!("{folder}/{name}.in")),
                answer_file: has_answer.then(|| format!("{folder}/{name}.ans")),
                ..TomlCase::default()
            };
            add(settings.arguments.clone(), case);
        }
        for case in made.cases {
            add(settings.arguments.clone(), case);
        }
        Ok(Tests { same })
    }

    /// Takes the settings of a single test.
    fn test_settings(
        &mut self,
        path: &str,
        settings: &mut GroupSettings,
    ) -> Result<(), PackageError> {
        let Some(mut fields) = Fields::read(self.draft.library, path)? else {
            return Ok(());
        };
        self.arguments(&mut fields, path, settings)?;
        fields.ignore(&ELSEWHERE);
        fields.ignore(&["hint", "description"]);
        match fields.first_left() {
            Some(key) if !settings.is_legacy => {
                mistake(path, format!("a test has no setting `{key}`"))
            }
            Some(_) => {
                self.draft.notes.extend(fields.left());
                Ok(())
            }
            None => Ok(()),
        }
    }

    /// Copies the files of tests.
    fn copy(&mut self, folder: &str, entries: &[LibraryEntry], tests: &Tests) {
        let cases = tests.same.iter().flat_map(|it| &it.cases);
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
            if name.rsplit('.').next() == Some("files") {
                return unsupported(format!(
                    "`{path}`: files that submissions read (`*.files`) are not supported"
                ));
            }
            parts.extend(self.group(&path, settings, depth + 1)?);
        }
        self.chain(folder, settings, &parts)?;
        let children = parts.len();
        let below = children - usize::from(own > 0);
        if !settings.is_scoring || children < 2 || settings.score == "sum" {
            return Ok(below);
        }
        if settings.score == "mean" && own > 0 {
            return not_combined(folder, "mean of tests and groups");
        }
        self.combine(folder, settings, first, children)?;
        Ok(below)
    }

    /// Makes the subtasks from `first`, those of a group with several `children`, worth their share of its score.
    fn combine(
        &mut self,
        folder: &str,
        settings: &GroupSettings,
        first: usize,
        children: usize,
    ) -> Result<(), PackageError> {
        let inner = self.all[first..].iter_mut().map(|it| &mut it.subtask);
        if settings.score == "mean" {
            for subtask in inner {
                subtask.points = points(subtask.points.to_f64() / children as f64);
            }
            return Ok(());
        }
        let mut inner: Vec<_> = inner.collect();
        let is_whole = |it: &&mut TomlSubtask| match it.score {
            "worst" => !settings.gives_parts,
            score => score == "all",
        };
        let is_flat =
            settings.score != "best" && inner.len() == children && inner.iter().all(is_whole);
        let Some((last, others)) = inner.split_last_mut().filter(|_| is_flat) else {
            return not_combined(folder, settings.score);
        };
        // Only the last subtask is worth points, if the others pass.
        for other in others {
            last.points = last.points.min(other.points);
            other.points = Points::ZERO;
            require(last, std::slice::from_ref(&other.name));
        }
        Ok(())
    }
}

/// How scores are combined, by a word of the settings.
fn combination(word: &str) -> Option<&'static str> {
    Some(match word {
        "sum" => "sum",
        "avg" => "mean",
        "min" => "worst",
        "max" => "best",
        "pass-fail" => "all",
        _ => return None,
    })
}

/// Lets a subtask require others, besides those that it requires already.
fn require(subtask: &mut TomlSubtask, names: &[String]) {
    for name in names {
        if !subtask.require.contains(name) {
            subtask.require.push(name.clone());
        }
    }
}

/// Refuses an `on_reject: break` that subtasks cannot express.
pub(super) fn broken<T>(folder: &str, why: &str) -> Result<T, PackageError> {
    mistake(
        folder,
        format!(
            "`on_reject: break`, the default, ends the group at its first failure, and {why}, which is not supported: set `on_reject: continue`"
        ),
    )
}

/// Refuses a score that subtasks cannot express.
pub(super) fn not_combined<T>(folder: &str, how: &str) -> Result<T, PackageError> {
    let how = match how {
        "worst" | "all" => "minimum of groups that may earn a part of their points",
        "best" => "maximum (`max`)",
        how => how,
    };
    unsupported(format!(
        "`{folder}`: the score is a {how}, which is not supported"
    ))
}

/// The name of a subtask: `sample`, `secret`, `group-1`.
pub(super) fn name(folder: &str) -> String {
    let inner = folder.strip_prefix("data/").unwrap_or(folder);
    let inner = inner.strip_prefix("secret/").unwrap_or(inner);
    inner.replace('/', "-")
}
