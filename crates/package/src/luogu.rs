//! Test data of Luogu: `config.yml`, with the settings of each input, beside the tests.
//!
//! Format: <https://help.luogu.com.cn/manual/luogu/problem/testcase-config>.

use std::collections::BTreeMap;

use grader_model::Points;
use grader_problem::Library;
use serde::Deserialize;
use serde_json::json;

use crate::draft::Draft;
use crate::error::{PackageError, mistake};
use crate::output::{Imported, points};
use crate::pairs::{files_in, pair};
use crate::plain::{checker, documents, solution};
use crate::test_groups::{Test, TestGroup, Worth, add, limit};
use crate::yaml::Yaml;

const FILE: &str = "config.yml";

#[derive(Deserialize)]
struct TestYaml {
    #[serde(rename = "timeLimit")]
    milliseconds: Option<f64>,
    #[serde(rename = "memoryLimit")]
    kibibytes: Option<f64>,
    score: Option<f64>,
    #[serde(rename = "subtaskId")]
    subtask: Option<String>,
}

/// Whether the settings are those of inputs.
pub(crate) fn is_package(library: &dyn Library) -> bool {
    let yaml = Yaml::file(library, FILE).ok().flatten().unwrap_or_default();
    let mut settings = yaml.value.as_object().into_iter().flatten();
    settings.any(|(_, it)| !it["timeLimit"].is_null())
}

pub(crate) fn import(mut draft: Draft<'_>) -> Result<Imported, PackageError> {
    let yaml = Yaml::file(draft.library, FILE)?.unwrap_or_default();
    draft.mark_used(FILE);
    let pairs = pair(&files_in(draft.library, "")?)?;
    let mut groups: BTreeMap<String, TestGroup> = BTreeMap::new();
    let mut limits = Vec::new();
    for it in &pairs.tests {
        let settings = yaml.value[&it.input].clone();
        let (Some(answer), false) = (&it.answer, settings.is_null()) else {
            return mistake(
                &it.input,
                format!("expected an answer, and settings in `{FILE}`"),
            );
        };
        let path = format!("{FILE}: {}", it.input);
        let test: TestYaml = draft.typed(Yaml::of(&path, settings).ignoring(&["isPretest"]))?;
        limits.push((
            test.milliseconds.unwrap_or(1000.0) / 1000.0,
            test.kibibytes.unwrap_or(131_072.0) / 1024.0,
        ));
        let name = test.subtask.unwrap_or_else(|| "0".to_owned());
        let group = groups.entry(name.clone()).or_insert(TestGroup {
            name,
            ..TestGroup::default()
        });
        group.tests.push(Test::new(
            &it.input,
            Some(answer),
            points(test.score.unwrap_or(0.0)),
        ));
    }
    if groups.len() > 1 {
        draft.note("a subtask earns the points of its tests if all pass: the package does not say how it scores");
        for group in groups.values_mut() {
            let all = group.tests.iter().map(|it| it.points);
            group.worth = Worth::Worst(all.fold(Points::ZERO, |sum, it| sum + it));
        }
    }
    limit(&mut draft, &limits);
    solution(&mut draft, &pairs.others)?;
    let checker = checker(&mut draft, &pairs.others)?;
    let gives_part = checker.is_some();
    draft.problem.checker = Some(checker.unwrap_or(json!({ "lines": {} })));
    add(&mut draft, groups.into_values().collect(), gives_part)?;
    draft.notes.extend(yaml.notes());
    let mut keys = yaml.value.as_object().into_iter().flatten();
    if let Some((key, _)) = keys.find(|it| !draft.is_used(it.0)) {
        return mistake(FILE, format!("`{key}` is not the input of a test"));
    }
    documents(&mut draft, &pairs.others);
    draft.finish()
}
