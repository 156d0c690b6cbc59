//! Test groups: `data/sample` and `data/secret` with their subfolders, as subtasks.

use std::collections::BTreeSet;

use grader_problem::Library;

use crate::error::PackageError;
use crate::fields::Fields;
use crate::output::{list, quoted};

/// Settings of a group, which its subgroups inherit.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Arguments of the output validator.
    pub(crate) validator: Vec<String>,
    max_score: Option<f64>,
    /// Of one accepted test.
    accept_score: Option<f64>,
    /// `sum`, `worst` or `all`.
    score: &'static str,
    require: Vec<String>,
}

/// A subtask of ours.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    name: String,
    folder: String,
    points: f64,
    pub(crate) settings: Settings,
}

/// Where groups are read.
pub(crate) struct Groups<'a> {
    pub(crate) library: &'a dyn Library,
    pub(crate) is_scoring: bool,
    /// Folders whose files are copied.
    pub(crate) folders: Vec<String>,
    pub(crate) notes: BTreeSet<String>,
    pub(crate) all: Vec<Group>,
}

/// Deepest nesting of groups.
const MAX_DEPTH: usize = 8;
/// Most tests of a group.
pub(crate) const MAX_TESTS: usize = 10_000;

impl Groups<'_> {
    /// Reads `data`.
    pub(crate) fn read(&mut self, validator: Vec<String>) -> Result<(), PackageError> {
        let base = Settings {
            validator,
            max_score: None,
            accept_score: None,
            score: if self.is_scoring { "sum" } else { "all" },
            require: Vec::new(),
        };
        let base = self.settings("data", &base)?;
        self.group("data/sample", &base, 0)?;
        self.group("data/secret", &base, 0)?;
        for entry in self.library.list("data").unwrap_or_default() {
            if entry.folder && !["sample", "secret"].contains(&&*entry.name) {
                self.notes
                    .insert(format!("`data/{}` is not used", entry.name));
            }
        }
        if self.all.is_empty() {
            let message = "there are no tests: expected `data/secret/*.in`";
            return Err(PackageError::Unsupported(message.to_owned()));
        }
        Ok(())
    }

    fn settings(&mut self, folder: &str, outer: &Settings) -> Result<Settings, PackageError> {
        let mut settings = Settings {
            max_score: None,
            require: Vec::new(),
            ..outer.clone()
        };
        for file in ["test_group.yaml", "testdata.yaml"] {
            let Some(mut fields) = Fields::read(self.library, &format!("{folder}/{file}"))? else {
                continue;
            };
            for key in ["output_validator_args", "output_validator_flags"] {
                if let Some(words) = fields.words(key)? {
                    settings.validator = words;
                }
            }
            if let Some(range) = fields.words("range")? {
                settings.max_score = range.last().and_then(|text| text.parse().ok());
            }
            if let Some(score) = fields.text("max_score")? {
                settings.max_score = score.parse().ok();
                if settings.max_score.is_none() {
                    let note = format!("`{folder}`: `max_score: {score}` is taken for 100");
                    self.notes.insert(note);
                }
            }
            if let Some(score) = fields.number("accept_score")? {
                settings.accept_score = Some(score);
            }
            let flags = fields.words("grader_flags")?.unwrap_or_default();
            let aggregation = fields.text("score_aggregation")?;
            for word in flags
                .iter()
                .map(String::as_str)
                .chain(aggregation.as_deref())
            {
                settings.score = match word {
                    "sum" => "sum",
                    "min" => "worst",
                    "pass-fail" | "always_accept" => "all",
                    _ => {
                        let note = format!("`{folder}`: the grader's `{word}` is not used");
                        self.notes.insert(note);
                        continue;
                    }
                };
            }
            if let Some(required) = fields.words("require_pass")? {
                let names = required.iter().map(|path| name(&format!("data/{path}")));
                settings.require = names.collect();
            }
            // What only other judges do.
            for key in [
                "on_reject",
                "grading",
                "full_feedback",
                "scoring",
                "run_samples",
            ] {
                fields.take(key);
            }
            self.notes.extend(fields.left());
        }
        Ok(settings)
    }

    fn group(&mut self, folder: &str, outer: &Settings, depth: usize) -> Result<(), PackageError> {
        let Ok(entries) = self.library.list(folder) else {
            return Ok(());
        };
        if depth > MAX_DEPTH {
            let message = format!("groups are nested more than {MAX_DEPTH} deep");
            return Err(PackageError::file(folder, message));
        }
        let settings = self.settings(folder, outer)?;
        let is_test = |name: &str| name.rsplit('.').next() == Some("in");
        let tests = entries
            .iter()
            .filter(|it| !it.folder && is_test(&it.name))
            .count();
        if tests > MAX_TESTS {
            let message = format!("a group may have at most {MAX_TESTS} tests, found {tests}");
            return Err(PackageError::file(folder, message));
        }
        for entry in entries.iter().filter(|entry| !entry.folder) {
            let extension = entry.name.rsplit('.').next().unwrap_or_default();
            let is_settings = ["test_group.yaml", "testdata.yaml"].contains(&&*entry.name);
            if !is_settings && !["in", "ans", "out"].contains(&extension) {
                self.notes
                    .insert(format!("`{folder}`: files `*.{extension}` are not used"));
            }
        }
        if tests > 0 {
            self.folders.push(folder.to_owned());
            let is_sample = folder.starts_with("data/sample");
            let points = match (self.is_scoring, is_sample, &settings) {
                (_, true, _) => 0.0,
                (false, false, _) => 1.0,
                (
                    true,
                    false,
                    Settings {
                        max_score: Some(max),
                        ..
                    },
                ) => *max,
                (
                    true,
                    false,
                    Settings {
                        accept_score: Some(one),
                        ..
                    },
                ) => match settings.score {
                    "sum" => one * tests as f64,
                    _ => *one,
                },
                (true, false, _) => 100.0,
            };
            self.all.push(Group {
                name: name(folder),
                folder: folder.to_owned(),
                points,
                settings: settings.clone(),
            });
        }
        for entry in entries.iter().filter(|entry| entry.folder) {
            if entry.name.rsplit('.').next() == Some("files") {
                self.notes
                    .insert(format!("`{folder}`: folders `*.files` are not used"));
            } else {
                self.group(&format!("{folder}/{}", entry.name), &settings, depth + 1)?;
            }
        }
        Ok(())
    }
}

impl Group {
    /// `[[subtask]]`; `checker` is its own, if it has one.
    pub(crate) fn toml(&self, known: &[Self], checker: Option<&str>) -> String {
        let is_known = |name: &&String| known.iter().any(|group| group.name == **name);
        let required = self.settings.require.iter().filter(is_known);
        let require = list(required.map(String::as_str));
        let mut text = format!(
            "\n[[subtask]]\nname = {}\npoints = {}\nscore = \"{}\"\n",
            quoted(&self.name),
            (self.points * 1000.0).round() / 1000.0,
            self.settings.score,
        );
        if require != "[]" {
            text = text + "require = " + &require + "\n";
        }
        text = text + "folder = " + &quoted(&self.folder) + "\n";
        if let Some(checker) = checker {
            text += &checker.replace("[checker", "[subtask.checker");
        }
        text
    }
}

/// The name of a subtask: `sample`, `secret`, `group-1`.
fn name(folder: &str) -> String {
    let inner = folder.strip_prefix("data/").unwrap_or(folder);
    let inner = inner.strip_prefix("secret/").unwrap_or(inner);
    inner.replace('/', "-")
}
