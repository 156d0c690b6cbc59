//! Problems of QDUOJ: `problem.json`, with the tests in `testcase`.
//!
//! Authoritative is the judge's code: `problem/serializers.py` of <https://github.com/QingdaoU/OnlineJudge>.

use grader_model::Points;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::constants::MAX_YAML;
use crate::draft::Draft;
use crate::error::{PackageError, mistake, unsupported};
use crate::output::{Imported, points};
use crate::pairs::{files_in, pair};
use crate::statement;
use crate::test_groups::{Test, TestGroup, Worth, add, note_unused};
use crate::yaml::{Yaml, items, read_text};

pub(crate) const FILE: &str = "problem.json";
const TESTS: &str = "testcase";

#[derive(Deserialize)]
struct ProblemJson {
    title: Option<String>,
    description: Value,
    input_description: Value,
    output_description: Value,
    hint: Value,
    samples: Value,
    test_case_score: Value,
    time_limit: Option<f64>,
    memory_limit: Option<f64>,
    rule_type: Option<String>,
    spj: Value,
    template: Value,
    answers: Value,
}

#[derive(Deserialize)]
struct TestJson {
    input_name: String,
    output_name: String,
    score: f64,
}

pub(crate) fn import(mut draft: Draft<'_>) -> Result<Imported, PackageError> {
    let text = read_text(draft.library, FILE, MAX_YAML)?.unwrap_or_default();
    let json = serde_json::from_str(&text).map_err(|error| PackageError::file(FILE, error))?;
    let yaml = Yaml::of(FILE, json).ignoring(&["display_id", "source", "tags"]);
    let problem: ProblemJson = draft.typed(yaml)?;
    if !problem.spj.is_null() {
        return unsupported(
            "special judges of QDUOJ (`spj`) are not supported: they read no answer file",
        );
    }
    let is_empty = |code: &Value| code.as_str().is_none_or(|it| it.trim().is_empty());
    let mut templates = problem.template.as_object().into_iter().flatten();
    if let Some((language, _)) =
        templates.find(|(_, it)| !is_empty(&it["prepend"]) || !is_empty(&it["append"]))
    {
        return unsupported(format!(
            "`template`: code around the student's in {language} is not supported"
        ));
    }
    if let Some(title) = &problem.title {
        draft.problem.title = title.as_str().into();
    }
    let answers = items(&problem.answers).len();
    if answers > 0 {
        draft.note(format!(
            "`{FILE}`: the solutions in `answers` are not used: {answers}"
        ));
    }
    draft.limit(
        problem.time_limit.map(|it| it / 1000.0),
        problem.memory_limit.unwrap_or(256.0),
        64.0,
    );
    draft.problem.checker = Some(json!({ "lines": {} }));
    draft.note("spaces at the end of each line do not matter; in QDUOJ, only those at the end of the output");
    write_statement(&mut draft, &problem);
    let mut tests = Vec::new();
    for item in items(&problem.test_case_score) {
        let item: TestJson =
            draft.typed(Yaml::of(&format!("{FILE}: test_case_score"), item.clone()))?;
        let path = |name: &str| format!("{TESTS}/{name}");
        tests.push(Test::new(
            &path(&item.input_name),
            Some(&path(&item.output_name)),
            points(item.score),
        ));
    }
    if tests.is_empty() {
        for it in pair(&files_in(draft.library, TESTS)?)?.tests {
            if it.answer.is_none() {
                return mistake(&it.input, "the test has no output");
            }
            let answer = it.answer.as_deref();
            tests.push(Test::new(&it.input, answer, Points::whole(1)));
        }
        draft.note("the package lists no tests: they are found by their names");
    }
    let worth = match problem.rule_type.as_deref() {
        Some("OI") => Worth::Own,
        _ => Worth::Worst(Points::whole(1)),
    };
    let group = TestGroup {
        name: "tests".to_owned(),
        worth,
        tests,
        ..TestGroup::default()
    };
    add(&mut draft, vec![group], false)?;
    note_unused(&mut draft, TESTS)?;
    draft.note_unused(|name| name == FILE);
    draft.finish()
}

/// Writes the statement, with the samples.
fn write_statement(draft: &mut Draft<'_>, problem: &ProblemJson) {
    let text = |it: &Value| {
        it["value"]
            .as_str()
            .or(it.as_str())
            .unwrap_or_default()
            .to_owned()
    };
    let [description, input, output, hint] = [
        &problem.description,
        &problem.input_description,
        &problem.output_description,
        &problem.hint,
    ]
    .map(text);
    let samples = items(&problem.samples).iter();
    let samples = samples.flat_map(|it| [text(&it["input"]), text(&it["output"])]);
    let samples: Vec<String> = samples
        .map(|it| format!("```\n{}\n```", it.trim_end()))
        .collect();
    let title = problem.title.as_deref().unwrap_or_default();
    let sections = [&*input, &output, &hint, ""];
    statement::write(
        draft,
        [title, &description],
        sections,
        &samples.join("\n\n"),
    );
}
