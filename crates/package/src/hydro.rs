//! Problems of Hydro: `problem.yaml` with a `pid`, and `testdata/config.yaml`.
//!
//! Format: <https://hydro.js.org/docs/Hydro/user/testdata>. Where it is vague, `packages/common` and `packages/hydrojudge` of
//! <https://github.com/hydro-dev/Hydro> are authoritative.

use grader_model::file_stem;
use grader_problem::Library;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::draft::{Draft, is_source};
use crate::error::{PackageError, mistake, unsupported};
use crate::output::{Content, Imported, TomlProgram, points};
use crate::pairs::{files_in, pair};
use crate::plain::{program, solution, statement};
use crate::polygon::built_in;
use crate::test_groups::{Test, TestGroup, Worth, add, limit, note_unused};
use crate::yaml::{Yaml, items, plain};

const FILE: &str = "problem.yaml";
const TESTS: &str = "testdata";
/// Keys that do not affect judging here.
const ELSEWHERE: [&str; 9] = [
    "pid",
    "owner",
    "tag",
    "nSubmit",
    "nAccept",
    "difficulty",
    "detail",
    "html",
    "id",
];

#[derive(Deserialize)]
struct ProblemYaml {
    title: Option<String>,
}

/// `testdata/config.yaml`.
#[derive(Deserialize)]
struct ConfigYaml {
    #[serde(rename = "type")]
    kind: Option<String>,
    filename: Option<String>,
    checker_type: Option<String>,
    checker: Value,
    interactor: Value,
    validator: Value,
    user_extra_files: Vec<String>,
    multi_pass: Option<String>,
    cases: Value,
    subtasks: Value,
}

#[derive(Default, Deserialize)]
struct SubtaskYaml {
    id: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    score: Option<f64>,
    #[serde(rename = "if")]
    require: Vec<String>,
    cases: Value,
    /// Its cases, as they are listed or found by their names.
    #[serde(skip)]
    tests: Vec<CaseYaml>,
    #[serde(skip)]
    limits: Limits,
}

#[derive(Deserialize)]
struct CaseYaml {
    input: Option<String>,
    output: Option<String>,
    score: Option<f64>,
    #[serde(skip)]
    limits: Limits,
}

/// Limits in seconds and MiB.
type Limits = (f64, f64);

/// The limits of all tests, of a subtask or of a test.
#[derive(Deserialize)]
struct LimitsYaml {
    time: Value,
    memory: Value,
}

/// Whether a folder with a `problem.yaml` is not one of Kattis.
pub(crate) fn is_package(library: &dyn Library) -> bool {
    let keys = ["pid", "owner", "tag", "nSubmit"];
    let head = Yaml::file(library, FILE).ok().flatten().unwrap_or_default();
    let has_data = library.list("data").is_ok();
    !has_data && (library.list(TESTS).is_ok() || keys.iter().any(|key| !head.value[key].is_null()))
}

pub(crate) fn import(mut draft: Draft<'_>) -> Result<Imported, PackageError> {
    let head = Yaml::file(draft.library, FILE)?.unwrap_or_default();
    let head: ProblemYaml = draft.typed(head.ignoring(&ELSEWHERE))?;
    if let Some(title) = head.title {
        draft.problem.title = title.trim().into();
    }
    let names = ["config.yaml", "config.yml"].map(|name| format!("{TESTS}/{name}"));
    let path = names
        .iter()
        .find(|path| draft.is_file(path))
        .unwrap_or(&names[0]);
    draft.mark_used(path);
    let mut reader = HydroReader { draft };
    let yaml = Yaml::file(reader.draft.library, path)?.unwrap_or(Yaml::of(path, Value::Null));
    reader.config(yaml.ignoring(&ELSEWHERE))?;
    reader.statements();
    note_unused(&mut reader.draft, TESTS)?;
    let known = [FILE, TESTS];
    reader.draft.note_unused(|name| known.contains(&name));
    reader.draft.finish()
}

struct HydroReader<'a> {
    draft: Draft<'a>,
}

impl HydroReader<'_> {
    fn config(&mut self, mut yaml: Yaml) -> Result<(), PackageError> {
        let config: ConfigYaml = yaml.typed()?;
        let outer = Self::limits(&mut yaml, (1.0, 256.0))?;
        self.draft.notes.extend(yaml.notes());
        let kind = config.kind.as_deref().unwrap_or("default");
        if !["default", "interactive"].contains(&kind) {
            return unsupported(format!("problems of the type `{kind}` are not supported"));
        } else if config.multi_pass.is_some() {
            return unsupported("`multi_pass` is not supported");
        }
        if let Some(file) = config.user_extra_files.first() {
            return unsupported(format!(
                "`user_extra_files`: `{file}` beside the student's program is not supported"
            ));
        }
        if let Some(name) = &config.filename {
            for (key, extension) in [("input-file", "in"), ("output-file", "out")] {
                self.draft
                    .problem
                    .run
                    .insert(key, format!("{name}.{extension}").into());
            }
        }
        if kind == "interactive" {
            self.program(&config.interactor, "interactor")?;
            self.draft.problem.interactor = Some(TomlProgram::testlib("interactor"));
        } else {
            self.draft.problem.checker = Some(self.checker(&config)?);
        }
        if !config.validator.is_null() {
            self.program(&config.validator, "validator")?;
            self.draft.problem.validator = vec![TomlProgram::new("validator")];
        }
        let files = files_in(self.draft.library, TESTS)?;
        solution(&mut self.draft, &files)?;
        let listed: Vec<Value> = match items(&config.cases) {
            [] => items(&config.subtasks).to_vec(),
            cases => vec![json!({ "type": "sum", "cases": cases })],
        };
        let mut subtasks = Vec::new();
        for item in listed {
            subtasks.push(self.subtask(item, subtasks.len() + 1, outer)?);
        }
        if subtasks.iter().all(|it| it.tests.is_empty()) {
            find_tests(&mut subtasks, &files, outer)?;
            self.draft
                .note("the package lists no tests: they are found by their names");
        }
        let cases = subtasks.iter().flat_map(|it| &it.tests);
        let limits: Vec<Limits> = cases.map(|it| it.limits).collect();
        limit(&mut self.draft, &limits);
        self.subtasks(subtasks)
    }

    /// Reads a subtask, with its cases.
    fn subtask(
        &mut self,
        item: Value,
        number: usize,
        outer: Limits,
    ) -> Result<SubtaskYaml, PackageError> {
        let path = |key: &str| format!("{TESTS}/config.yaml: {key}");
        let mut yaml = Yaml::of(&path("subtasks"), item).ignoring(&ELSEWHERE);
        let mut subtask: SubtaskYaml = yaml.typed()?;
        subtask.id.get_or_insert(number.to_string());
        subtask.limits = Self::limits(&mut yaml, outer)?;
        self.draft.notes.extend(yaml.notes());
        for case in items(&subtask.cases) {
            let mut yaml = Yaml::of(&path("cases"), case.clone()).ignoring(&ELSEWHERE);
            let mut case: CaseYaml = yaml.typed()?;
            case.limits = Self::limits(&mut yaml, subtask.limits)?;
            self.draft.notes.extend(yaml.notes());
            subtask.tests.push(case);
        }
        Ok(subtask)
    }

    fn subtasks(&mut self, mut subtasks: Vec<SubtaskYaml>) -> Result<(), PackageError> {
        let number = |it: &SubtaskYaml| it.id.as_ref().and_then(|id| id.parse::<u64>().ok());
        subtasks.sort_by_key(number);
        let worth = scores(100.0, subtasks.iter().map(|it| it.score));
        let checker = self.draft.problem.checker.as_ref();
        let gives_part = checker.is_none_or(|it| it.get("program").is_some());
        let mut groups = Vec::new();
        for (subtask, score) in subtasks.into_iter().zip(worth) {
            let cases = subtask.tests;
            let name = subtask.id.unwrap_or_default();
            let is_sum = match subtask.kind.as_deref().unwrap_or("min") {
                "sum" => true,
                "min" => false,
                _ if cases.len() == 1 => false,
                kind => {
                    return unsupported(format!(
                        "subtask `{name}`: the type `{kind}` is not supported"
                    ));
                }
            };
            let shares = scores(score, cases.iter().map(|it| it.score));
            let path = |path: Option<String>| {
                let path = path.filter(|it| it != "/dev/null");
                path.map(|it| format!("{TESTS}/{it}"))
            };
            let file = |path: Option<String>| {
                let empty = Content::Bytes(Vec::new());
                Some(path.map_or(empty, Content::Lines))
            };
            let tests = (1..).zip(cases).zip(shares).map(|((at, case), share)| {
                let at: usize = at;
                let input = path(case.input);
                let name = input.as_deref().map(file_stem);
                Test {
                    name: name.map_or_else(|| at.to_string(), str::to_owned),
                    answer: file(path(case.output)),
                    input: file(input),
                    points: points(share),
                    generate: None,
                }
            });
            groups.push(TestGroup {
                tests: tests.collect(),
                worth: if is_sum {
                    Worth::Own
                } else {
                    Worth::Worst(points(score))
                },
                require: subtask.require,
                name,
                ..TestGroup::default()
            });
        }
        add(&mut self.draft, groups, gives_part)
    }

    /// The limits in a mapping, in seconds and MiB, or else those around it.
    fn limits(yaml: &mut Yaml, outer: Limits) -> Result<Limits, PackageError> {
        let limits: LimitsYaml = yaml.typed()?;
        let seconds = [("", 1.0), ("m", 1e3), ("u", 1e6)];
        let mebibytes = [("k", 1024.0), ("m", 1.0), ("g", 1.0 / 1024.0)];
        let time = amount(&limits.time, 's', &seconds, 1e3, outer.0);
        let memory = amount(&limits.memory, 'b', &mebibytes, 1.0, outer.1);
        time.zip(memory).ok_or_else(|| {
            PackageError::file(
                &yaml.path,
                "expected limits such as `1s`, `500ms` and `256m`",
            )
        })
    }

    /// Copies a program: a path, or a mapping with one.
    fn program(&mut self, value: &Value, folder: &str) -> Result<(), PackageError> {
        let path = value.get("file").unwrap_or(value);
        let path = format!("{TESTS}/{}", plain(path));
        if !self.draft.is_file(&path) || !is_source(&path) {
            return mistake(&path, format!("expected the source of the {folder}"));
        }
        program(&mut self.draft, &path, folder)
    }

    fn checker(&mut self, config: &ConfigYaml) -> Result<Value, PackageError> {
        let name = config.checker.as_str().filter(|name| !name.contains('.'));
        let kind = config.checker_type.as_deref().unwrap_or("default");
        if ["default", "strict"].contains(&kind) && !config.checker.is_null() {
            let note = format!("`checker` is not used: `checker_type` is `{kind}`");
            self.draft.note(note);
        }
        let protocol = match kind {
            "default" => return Ok(json!({ "lines": {} })),
            "strict" => {
                self.draft.note("`checker_type: strict`: an output must be the same in each byte, even at its end");
                return Ok(json!({ "exact": {} }));
            }
            "testlib" => match name.map(|name| built_in(&format!("std::{name}.cpp"))) {
                Some(Some(checker)) => return Ok(checker),
                _ => Some("testlib"),
            },
            "kattis" => None,
            "hustoj" => Some("hustoj"),
            kind => {
                return unsupported(format!(
                    "the checkers of the type `{kind}` are not supported"
                ));
            }
        };
        self.program(&config.checker, "checker")?;
        let program = TomlProgram {
            protocol,
            ..TomlProgram::new("checker")
        };
        Ok(program.checker())
    }

    /// Takes the statements in Chinese and English, with their pictures.
    fn statements(&mut self) {
        for (name, language) in [
            ("problem.md", ""),
            ("problem_zh.md", ".zh"),
            ("problem_en.md", ".en"),
        ] {
            if self.draft.is_file(name) {
                statement(&mut self.draft, name, &format!("statement{language}.md"));
            }
        }
        if self.draft.has_entries("additional_file") {
            self.draft.statement("additional_file", "additional_file");
        }
    }
}

/// A number in a unit, with or without the `end`; `None` if it is none. The result is divided by the unit's number, or by
/// `plain` if it is a whole number without a unit.
fn amount(value: &Value, end: char, units: &[(&str, f64)], plain: f64, usual: f64) -> Option<f64> {
    let text = match value {
        Value::Null => return Some(usual),
        Value::Number(number) => {
            let number = number.as_f64().filter(|it| *it >= 0.0);
            return number.map(|it| it / plain);
        }
        Value::String(text) => text.trim().to_lowercase(),
        _ => return None,
    };
    if let Ok(number) = text.parse::<u32>() {
        return Some(f64::from(number) / plain);
    }
    let text = text.strip_suffix(end).unwrap_or(&text);
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = units.iter().find(|it| it.0 == &text[number.len()..])?;
    let number: f64 = number
        .trim()
        .parse()
        .ok()
        .filter(|it: &f64| it.is_finite() && *it >= 0.0)?;
    Some(number / unit.1)
}

/// Scores of which some are missing: these share what is left of `all`, in whole numbers, the larger ones last.
fn scores(all: f64, given: impl Iterator<Item = Option<f64>> + Clone) -> Vec<f64> {
    let given = given.map(|it| it.filter(|score| *score > 0.0));
    let sum: f64 = given.clone().flatten().sum();
    let missing = given.clone().filter(Option::is_none).count() as u64;
    let left = (all - sum).clamp(0.0, 1e6).round() as u64;
    let mut place = 0;
    let score = given.map(|it| {
        it.unwrap_or_else(|| {
            place += 1;
            let is_larger = place > missing - left % missing;
            (left / missing + u64::from(is_larger)) as f64
        })
    });
    score.collect()
}

/// Adds the tests that are found by their names.
fn find_tests(
    subtasks: &mut Vec<SubtaskYaml>,
    files: &[String],
    limits: Limits,
) -> Result<(), PackageError> {
    for test in pair(files)?.tests {
        let Some(answer) = test.answer else { continue };
        // Hydro's own rule: `2` of `a02-1`.
        let is_digit = |c: char| c.is_ascii_digit();
        let head = file_stem(&test.input).trim_end_matches(is_digit);
        let head = head.strip_suffix(['-', '_']).unwrap_or("");
        let digits = &head[head.trim_end_matches(is_digit).len()..];
        let (id, kind) = match (digits, digits.trim_start_matches('0')) {
            ("", _) => ("1", "sum"),
            (_, "") => ("0", "min"),
            (_, number) => (number, "min"),
        };
        let known = subtasks.iter().position(|it| it.id.as_deref() == Some(id));
        let at = known.unwrap_or(subtasks.len());
        if known.is_none() {
            subtasks.push(SubtaskYaml {
                id: Some(id.to_owned()),
                kind: Some(kind.to_owned()),
                limits,
                ..SubtaskYaml::default()
            });
        }
        let path = |path: &str| path.strip_prefix("testdata/").map(str::to_owned);
        let subtask = &mut subtasks[at];
        subtask.tests.push(CaseYaml {
            input: path(&test.input),
            output: path(&answer),
            score: None,
            limits: subtask.limits,
        });
    }
    Ok(())
}
