//! Kattis test groups (`data/sample`, `data/secret` and their subfolders), as subtasks.

use crate::draft::Draft;
use crate::error::{PackageError, mistake, unsupported};
use crate::fields::Fields;
use crate::limits::{MAX_CASES, MAX_GROUP_DEPTH};
use crate::output::{TomlSubtask, points};

/// Settings of a group, which its subgroups inherit.
#[derive(Clone)]
struct GroupSettings {
    /// Arguments of the output validator.
    arguments: Vec<String>,
    max_score: Option<f64>,
    /// Score of one accepted test.
    accept_score: Option<f64>,
    /// `sum`, `worst` or `all`.
    score: &'static str,
    require: Vec<String>,
}

/// A group with tests.
pub(super) struct KattisGroup {
    /// Arguments of the output validator.
    pub(super) arguments: Vec<String>,
    pub(super) subtask: TomlSubtask,
}

/// Reader of groups.
pub(super) struct Groups<'a, 'b> {
    draft: &'a mut Draft<'b>,
    is_scoring: bool,
    all: Vec<KattisGroup>,
}

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
    /// Reads `data` and copies its files.
    pub(super) fn read(
        draft: &mut Draft<'_>,
        is_scoring: bool,
        arguments: Vec<String>,
    ) -> Result<Vec<KattisGroup>, PackageError> {
        let mut groups = Groups {
            draft,
            is_scoring,
            all: Vec::new(),
        };
        let base = GroupSettings {
            arguments,
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
            let Some(mut fields) = Fields::read(self.draft.library, &path)? else {
                continue;
            };
            for key in ["output_validator_args", "output_validator_flags"] {
                if let Some(words) = fields.words(key)? {
                    settings.arguments = words;
                }
            }
            if let Some(range) = fields.words("range")? {
                settings.max_score = range.last().and_then(|text| text.parse().ok());
            }
            if let Some(score) = fields.text("max_score")? {
                settings.max_score = score.parse().ok();
                if settings.max_score.is_none() {
                    let note = format!("`{folder}`: `max_score: {score}` is taken for 100");
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
                        let note = format!("`{folder}`: the grader's `{word}` is not used");
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
            self.draft.notes.extend(fields.left());
        }
        Ok(settings)
    }

    fn group(
        &mut self,
        folder: &str,
        outer: &GroupSettings,
        depth: usize,
    ) -> Result<(), PackageError> {
        let Ok(entries) = self.draft.library.list(folder) else {
            return Ok(());
        };
        if depth > MAX_GROUP_DEPTH {
            let message = format!("groups are nested more than {MAX_GROUP_DEPTH} deep");
            return mistake(folder, message);
        }
        let settings = self.settings(folder, outer)?;
        let extension = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        let files = entries.iter().filter(|entry| !entry.folder);
        let tests = files.clone().filter(|it| extension(&it.name) == "in");
        let tests = tests.count();
        if tests > MAX_CASES {
            let message = format!("a group may have at most {MAX_CASES} tests, found {tests}");
            return mistake(folder, message);
        }
        for entry in files {
            let extension = extension(&entry.name);
            let path = format!("{folder}/{}", entry.name);
            if SETTINGS.contains(&&*entry.name) {
                // Read above.
            } else if !["in", "ans", "out"].contains(&&*extension) {
                let note = format!("`{folder}`: files `*.{extension}` are not used");
                self.draft.note(note);
            } else if tests > 0 {
                self.draft.file(&path, &path);
            }
        }
        if tests > 0 {
            let of_cases = settings.accept_score.map(|one| match settings.score {
                "sum" => one * tests as f64,
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
                folder: Some(folder.to_owned()),
                ..TomlSubtask::default()
            };
            self.all.push(KattisGroup {
                arguments: settings.arguments.clone(),
                subtask,
            });
        }
        for entry in entries.iter().filter(|entry| entry.folder) {
            if extension(&entry.name) == "files" {
                let note = format!("`{folder}`: folders `*.files` are not used");
                self.draft.note(note);
            } else {
                self.group(&format!("{folder}/{}", entry.name), &settings, depth + 1)?;
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
