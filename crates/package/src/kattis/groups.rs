//! Kattis test groups (`data/sample`, `data/secret` and their subfolders), as subtasks.

use std::collections::BTreeSet;

use grader_model::{Points, natural_order};
use grader_problem::LibraryEntry;

use super::generators::{Generated, reference};
use super::sources::is_of_domjudge;
use crate::draft::Draft;
use crate::error::{PackageError, mistake, unsupported};
use crate::fields::Fields;
use crate::limits::{MAX_CASES, MAX_GROUP_DEPTH};
use crate::output::{TomlSubtask, points, template};

/// Settings of a group, which its subgroups inherit.
#[derive(Clone, Default)]
pub(super) struct GroupSettings {
    /// Arguments of the output validator.
    pub(super) arguments: Vec<String>,
    pub(super) is_scoring: bool,
    /// Whether groups inherit how scores are combined.
    pub(super) is_legacy: bool,
    /// Whether an accepted test may earn a part of its score.
    pub(super) gives_parts: bool,
    /// Arguments of the input validator, as templates.
    pub(super) input_arguments: Vec<String>,
    pub(super) max_score: Option<f64>,
    /// Score of one accepted test.
    pub(super) accept_score: Option<f64>,
    /// How scores are combined: `sum`, `mean`, `worst`, `best` or `all`.
    pub(super) score: &'static str,
    pub(super) require: Vec<String>,
}

/// A group with tests.
pub(super) struct KattisGroup {
    /// Its folder in the package.
    pub(super) folder: String,
    /// Arguments of the output validator.
    pub(super) arguments: Vec<String>,
    /// Arguments of the input validator, as templates.
    pub(super) input_arguments: Vec<String>,
    pub(super) subtask: TomlSubtask,
}

/// Reader of groups.
pub(super) struct Groups<'a, 'b> {
    draft: &'a mut Draft<'b>,
    /// Whether a group gets `accept_score` once, if all of its tests pass. In Kattis, each test gets it.
    is_of_domjudge: bool,
    all: Vec<KattisGroup>,
    generated: Generated,
    /// Whether a test has no answer.
    lacks_answers: bool,
}

/// Why a package with a program that adds up the scores of groups is not imported.
pub(super) const OWN_GRADER: &str =
    "custom graders (`graders/`, `grading: custom`) are not supported";
/// Files with settings of a group.
const SETTINGS: [&str; 2] = ["test_group.yaml", "testdata.yaml"];
/// Words for a grader that change the verdict and not the score.
const VERDICT_ONLY: [&str; 4] = ["always_accept", "first_error", "worst_error", "no_errors"];
/// Settings that do not affect judging here.
const ELSEWHERE: [&str; 4] = ["on_reject", "grading", "full_feedback", "run_samples"];

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
            lacks_answers: false,
        };
        let is_scoring = base.is_scoring;
        base.score = if is_scoring { "sum" } else { "all" };
        let base = groups.settings("data", &base)?;
        groups.group("data/sample", &base, 0)?;
        groups.group("data/secret", &base, 0)?;
        for entry in groups.draft.library.list("data").unwrap_or_default() {
            if entry.folder && !["sample", "secret"].contains(&&*entry.name) {
                let note = format!("`data/{}` is not used", entry.name);
                groups.draft.note(note);
            }
        }
        if groups.all.is_empty() {
            return unsupported("there are no tests: expected `data/secret/*.in`");
        }
        // Pass-fail problems that have only samples are judged by them.
        let is_worthless = groups
            .all
            .iter()
            .all(|it| it.subtask.points == Points::ZERO);
        if !is_scoring
            && is_worthless
            && let Some(last) = groups.all.last_mut()
        {
            last.subtask.points = points(1.0);
        }
        groups.generated.note_left_out(groups.draft);
        if groups.lacks_answers && needs_answers {
            reference(groups.draft, groups.generated.solution)?;
        }
        Ok(groups.all)
    }

    fn settings(
        &mut self,
        folder: &str,
        outer: &GroupSettings,
    ) -> Result<GroupSettings, PackageError> {
        let mut settings = GroupSettings {
            max_score: None,
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
            for key in ["output_validator_args", "output_validator_flags"] {
                if let Some(words) = fields.program_words(key)? {
                    settings.arguments = self.draft.fill_all(&words);
                }
            }
            for key in ["input_validator_args", "input_validator_flags"] {
                if let Some(words) = fields.program_words(key)? {
                    let words = self.draft.fill_all(&words);
                    settings.input_arguments = words.iter().map(|it| template(it)).collect();
                }
            }
            self.scores(folder, &mut fields, &mut settings)?;
            if let Some(required) = fields.words("require_pass")? {
                let names = required.iter().map(|path| name(&format!("data/{path}")));
                settings.require = names.collect();
            }
            fields.ignore(&ELSEWHERE);
            // One note for all groups.
            let left = fields.left().map(|note| note.replacen(&path, file, 1));
            self.draft.notes.extend(left);
        }
        Ok(settings)
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
        if let Some(score) = fields.text("max_score")?.or(score) {
            settings.max_score = score.parse().ok();
            if settings.max_score.is_none() {
                let note = format!("`{folder}`: `max_score: {score}` is not a number; using 100");
                self.draft.note(note);
            }
        }
        if let Some(score) = fields.number("accept_score")? {
            settings.accept_score = Some(score);
        }
        let mut words = fields.words("grader_flags")?.unwrap_or_default();
        words.extend(fields.text("score_aggregation")?);
        words.extend(drafted.text("aggregation")?);
        for word in words {
            match combination(&word) {
                Some(score) => settings.score = score,
                None if VERDICT_ONLY.contains(&&*word) => {}
                None => {
                    let note = format!("the grader's `{word}` is not used");
                    self.draft.note(note);
                }
            }
        }
        Ok(())
    }

    fn group(
        &mut self,
        folder: &str,
        outer: &GroupSettings,
        depth: usize,
    ) -> Result<(), PackageError> {
        let listed = self.draft.library.list(folder);
        if listed.is_err() && !self.generated.has(folder) {
            return Ok(());
        }
        let entries = listed.unwrap_or_default();
        if depth > MAX_GROUP_DEPTH {
            let message = format!("groups are nested more than {MAX_GROUP_DEPTH} deep");
            return mistake(folder, message);
        }
        let settings = self.settings(folder, outer)?;
        let first = self.all.len();
        let score = match settings.score {
            _ if self.is_of_domjudge && settings.accept_score.is_some() => "all",
            score => score,
        };
        let files = entries.iter().filter(|entry| !entry.folder);
        let names: BTreeSet<&str> = files.map(|it| &*it.name).collect();
        let tests = names.iter().filter_map(|name| name.strip_suffix(".in"));
        for test in tests.clone() {
            let has = |extension: &str| names.contains(&*format!("{test}.{extension}"));
            self.lacks_answers |= !has("ans") && !has("out");
        }
        let made = self
            .generated
            .make(self.draft, folder, |name| names.contains(name))?;
        self.lacks_answers |= made.lacks_answers;
        let mut stems: Vec<&str> = tests.clone().collect();
        stems.sort_unstable();
        let is_natural = stems.is_sorted_by(|a, b| natural_order(a, b).is_le());
        let tests = tests.count() + made.files;
        let count = tests + made.cases.len();
        if count > MAX_CASES {
            let message = format!("a group may have at most {MAX_CASES} tests, found {count}");
            return mistake(folder, message);
        }
        self.copy(folder, &entries, tests > 0);
        if count > 0 {
            let of_cases = settings.accept_score.map(|one| match score {
                "sum" => one * count as f64,
                _ => one,
            });
            let worth = if folder.starts_with("data/sample") {
                0.0
            } else if settings.is_scoring {
                settings.max_score.or(of_cases).unwrap_or(100.0)
            } else {
                1.0
            };
            let score = match score {
                "best" if settings.is_scoring && worth > 0.0 && count > 1 => {
                    return not_combined(folder, "best");
                }
                "mean" | "best" => "sum",
                score => score,
            };
            let subtask = TomlSubtask {
                name: name(folder),
                points: points(worth),
                score,
                require: settings.require.clone(),
                folder: (tests > 0).then(|| folder.to_owned()),
                case: made.cases,
                lexicographic: !is_natural,
                ..TomlSubtask::default()
            };
            self.all.push(KattisGroup {
                folder: folder.to_owned(),
                arguments: settings.arguments.clone(),
                input_arguments: settings.input_arguments.clone(),
                subtask,
            });
        }
        self.groups_below(folder, entries, &settings, first, depth)
    }

    /// Copies the files of tests.
    fn copy(&mut self, folder: &str, entries: &[LibraryEntry], has_tests: bool) {
        for entry in entries.iter().filter(|entry| !entry.folder) {
            let extension = entry.name.rsplit('.').next().unwrap_or_default();
            let path = format!("{folder}/{}", entry.name);
            if SETTINGS.contains(&&*entry.name) {
                // They are read elsewhere.
            } else if !["in", "ans", "out"].contains(&extension) {
                let note = format!("`data`: files `*.{extension}` are not used");
                self.draft.note(note);
            } else if has_tests {
                self.draft.file(&path, &path);
            }
        }
    }

    /// Reads the groups in a group whose own tests, if there are any, are the subtask `first`.
    fn groups_below(
        &mut self,
        folder: &str,
        entries: Vec<LibraryEntry>,
        settings: &GroupSettings,
        first: usize,
        depth: usize,
    ) -> Result<(), PackageError> {
        let folders = entries.into_iter().filter(|entry| entry.folder);
        let mut folders: BTreeSet<String> = folders.map(|entry| entry.name).collect();
        folders.extend(self.generated.folders(folder));
        let own = self.all.len() - first;
        let mut children = own;
        for name in folders {
            let before = self.all.len();
            if name.rsplit('.').next() == Some("files") {
                self.draft.note("`data`: folders `*.files` are not used");
            } else {
                self.group(&format!("{folder}/{name}"), settings, depth + 1)?;
            }
            children += usize::from(self.all.len() > before);
        }
        if !settings.is_scoring || children < 2 || settings.score == "sum" {
            return Ok(());
        }
        if settings.score == "mean" && own > 0 {
            return not_combined(folder, "mean of tests and groups");
        }
        self.combine(folder, settings, first, children)
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
            last.require.push(other.name.clone());
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

/// Refuses a score that subtasks cannot express.
fn not_combined(folder: &str, how: &str) -> Result<(), PackageError> {
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
fn name(folder: &str) -> String {
    let inner = folder.strip_prefix("data/").unwrap_or(folder);
    let inner = inner.strip_prefix("secret/").unwrap_or(inner);
    inner.replace('/', "-")
}
