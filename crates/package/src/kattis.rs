//! Packages of Kattis, ICPC (`2025-09` and legacy) and DOMjudge.
//!
//! Formats: <https://icpc.io/problem-package-format/spec/2025-09.html> and `legacy.html` beside it;
//! <https://www.domjudge.org/docs/manual/main/problem-format.html>.

mod generators;
mod groups;
mod input_validators;
mod points;
mod settings;
mod sources;
mod statement;
mod submissions;
mod subtasks;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use self::groups::{Groups, KattisGroup};
use self::input_validators::{copy_input_validators, is_checktestdata};
use self::settings::{AcceptedIf, Arguments, GroupSettings, OWN_GRADER};
pub(crate) use self::statement::latex as latex_title;
use crate::constants::{MAX_CONSTANT_BYTES, VALIDATOR_PROCESSES};
use crate::draft::Draft;
use crate::error::{PackageError, mistake, unsupported};
use crate::expected::Scores;
use crate::output::{Imported, TomlProgram, template};
use crate::yaml::{Yaml, plain};

/// `problem.yaml`.
#[derive(Deserialize)]
struct ProblemYaml {
    #[serde(rename = "problem_format_version")]
    version: Option<String>,
    #[serde(rename = "type")]
    kinds: Vec<String>,
    validation: Option<Vec<String>>,
    validator_flags: Vec<String>,
    /// A text, or one for each language.
    name: Value,
    limits: LimitsYaml,
    /// Texts, or several forms of each.
    constants: Map<String, Value>,
    grading: Value,
}

#[derive(Deserialize)]
struct LimitsYaml {
    time_limit: Option<f64>,
    memory: Option<f64>,
    output: Option<f64>,
    code: Option<f64>,
    time_multiplier: Option<f64>,
    time_multipliers: MultipliersYaml,
    time_resolution: Option<f64>,
    validation_time: Option<f64>,
    validation_memory: Option<f64>,
    validation_passes: Option<f64>,
}

#[derive(Deserialize)]
struct MultipliersYaml {
    ac_to_time_limit: Option<f64>,
}

/// Settings that are older than `testdata.yaml`.
#[derive(Deserialize)]
struct GradingYaml {
    objective: Option<String>,
}

/// What `type` and `validation` may name.
const KINDS: [&str; 8] = [
    "pass-fail",
    "scoring",
    "interactive",
    "multi-pass",
    "submit-answer",
    "default",
    "custom",
    "score",
];
/// The folders of output validators: `2025-09` and legacy.
const VALIDATORS: [&str; 2] = ["output_validator", "output_validators"];

/// Keys of `problem.yaml` that do not affect judging.
const ABOUT: [&str; 16] = [
    "uuid",
    "author",
    "credits",
    "source",
    "source_url",
    "license",
    "rights_owner",
    "keywords",
    "version",
    "embargo_until",
    "libraries",
    "allow_file_writing",
    // The safety margin of the time limit, and limits on compilers and validators.
    "time_safety_margin",
    "compilation_memory",
    "validation_output",
    "compilation_time",
];

/// The multiple and the resolution of a time limit.
type TimeMultiple = (f64, f64);

pub(crate) fn import(mut draft: Draft<'_>) -> Result<Imported, PackageError> {
    let head = Yaml::file(draft.library, "problem.yaml")?.ok_or(PackageError::Unknown)?;
    let head: ProblemYaml = draft.typed(head.ignoring(&ABOUT))?;
    let (scores, multiple, groups) = problem(&mut draft, head)?;
    submissions::copy(&mut draft, scores, &groups)?;
    if let Some((factor, resolution)) = multiple
        && !draft.derive_time(factor, resolution)
    {
        draft.note(
            "no accepted submission to derive the time limit from: `[limits]` has 2 s; adjust it",
        );
    }
    if draft.has_accepted_python() {
        draft.ask_for_pypy();
    }
    statement::copy(&mut draft);
    draft.finish()
}

/// Converts everything but submissions and statements. Returns the groups, and what the time limit follows from unless
/// the package has one.
fn problem(
    draft: &mut Draft<'_>,
    head: ProblemYaml,
) -> Result<(Scores, Option<TimeMultiple>, Vec<KattisGroup>), PackageError> {
    let version = head.version;
    let is_legacy = version.is_none_or(|version| version.starts_with("legacy"));
    let kinds = Kinds::read(draft, head.kinds, head.validation, is_legacy)?;
    let is = |kind: &str| kinds.has(kind);
    let flags = head.validator_flags;
    let limits = head.limits;
    let mut titles: Vec<(String, String)> = match &head.name {
        Value::String(name) => vec![("en".to_owned(), name.clone())],
        Value::Object(names) => {
            let names = names.iter();
            names
                .filter_map(|(language, name)| Some((language.clone(), name.as_str()?.to_owned())))
                .collect()
        }
        _ => Vec::new(),
    };
    // `problem.yaml` has the last word, and may lack a language.
    titles.extend(statement::titles(draft));
    draft.title(
        titles
            .iter()
            .map(|(language, title)| (&**language, title.trim())),
    );
    draft.problem.submission.size = limits.code.map(|code| format!("{code} KiB"));
    constants(draft, head.constants)?;
    included(draft)?;
    if is("multi-pass") {
        let passes = limits.validation_passes.unwrap_or(2.0);
        draft.problem.run.insert("passes", (passes as u64).into());
    }
    let multiple = set_limits(draft, &limits, is_legacy);
    let judge = OutputValidator {
        source: kinds.output_validator(draft, is_legacy)?,
        is_interactive: is("interactive"),
        cpu: limits.validation_time,
        memory: limits.validation_memory,
    };
    let is_scoring = is("scoring") || is("score");
    if is_scoring {
        let yaml = Yaml::of("problem.yaml: grading", head.grading);
        grading(yaml.ignoring(&["show_test_data_groups"]))?;
    }
    if draft.has_entries("graders") {
        return unsupported(OWN_GRADER);
    }
    let needs_answers = !judge.is_interactive && !is("multi-pass");
    let gives_parts = is_scoring && judge.source.is_some();
    let settings = GroupSettings {
        common: flags.clone(),
        arguments: Arguments {
            output: flags,
            input: Vec::new(),
        },
        is_scoring,
        is_legacy,
        gives_parts,
        gives_scores: is_legacy && is("score"),
        breaks: is_legacy,
        ..GroupSettings::default()
    };
    let (groups, whole) = Groups::read(draft, settings, needs_answers)?;
    put(draft, &judge, &groups)?;
    // Where the most points are known, those who earn a part belong in `partially_accepted`: problemtools warns of others.
    let is_whole = is_legacy && whole.max_score.is_some();
    let scores = Scores {
        in_parts: gives_parts && !is_whole,
        in_any: is_scoring && !is_whole && whole.accepted != AcceptedIf::All,
        only_accepted: is_scoring && is_legacy,
    };
    Ok((scores, multiple, groups))
}

/// Sets the checker or interactor, the validator and the subtasks.
fn put(
    draft: &mut Draft<'_>,
    judge: &OutputValidator,
    groups: &[KattisGroup],
) -> Result<(), PackageError> {
    // The last group is secret, so its checker is the most common.
    let common = groups.last();
    let common = common.map_or(&[][..], |group| &group.arguments.output);
    if judge.is_interactive {
        let Some(program) = judge.program(common) else {
            return unsupported(
                "an interactive problem needs an output validator, and there is none",
            );
        };
        if let Some(other) = groups.iter().find(|it| it.arguments.output != common) {
            let message = "the interactor gets other arguments here than in other tests, which is not supported";
            return mistake(&other.folder, message);
        }
        draft.problem.interactor = Some(program);
    } else {
        draft.problem.checker = Some(judge.checker(common)?);
    }
    let validators = copy_input_validators(draft)?;
    let is_ctd = |it: &TomlProgram| is_checktestdata(&it.source);
    let with = |arguments: &[String]| {
        let mut validators = validators.clone();
        // Programs in checktestdata take none.
        for validator in validators.iter_mut().filter(|it| !is_ctd(it)) {
            validator.arguments = arguments.to_vec();
        }
        validators
    };
    let takes_arguments = !validators.iter().all(is_ctd);
    let usual = groups.last();
    let usual = usual.map_or(&[][..], |group| &group.arguments.input);
    draft.problem.validator = with(usual);
    for group in groups {
        let mut subtask = group.subtask.clone();
        if !judge.is_interactive && group.arguments.output != common {
            subtask.checker = Some(judge.checker(&group.arguments.output)?);
        }
        if takes_arguments && group.arguments.input != usual {
            subtask.validator = with(&group.arguments.input);
        }
        draft.problem.subtask.push(subtask);
    }
    let has_arguments = groups.iter().any(|it| !it.arguments.input.is_empty());
    if has_arguments && validators.iter().any(is_ctd) {
        draft.note("the input validator's arguments are not used: checktestdata takes none");
    }
    Ok(())
}

fn set_limits(draft: &mut Draft<'_>, limits: &LimitsYaml, is_legacy: bool) -> Option<TimeMultiple> {
    let mut seconds = limits.time_limit;
    if let Ok(bytes) = draft.library.read("domjudge-problem.ini") {
        for line in String::from_utf8_lossy(&bytes).lines() {
            let Some((key, value)) = line.split_once('=') else {
                continue;
            };
            let value = value.trim().trim_matches(['"', '\'']);
            match key.trim() {
                "timelimit" => seconds = seconds.or(value.parse().ok()),
                // Irrelevant to judging.
                "name" | "short-name" | "color" | "externalid" | "points" => {}
                key => draft.note(format!("`domjudge-problem.ini`: `{key}` is not used")),
            }
        }
    }
    if let Ok(bytes) = draft.library.read(".timelimit") {
        seconds = seconds.or(String::from_utf8_lossy(&bytes).trim().parse().ok());
    }
    let memory = limits.memory.unwrap_or(2048.0);
    let output = limits.output.unwrap_or(8.0);
    draft.limit(Some(seconds.unwrap_or(2.0)), memory, output);
    let factor = limits.time_multiplier;
    let factor = factor.or(limits.time_multipliers.ac_to_time_limit);
    let factor = factor.unwrap_or(if is_legacy { 5.0 } else { 2.0 });
    let resolution = limits.time_resolution.unwrap_or(1.0);
    seconds.is_none().then_some((factor, resolution))
}

/// Reads the constants: `{{name}}` stands for its value, `{{name.variant}}` for another form of it.
fn constants(draft: &mut Draft<'_>, constants: Map<String, Value>) -> Result<(), PackageError> {
    for (name, value) in constants {
        let variants = match value {
            Value::Object(variants) => variants.into_iter().collect(),
            value => vec![("value".to_owned(), value)],
        };
        for (variant, value) in variants {
            let text = plain(&value);
            if text.len() > MAX_CONSTANT_BYTES {
                let message = format!("a text may have at most {MAX_CONSTANT_BYTES} bytes");
                return mistake("problem.yaml: constants", message);
            }
            if variant == "value" {
                draft.constants.insert(name.clone(), text.clone());
            }
            draft.constants.insert(format!("{name}.{variant}"), text);
        }
    }
    Ok(())
}

/// Copies the files that are built with submissions.
fn included(draft: &mut Draft<'_>) -> Result<(), PackageError> {
    let mut names = BTreeMap::new();
    for language in draft.library.list("include").unwrap_or_default() {
        let folder = format!("include/{}", language.name);
        for entry in draft.library.list(&folder).unwrap_or_default() {
            let path = format!("{folder}/{}", entry.name);
            if entry.folder || names.contains_key(&entry.name) {
                draft.note(format!("`{path}` is not used"));
                continue;
            }
            let to = format!("include/{}", entry.name);
            draft.copy(&path, &to)?;
            names.insert(entry.name, to);
        }
    }
    draft.problem.submission.include = names.into_values().collect();
    Ok(())
}

/// What `type` and `validation` say.
struct Kinds {
    words: Vec<String>,
    /// Whether the default output validator is used, even if there is another.
    is_default: bool,
}

impl Kinds {
    fn read(
        draft: &Draft<'_>,
        kinds: Vec<String>,
        validation: Option<Vec<String>>,
        is_legacy: bool,
    ) -> Result<Self, PackageError> {
        let is_default = match &validation {
            Some(words) => words.iter().any(|word| word == "default"),
            None => is_legacy,
        };
        let words = [kinds, validation.unwrap_or_default()].concat();
        if let Some(kind) = words.iter().find(|kind| !KINDS.contains(&&***kind)) {
            let message = format!("the type or validation `{kind}` is not known");
            return mistake("problem.yaml", message);
        }
        let kinds = Self { words, is_default };
        if kinds.has("submit-answer") {
            return unsupported(
                "the type `submit-answer` is not supported: students submit programs",
            );
        }
        if draft.library.list("static_validator").is_ok() {
            return unsupported(
                "programs that read submissions (`static_validator/`) are not supported",
            );
        }
        Ok(kinds)
    }

    fn has(&self, kind: &str) -> bool {
        self.words.iter().any(|it| it == kind)
    }

    /// Copies the output validator that is used, and returns its path in the problem; `None` for the default one.
    fn output_validator(
        &self,
        draft: &mut Draft<'_>,
        is_legacy: bool,
    ) -> Result<Option<String>, PackageError> {
        let needing = ["custom", "score", "interactive", "multi-pass"];
        let needing = needing.into_iter().find(|kind| self.has(kind));
        if needing.is_none() && self.is_default {
            for folder in VALIDATORS {
                if draft.has_entries(folder) {
                    draft.note(format!(
                        "`{folder}` is not used: the package's `validation` is `default`"
                    ));
                }
            }
            return Ok(None);
        }
        match (needing, output_validator(draft)?) {
            (Some(kind), None) => {
                let folder = VALIDATORS[usize::from(is_legacy)];
                let message =
                    format!("`{kind}` needs an output validator, and `{folder}/` has none");
                mistake("problem.yaml", message)
            }
            (_, found) => Ok(found),
        }
    }
}

/// Refuses settings of `grading` in `problem.yaml` that change the points.
fn grading(mut grading: Yaml) -> Result<(), PackageError> {
    let typed: GradingYaml = grading.typed()?;
    if typed.objective.is_some_and(|it| it != "max") {
        return unsupported(
            "problems in which the lowest score is best (`objective: min`) are not supported",
        );
    }
    match grading.first_unread() {
        Some(key) => mistake(
            "problem.yaml: grading",
            format!("`{key}` is not supported: write it into `data/testdata.yaml`"),
        ),
        None => Ok(()),
    }
}

/// Copies the output validator, if there is one, and returns its path in the problem.
fn output_validator(draft: &mut Draft<'_>) -> Result<Option<String>, PackageError> {
    for folder in VALIDATORS {
        let Ok(entries) = draft.library.list(folder) else {
            continue;
        };
        let mut from = folder.to_owned();
        if let [only] = &entries[..]
            && only.folder
        {
            from = format!("{folder}/{}", only.name);
        } else if entries.len() > 1 && entries.iter().all(|entry| entry.folder) {
            return mistake(folder, "there are several output validators");
        }
        if draft.has_entries(&from) {
            draft.copy(&from, "output-validator")?;
            return Ok(Some("output-validator".to_owned()));
        }
    }
    Ok(None)
}

/// The program that judges outputs.
struct OutputValidator {
    /// Its path in the problem; `None` for the default one.
    source: Option<String>,
    is_interactive: bool,
    /// CPU time in seconds.
    cpu: Option<f64>,
    /// Memory in MiB.
    memory: Option<f64>,
}

impl OutputValidator {
    /// The program with the arguments of a group; `None` for the default one.
    fn program(&self, arguments: &[String]) -> Option<TomlProgram> {
        Some(TomlProgram {
            arguments: arguments.iter().map(|it| template(it)).collect(),
            time: self.cpu.map(|cpu| format!("{cpu} s")),
            memory: self.memory.map(|memory| format!("{memory} MiB")),
            processes: Some(VALIDATOR_PROCESSES),
            ..TomlProgram::new(self.source.clone()?)
        })
    }

    fn checker(&self, arguments: &[String]) -> Result<Value, PackageError> {
        match self.program(arguments) {
            Some(program) => Ok(program.checker()),
            None => default_checker(arguments),
        }
    }
}

/// The checker equivalent to the default output validator with these arguments.
fn default_checker(arguments: &[String]) -> Result<Value, PackageError> {
    let mut options = json!({ "case-sensitive": false });
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        let keys: &[&str] = match word {
            "case_sensitive" => {
                options["case-sensitive"] = true.into();
                continue;
            }
            "space_change_sensitive" => {
                options["space-change-sensitive"] = true.into();
                continue;
            }
            "float_absolute_tolerance" => &["absolute"],
            "float_relative_tolerance" => &["relative"],
            "float_tolerance" => &["absolute", "relative"],
            other => {
                return unsupported(format!(
                    "the default output validator has no option `{other}`"
                ));
            }
        };
        let value = words.next().and_then(|text| text.parse::<f64>().ok());
        let value = value.ok_or_else(|| {
            PackageError::unsupported(format!("the output validator's `{word}` needs a number"))
        })?;
        for key in keys {
            options[*key] = value.into();
        }
    }
    let has_tolerance = options.get("absolute").or(options.get("relative"));
    let name = has_tolerance.map_or("tokens", |_| "numbers");
    Ok(json!({ name: options }))
}
