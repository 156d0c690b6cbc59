//! Cases found by patterns among the names in the archive.

use std::collections::BTreeMap;

use regex::{Regex, RegexBuilder};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::{PackageError, mistake};

/// Default pattern, for names that contain `.in` or begin with `in` (or `out`): the last numbers are those of the batch
/// and the case.
const DEFAULT: &str = r"^.*?(?:(?:^|\W)(?P<batch>\d+)[^\d\s]+)?(?P<case>\d+)[^\d\s]*$";

/// `test_cases` without a list.
#[derive(Deserialize)]
pub(super) struct FormatsYaml {
    input_format: Option<String>,
    output_format: Option<String>,
    case_points: Value,
}

/// The number of a batch or a case. Words come before numbers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CaseNumber {
    Word(String),
    Number(u64),
}

/// The cases of one number.
#[derive(Default)]
struct FoundCases {
    is_batch: bool,
    /// Input and answer of each.
    cases: BTreeMap<CaseNumber, [Option<String>; 2]>,
}

/// The cases, as a list like that of `test_cases`.
pub(super) fn cases(names: &[String], formats: FormatsYaml) -> Result<Vec<Value>, PackageError> {
    let mut batches: BTreeMap<CaseNumber, FoundCases> = BTreeMap::new();
    let own = [("in", formats.input_format), ("out", formats.output_format)];
    for (file, (key, own)) in own.into_iter().enumerate() {
        let pattern = compiled(own.as_deref().unwrap_or(DEFAULT))?;
        for name in names {
            let lower = name.to_lowercase();
            let is_meant =
                own.is_some() || lower.starts_with(key) || lower.contains(&format!(".{key}"));
            let Some(found) = pattern.captures(name).filter(|_| is_meant) else {
                continue;
            };
            let place = |group: &str| {
                let text = found.name(group)?.as_str();
                let number = text.parse().map(CaseNumber::Number);
                Some(number.unwrap_or_else(|_| CaseNumber::Word(text.to_owned())))
            };
            let case = place("case").ok_or_else(|| {
                let message = format!("`{key}put_format` finds no number of a case");
                PackageError::file(name, message)
            })?;
            let batch = place("batch");
            let is_batch = batch.is_some();
            let found = batches.entry(batch.unwrap_or(case.clone())).or_default();
            found.is_batch |= is_batch;
            found.cases.entry(case).or_default()[file] = Some(name.clone());
        }
    }
    let mut points = formats.case_points.as_array().map(|points| points.iter());
    let mut list = Vec::new();
    for FoundCases { is_batch, cases } in batches.into_values() {
        let mut cases = cases
            .into_values()
            .map(|[input, answer]| json!({ "in": input, "out": answer }));
        let mut item = match cases.next() {
            Some(only) if !is_batch && cases.len() == 0 => only,
            Some(first) if is_batch => {
                let cases: Vec<Value> = [first].into_iter().chain(cases).collect();
                json!({ "batched": cases })
            }
            _ => {
                return mistake("init.yml: test_cases", "two cases have the same number");
            }
        };
        if let Some(points) = &mut points {
            let message = "`case_points` has fewer numbers than there are cases";
            let next = points.next();
            let next = next.ok_or_else(|| PackageError::file("init.yml: test_cases", message))?;
            item["points"] = next.clone();
        }
        list.push(item);
    }
    Ok(list)
}

/// A Python pattern, anchored at the beginning of a name.
fn compiled(pattern: &str) -> Result<Regex, PackageError> {
    RegexBuilder::new(&format!("^(?:{pattern})"))
        .case_insensitive(true)
        .build()
        .map_err(|error| {
            // The last line is the reason; the others point into the pattern.
            let text = error.to_string();
            let reason = text.lines().last().unwrap_or_default();
            let message = format!("the pattern `{pattern}` is not supported: {reason}");
            PackageError::file("init.yml: test_cases", message)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml::Yaml;

    #[test]
    fn cases_are_found_without_a_pattern() {
        let names = [
            "3.in",
            "3.out",
            "test-2-1.in",
            "test-2-1.out",
            "2.2.in",
            "2.2.out",
            "IN1.txt",
            "out1.txt",
            "10.in",
            "readme.txt",
        ];
        let formats = Yaml::default().typed().unwrap();
        let found = cases(&names.map(str::to_owned), formats).unwrap();
        let expected = json!([
            { "in": "IN1.txt", "out": "out1.txt" },
            { "batched": [
                { "in": "test-2-1.in", "out": "test-2-1.out" },
                { "in": "2.2.in", "out": "2.2.out" },
            ] },
            { "in": "3.in", "out": "3.out" },
            { "in": "10.in", "out": null },
        ]);
        assert_eq!(Value::Array(found), expected);
    }
}
