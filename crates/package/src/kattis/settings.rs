//! Settings of Kattis test groups and tests: `test_group.yaml`, `testdata.yaml`, and those of a test.

use serde::Deserialize;
use serde_json::Value;

use crate::draft::Draft;
use crate::error::{PackageError, mistake, unsupported};
use crate::output::template;
use crate::yaml::Yaml;

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
    /// Arguments of submissions, as templates.
    pub(super) submission: Vec<String>,
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
const ELSEWHERE: [&str; 4] = [
    "full_feedback",
    "run_samples",
    "input_visualizer_args",
    "output_visualizer_args",
];
/// Settings of a test that do not affect judging here.
const OF_TESTS: [&str; 3] = ["grading", "hint", "description"];

/// `test_group.yaml` or `testdata.yaml`, without arguments.
#[derive(Deserialize)]
struct GroupYaml {
    grading: Value,
    on_reject: Option<String>,
    static_validation_score: Option<String>,
    reject_score: Option<String>,
    accept_score: Option<f64>,
    max_score: Option<String>,
    range: Option<Vec<String>>,
    /// As in drafts of the format.
    scoring: ScoringYaml,
    grader_flags: Option<Vec<String>>,
    score_aggregation: Option<String>,
    require_pass: Vec<String>,
}

#[derive(Deserialize)]
struct ScoringYaml {
    score: Option<String>,
    aggregation: Option<String>,
}

/// Arguments, as settings of a group or of a test.
#[derive(Deserialize)]
struct ArgumentsYaml {
    output_validator_args: Value,
    output_validator_flags: Value,
    input_validator_args: Value,
    input_validator_flags: Value,
    /// Those of submissions.
    args: Option<Vec<String>>,
}

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
            let yaml = match Yaml::file(draft.library, &path)? {
                Some(yaml) => yaml,
                None if file == SETTINGS[0] => Yaml::of(&path, made.cloned().unwrap_or_default()),
                None => continue,
            };
            let mut yaml = yaml.ignoring(&ELSEWHERE);
            settings.take_arguments(&mut yaml, draft)?;
            settings.take_group(folder, &path, yaml.typed()?, draft)?;
            // One note for all groups.
            file.clone_into(&mut yaml.path);
            draft.notes.extend(yaml.notes());
        }
        Ok(settings)
    }

    /// Takes the settings of a group's file.
    fn take_group(
        &mut self,
        folder: &str,
        path: &str,
        group: GroupYaml,
        draft: &mut Draft<'_>,
    ) -> Result<(), PackageError> {
        if group.grading == "custom" {
            return unsupported(OWN_GRADER);
        }
        match group.on_reject.as_deref() {
            None => {}
            Some("break") => self.breaks = true,
            Some("continue") => self.breaks = false,
            Some(other) => {
                let message =
                    format!("`on_reject`: expected `break` or `continue`, found `{other}`");
                return mistake(path, message);
            }
        }
        let of_source = group.static_validation_score.as_ref();
        if of_source.is_some_and(|score| score != "0") {
            return unsupported(format!(
                "`{path}`: a score for the source (`static_validation_score`) is not supported"
            ));
        }
        let required = group.require_pass.iter();
        self.require
            .extend(required.map(|path| format!("data/{path}")));
        self.take_scores(folder, group, draft)
    }

    /// Takes the arguments of a group or a test.
    fn take_arguments(&mut self, yaml: &mut Yaml, draft: &Draft<'_>) -> Result<(), PackageError> {
        let typed: ArgumentsYaml = yaml.typed()?;
        let path = &yaml.path;
        let of_output = [
            ("output_validator_flags", typed.output_validator_flags),
            ("output_validator_args", typed.output_validator_args),
        ];
        if let Some(words) = program_words(path, of_output)? {
            let common = &self.common;
            self.arguments.output = [common, &draft.fill_all(&words)[..]].concat();
        }
        let of_input = [
            ("input_validator_flags", typed.input_validator_flags),
            ("input_validator_args", typed.input_validator_args),
        ];
        if let Some(words) = program_words(path, of_input)? {
            let words = draft.fill_all(&words);
            self.arguments.input = words.iter().map(|it| template(it)).collect();
        }
        if let Some(words) = typed.args {
            self.submission = words.iter().map(|it| template(it)).collect();
        }
        Ok(())
    }

    /// Takes what a test is worth, and how scores are combined.
    fn take_scores(
        &mut self,
        folder: &str,
        group: GroupYaml,
        draft: &mut Draft<'_>,
    ) -> Result<(), PackageError> {
        let rejected = group.reject_score;
        if self.is_scoring && rejected.is_some_and(|it| it.trim().parse() != Ok(0.0)) {
            return unsupported("a score for tests that fail (`reject_score`) is not supported");
        }
        if let Some(range) = group.range {
            let most = range.last().and_then(|text| text.parse().ok());
            self.max_score = most.filter(|most: &f64| most.is_finite());
        }
        let drafted = group.scoring;
        match group.max_score.or(drafted.score) {
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
        self.accept_score = group.accept_score.or(self.accept_score);
        if group.grader_flags.is_some() {
            self.accepted = AcceptedIf::All;
            self.ignores_samples = false;
            self.score = if self.is_scoring { "sum" } else { "all" };
        }
        let mut words = group.grader_flags.unwrap_or_default();
        let aggregations = [group.score_aggregation, drafted.aggregation];
        words.extend(aggregations.into_iter().flatten());
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
        let Some(yaml) = Yaml::file(draft.library, path)? else {
            return Ok(());
        };
        let mut yaml = yaml.ignoring(&ELSEWHERE).ignoring(&OF_TESTS);
        self.take_arguments(&mut yaml, draft)?;
        match yaml.first_unread() {
            Some(key) if !self.is_legacy => mistake(path, format!("a test has no setting `{key}`")),
            _ => {
                draft.notes.extend(yaml.notes());
                Ok(())
            }
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

/// The arguments of a program, from a setting that has two names: words, or a mapping with the program's name.
fn program_words(
    path: &str,
    named: [(&str, Value); 2],
) -> Result<Option<Vec<String>>, PackageError> {
    let Some((name, given)) = named.into_iter().find(|(_, value)| !value.is_null()) else {
        return Ok(None);
    };
    let words = match given {
        Value::Object(map) => {
            let flags = map.get("flags").or_else(|| map.values().next());
            flags.cloned().unwrap_or_default()
        }
        words => words,
    };
    Yaml::of(&format!("{path}: {name}"), words).typed()
}
