//! Settings of Kattis test groups and tests: `test_group.yaml`, `testdata.yaml`, and those of a test.

use serde_json::Value;

use crate::draft::Draft;
use crate::error::{PackageError, mistake, unsupported};
use crate::fields::Fields;
use crate::output::template;

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
    /// Arguments of the output validator in all groups.
    pub(super) common: Vec<String>,
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

/// Why a package with a program that adds up the scores of groups is not imported.
pub(super) const OWN_GRADER: &str =
    "custom graders (`graders/`, `grading: custom`) are not supported";
/// Files with settings of a group.
pub(super) const SETTINGS: [&str; 2] = ["test_group.yaml", "testdata.yaml"];
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

impl GroupSettings {
    /// The settings of a group in this one, from its own files or, if it has none, as `made` by `generators.yaml`.
    pub(super) fn of_group(
        &self,
        folder: &str,
        draft: &mut Draft<'_>,
        made: Option<&Value>,
    ) -> Result<Self, PackageError> {
        let mut settings = Self {
            max_score: None,
            is_unbounded: false,
            outer_score: self.max_score.or(self.outer_score),
            require: Vec::new(),
            ..self.clone()
        };
        if !self.is_legacy && folder.starts_with("data/secret/") {
            settings.score = "all";
        }
        for file in SETTINGS {
            let path = format!("{folder}/{file}");
            let mut fields = match Fields::read(draft.library, &path)? {
                Some(fields) => fields,
                None if file == SETTINGS[0] => Fields::of(&path, made.cloned())?,
                None => continue,
            };
            settings.take_group(folder, &path, &mut fields, draft)?;
            // One note for all groups.
            let left = fields.left().map(|note| note.replacen(&path, file, 1));
            draft.notes.extend(left);
        }
        Ok(settings)
    }

    /// Takes the settings of a group's file.
    fn take_group(
        &mut self,
        folder: &str,
        path: &str,
        fields: &mut Fields,
        draft: &mut Draft<'_>,
    ) -> Result<(), PackageError> {
        if fields
            .take("grading")
            .is_some_and(|grading| grading == "custom")
        {
            return unsupported(OWN_GRADER);
        }
        self.take_arguments(fields, path, draft)?;
        match fields.text("on_reject")?.as_deref() {
            None => {}
            Some("break") => self.breaks = true,
            Some("continue") => self.breaks = false,
            Some(other) => {
                let message =
                    format!("`on_reject`: expected `break` or `continue`, found `{other}`");
                return mistake(path, message);
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
        self.take_scores(folder, fields, draft)?;
        if let Some(required) = fields.words("require_pass")? {
            let folders = required.iter().map(|path| format!("data/{path}"));
            self.require = folders.collect();
        }
        fields.ignore(&ELSEWHERE);
        Ok(())
    }

    /// Takes the arguments of a group or a test.
    fn take_arguments(
        &mut self,
        fields: &mut Fields,
        path: &str,
        draft: &Draft<'_>,
    ) -> Result<(), PackageError> {
        for key in ["output_validator_args", "output_validator_flags"] {
            if let Some(words) = fields.program_words(key)? {
                let common = &self.common;
                self.arguments.output = [common, &draft.fill_all(&words)[..]].concat();
            }
        }
        for key in ["input_validator_args", "input_validator_flags"] {
            if let Some(words) = fields.program_words(key)? {
                let words = draft.fill_all(&words);
                self.arguments.input = words.iter().map(|it| template(it)).collect();
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
    fn take_scores(
        &mut self,
        folder: &str,
        fields: &mut Fields,
        draft: &mut Draft<'_>,
    ) -> Result<(), PackageError> {
        if self.is_scoring && fields.number("reject_score")? > Some(0.0) {
            return unsupported("a score for tests that fail (`reject_score`) is not supported");
        }
        if let Some(range) = fields.words("range")? {
            let most = range.last().and_then(|text| text.parse().ok());
            self.max_score = most.filter(|most: &f64| most.is_finite());
        }
        let mut drafted = fields.table("scoring")?;
        let score = drafted.text("score")?;
        match fields.text("max_score")?.or(score) {
            None => {}
            Some(score) if score == "unbounded" => self.is_unbounded = true,
            Some(score) => {
                self.max_score = score.parse().ok();
                if self.max_score.is_none() {
                    let message = format!("`max_score`: expected a number, found `{score}`");
                    return mistake(folder, message);
                }
            }
        }
        if let Some(score) = fields.number("accept_score")? {
            self.accept_score = Some(score);
        }
        let flags = fields.words("grader_flags")?;
        if flags.is_some() {
            self.accepted = AcceptedIf::All;
            self.ignores_samples = false;
            self.score = if self.is_scoring { "sum" } else { "all" };
        }
        let mut words = flags.unwrap_or_default();
        words.extend(fields.text("score_aggregation")?);
        words.extend(drafted.text("aggregation")?);
        for word in words {
            match (combination(&word), &*word) {
                (Some(score), _) => self.score = score,
                (None, "ignore_sample") => self.ignores_samples = true,
                (None, "always_accept") => self.accepted = AcceptedIf::Always,
                (None, "accept_if_any_accepted") => {
                    self.accepted = AcceptedIf::Any;
                    let note = "the grader's `accept_if_any_accepted` is not used";
                    draft.note(note);
                }
                (None, word) if VERDICT_ONLY.contains(&word) => {}
                (None, word) => {
                    return mistake(folder, format!("the grader has no setting `{word}`"));
                }
            }
        }
        Ok(())
    }

    /// Takes the settings of a single test.
    pub(super) fn take_test(
        &mut self,
        path: &str,
        draft: &mut Draft<'_>,
    ) -> Result<(), PackageError> {
        let Some(mut fields) = Fields::read(draft.library, path)? else {
            return Ok(());
        };
        self.take_arguments(&mut fields, path, draft)?;
        fields.ignore(&ELSEWHERE);
        fields.ignore(&["hint", "description"]);
        match fields.first_left() {
            Some(key) if !self.is_legacy => mistake(path, format!("a test has no setting `{key}`")),
            Some(_) => {
                draft.notes.extend(fields.left());
                Ok(())
            }
            None => Ok(()),
        }
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
