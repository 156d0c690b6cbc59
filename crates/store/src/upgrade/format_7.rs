//! The step to format 7: what a case's run did, and the limits of the run, are objects of their own in stored results.

use std::collections::BTreeMap;

use rusqlite::{Transaction, params};
use serde_json::{Map, Value, json};

use crate::error::LedgerFault;
use crate::{content, row_hash};

/// The keys of an outcome that stay as they are.
const OUTCOME: [&str; 5] = [
    "breach",
    "cpu-ms",
    "wall-ms",
    "stdout-bytes",
    "stderr-bytes",
];

/// The keys of the limits, which lose what is before the first hyphen.
const LIMITS: [&str; 5] = [
    "limit-cpu-ms",
    "limit-wall-ms",
    "limit-memory-bytes",
    "limit-output-bytes",
    "limit-processes",
];

/// Rewrites all stored results. What is damaged stays as it is, so that whoever reads it finds that, as before. The earlier
/// content stays, too.
pub(super) fn step(transaction: &Transaction<'_>) -> Result<(), LedgerFault> {
    counterexamples(transaction)?;
    let mut statement = transaction.prepare("SELECT id FROM run")?;
    let runs = statement.query_map([], |row| row.get(0))?;
    let runs: Vec<i64> = runs.collect::<Result<_, _>>()?;
    // Runs share the results that they reuse.
    let mut rewritten = BTreeMap::new();
    for run in runs {
        results(transaction, run, &mut rewritten)?;
    }
    Ok(())
}

/// Rewrites the results of a run. `rewritten` has the new hash of each content.
fn results(
    transaction: &Transaction<'_>,
    run: i64,
    rewritten: &mut BTreeMap<content::Hash, content::Hash>,
) -> Result<(), LedgerFault> {
    let mut statement = transaction.prepare("SELECT * FROM result WHERE run = ?1")?;
    let rows = statement.query_and_then([run], |row| {
        if row_hash::check_result(row).is_err() {
            return Ok(None);
        }
        let (student, problem): (String, String) = (row.get("student")?, row.get("problem")?);
        let content: content::Hash = row.get("content")?;
        Ok::<_, LedgerFault>(Some((student, problem, content)))
    })?;
    let rows: Vec<_> = rows.collect::<Result<_, _>>()?;
    let mut update = transaction.prepare(
        "UPDATE result SET content = ?4 WHERE run = ?1 AND student = ?2 AND problem = ?3",
    )?;
    for (student, problem, before) in rows.into_iter().flatten() {
        let after = match rewritten.get(&before) {
            Some(after) => *after,
            None => match content::get_json(transaction, &before) {
                Ok(mut result) => {
                    nest_result(&mut result);
                    content::put_json(transaction, &result)?
                }
                Err(LedgerFault::Damaged(_) | LedgerFault::Format(_)) => continue,
                Err(why) => return Err(why),
            },
        };
        rewritten.insert(before, after);
        update.execute(params![run, student, problem, after])?;
        row_hash::set_of_result(transaction, run, &student, &problem)?;
    }
    Ok(())
}

fn counterexamples(transaction: &Transaction<'_>) -> Result<(), LedgerFault> {
    let mut statement =
        transaction.prepare("SELECT problem, version, submission, result FROM counterexample")?;
    let rows = statement.query_map([], |row| {
        Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
    })?;
    let rows: Vec<(String, String, String, String)> = rows.collect::<Result<_, _>>()?;
    let mut update = transaction.prepare(
        "UPDATE counterexample SET result = ?4 WHERE problem = ?1 AND version = ?2 AND submission = ?3",
    )?;
    for (problem, version, submission, result) in rows {
        if let Ok(mut case) = serde_json::from_str(&result) {
            nest_case(&mut case);
            update.execute(params![problem, version, submission, content::json(&case)?])?;
        }
    }
    Ok(())
}

fn nest_result(result: &mut Value) {
    let subtasks = result.get_mut("subtasks").and_then(Value::as_array_mut);
    for subtask in subtasks.into_iter().flatten() {
        let cases = subtask.get_mut("cases").and_then(Value::as_array_mut);
        cases.into_iter().flatten().for_each(nest_case);
    }
    let counterexample = result.get_mut("counterexample");
    counterexample.into_iter().for_each(nest_case);
}

fn nest_case(case: &mut Value) {
    let Some(case) = case.as_object_mut() else {
        return;
    };
    let mut take = |key: &str| case.remove(key).unwrap_or_default();
    let end = match (take("exit"), take("signal")) {
        (Value::Null, Value::Null) => Value::Null,
        (Value::Null, signal) => json!({ "signalled": signal }),
        (status, _) => json!({ "exited": status }),
    };
    let memory = take("memory-kib")
        .as_u64()
        .map(|kib| kib.saturating_mul(1024));
    let mut outcome = Map::from_iter(OUTCOME.map(|key| (key.to_owned(), take(key))));
    outcome.extend([
        ("end".to_owned(), end),
        ("memory-bytes".to_owned(), memory.into()),
    ]);
    let limits = LIMITS.map(|key| (key.trim_start_matches("limit-").to_owned(), take(key)));
    // Of a case that was not run, all of them were `null`.
    let or_null = |it: Map<String, Value>| {
        if it.values().all(Value::is_null) {
            Value::Null
        } else {
            Value::Object(it)
        }
    };
    case.insert("outcome".to_owned(), or_null(outcome));
    case.insert("limits".to_owned(), or_null(limits.into_iter().collect()));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nested_case(mut case: Value) -> Value {
        nest_case(&mut case);
        case
    }

    #[test]
    fn a_case_keeps_all_that_its_run_did() {
        let limits = json!({
            "limit-cpu-ms": 1000, "limit-wall-ms": 5000.5, "limit-memory-bytes": 268_435_456, "limit-output-bytes": 65536,
            "limit-processes": 1,
        });
        let with = |more: Value| {
            let mut case = limits.clone();
            let case = case.as_object_mut().unwrap();
            case.extend(more.as_object().unwrap().clone());
            Value::Object(case.clone())
        };
        let limits = json!({
            "cpu-ms": 1000, "wall-ms": 5000.5, "memory-bytes": 268_435_456, "output-bytes": 65536, "processes": 1,
        });
        let exited = with(json!({
            "name": "n=1", "verdict": "AC", "exit": 0, "signal": null, "breach": null, "cpu-ms": 0.7, "wall-ms": 1.712,
            "memory-kib": 1229, "stdout-bytes": 4, "stderr-bytes": 0, "reference-cpu-ms": 0.4,
        }));
        let outcome = json!({
            "end": { "exited": 0 }, "breach": null, "cpu-ms": 0.7, "wall-ms": 1.712, "memory-bytes": 1_258_496,
            "stdout-bytes": 4, "stderr-bytes": 0,
        });
        let expected = json!({
            "name": "n=1", "verdict": "AC", "outcome": outcome, "limits": limits, "reference-cpu-ms": 0.4,
        });
        assert_eq!(nested_case(exited), expected);
        // On some machines, memory is not measured.
        let stopped = with(json!({
            "exit": null, "signal": 9, "breach": "cpu", "cpu-ms": 1001, "wall-ms": 1002, "memory-kib": null, "stdout-bytes": 0,
            "stderr-bytes": 7,
        }));
        let outcome = json!({
            "end": { "signalled": 9 }, "breach": "cpu", "cpu-ms": 1001, "wall-ms": 1002, "memory-bytes": null,
            "stdout-bytes": 0, "stderr-bytes": 7,
        });
        let expected = json!({ "outcome": outcome, "limits": limits });
        assert_eq!(nested_case(stopped), expected);
    }

    #[test]
    fn a_case_that_was_not_run_has_neither_outcome_nor_limits() {
        let mut case = json!({ "name": "n=1", "verdict": "SK" });
        let expected = json!({ "name": "n=1", "verdict": "SK", "outcome": null, "limits": null });
        assert_eq!(nested_case(case.clone()), expected);
        let others = ["exit", "signal", "memory-kib"];
        for key in others.iter().chain(&OUTCOME).chain(&LIMITS) {
            case[*key] = Value::Null;
        }
        assert_eq!(nested_case(case), expected);
    }

    #[test]
    fn every_case_of_a_result_is_rewritten() {
        let case = |name: &str| json!({ "name": name, "limit-processes": 2 });
        let mut result = json!({
            "id": "square",
            "counterexample": case("n = 3"),
            "subtasks": [{ "cases": [case("a"), case("b")] }, { "cases": [case("c")] }, {}],
        });
        nest_result(&mut result);
        let case = |name: &str| nested_case(case(name));
        let expected = json!({
            "id": "square",
            "counterexample": case("n = 3"),
            "subtasks": [{ "cases": [case("a"), case("b")] }, { "cases": [case("c")] }, {}],
        });
        assert_eq!(result, expected);
        // Another one is none.
        let mut result = json!({ "counterexample": null, "subtasks": [] });
        let before = result.clone();
        nest_result(&mut result);
        assert_eq!(result, before);
    }
}
