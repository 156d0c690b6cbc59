//! Kattis test groups (`data/sample`, `data/secret` and their subfolders), as subtasks.

use std::collections::BTreeSet;

use grader_model::{Points, natural_order};

use super::generators::{Generated, reference};
use crate::draft::Draft;
use crate::error::{PackageError, mistake, unsupported};
use crate::fields::Fields;
use crate::limits::{MAX_CASES, MAX_GROUP_DEPTH};
use crate::output::{TomlSubtask, points, template};

/// Settings of a group, which its subgroups inherit.
#[derive(Clone)]
struct GroupSettings {
    /// Arguments of the output validator.
    arguments: Vec<String>,
    /// Arguments of the input validator, as templates.
    input_arguments: Vec<String>,
    max_score: Option<f64>,
    /// Score of one accepted test.
    accept_score: Option<f64>,
    /// `sum`, `worst` or `all`.
    score: &'static str,
    require: Vec<String>,
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
    is_scoring: bool,
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
/// Settings that do not affect judging here.
const ELSEWHERE: [&str; 5] = [
    "on_reject",
    "grading",
    "full_feedback",
    "scoring",
    "run_samples",
];

impl Groups<'_, '_> {
    /// Reads `data` and copies its files. If the judge `needs_answers`, missing ones come from a solution.
    pub(super) fn read(
        draft: &mut Draft<'_>,
        is_scoring: bool,
        is_of_domjudge: bool,
        needs_answers: bool,
        arguments: Vec<String>,
    ) -> Result<Vec<KattisGroup>, PackageError> {
        let generated = Generated::read(draft)?;
        let mut groups = Groups {
            draft,
            is_scoring,
            is_of_domjudge,
            all: Vec::new(),
            generated,
            lacks_answers: false,
        };
        let base = GroupSettings {
            arguments,
            input_arguments: Vec::new(),
            max_score: None,
            accept_score: None,
            score: if is_scoring { "sum" } else { "all" },
            require: Vec::new(),
        };
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
            if let Some(range) = fields.words("range")? {
                settings.max_score = range.last().and_then(|text| text.parse().ok());
            }
            if let Some(score) = fields.text("max_score")? {
                settings.max_score = score.parse().ok();
                if settings.max_score.is_none() {
                    let note =
                        format!("`{folder}`: `max_score: {score}` is not a number; using 100");
                    self.draft.note(note);
                }
            }
            if let Some(score) = fields.number("accept_score")? {
                settings.accept_score = Some(score);
            }
            let mut words = fields.words("grader_flags")?.unwrap_or_default();
            words.extend(fields.text("score_aggregation")?);
            for word in words {
                settings.score = match &*word {
                    "sum" => "sum",
                    "min" => "worst",
                    "pass-fail" | "always_accept" => "all",
                    _ => {
                        let note = format!("the grader's `{word}` is not used");
                        self.draft.note(note);
                        continue;
                    }
                };
            }
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
        let mut settings = self.settings(folder, outer)?;
        if self.is_of_domjudge && settings.accept_score.is_some() {
            settings.score = "all";
        }
        let extension = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        let files = entries.iter().filter(|entry| !entry.folder);
        let names: BTreeSet<&str> = files.clone().map(|it| &*it.name).collect();
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
        for entry in files {
            let extension = extension(&entry.name);
            let path = format!("{folder}/{}", entry.name);
            if SETTINGS.contains(&&*entry.name) {
                // Read above.
            } else if !["in", "ans", "out"].contains(&&*extension) {
                let note = format!("`data`: files `*.{extension}` are not used");
                self.draft.note(note);
            } else if tests > 0 {
                self.draft.file(&path, &path);
            }
        }
        if count > 0 {
            let of_cases = settings.accept_score.map(|one| match settings.score {
                "sum" => one * count as f64,
                _ => one,
            });
            let worth = if folder.starts_with("data/sample") {
                0.0
            } else if self.is_scoring {
                settings.max_score.or(of_cases).unwrap_or(100.0)
            } else {
                1.0
            };
            let subtask = TomlSubtask {
                name: name(folder),
                points: points(worth),
                score: settings.score,
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
        let folders = entries.into_iter().filter(|entry| entry.folder);
        let mut folders: BTreeSet<String> = folders.map(|entry| entry.name).collect();
        folders.extend(self.generated.folders(folder));
        for name in folders {
            if extension(&name) == "files" {
                self.draft.note("`data`: folders `*.files` are not used");
            } else {
                self.group(&format!("{folder}/{name}"), &settings, depth + 1)?;
            }
        }
        Ok(())
    }
}

/// The name of a subtask: `sample`, `secret`, `group-1`.
fn name(folder: &str) -> String {
    let inner = folder.strip_prefix("data/").unwrap_or(folder);
    let inner = inner.strip_prefix("secret/").unwrap_or(inner);
    inner.replace('/', "-")
}
