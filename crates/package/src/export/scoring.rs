//! How the groups of an exported package make points.

use std::collections::BTreeSet;

use grader_model::Points;
use grader_problem::{Problem, ScoreRule, Subtask};
use serde_json::{Map, Value, json};

use super::writer::{PackageWriter, Scoring};

/// Whether students see its cases, and they are worth nothing.
pub(super) fn is_sample(subtask: &Subtask) -> bool {
    !subtask.hidden && subtask.points == Points::ZERO && !subtask.cases.is_empty()
}

/// The subtasks that are no samples.
pub(super) fn secret(problem: &Problem) -> impl Iterator<Item = &Subtask> {
    let all = problem.subtasks.iter();
    all.filter(|it| !is_sample(it) && !it.cases.is_empty())
}

/// The rules of a subtask that no package has.
pub(super) fn omitted(subtask: &Subtask) -> impl Iterator<Item = &'static str> {
    let rules = [
        ("growth", subtask.growth.is_some()),
        ("attempts", subtask.attempts.is_some()),
        ("by-time", !subtask.by_time.is_empty()),
        ("manual", subtask.manual.is_some()),
        ("check", subtask.check.is_some()),
    ];
    rules
        .into_iter()
        .filter_map(|(key, is_set)| is_set.then_some(key))
}

impl PackageWriter<'_> {
    /// How groups make points, and a note if they cannot as here.
    pub(super) fn choose_scoring(&mut self, pass_fail: bool) -> Option<Scoring> {
        if self.writes.is_unused {
            self.note(
                "the checker gives no scores in the package: only a header of it names `score.txt`",
            );
        }
        if self.is_pass_fail() {
            return None;
        }
        let found = self.choose(pass_fail);
        if !self.writes.scores {
            return found;
        }
        if self.is_legacy {
            self.note(match found {
                Some(_) => "the checker must write a score if it accepts, and only then: all else is a judge error for problemtools",
                None => "the checker writes scores, which is a judge error for problemtools in a pass-fail package",
            });
        }
        let mut all = secret(self.problem).filter(|it| it.score == ScoreRule::All);
        if let Some(first) = all.next().filter(|_| found.is_some()) {
            let what = if self.is_legacy {
                "an output that is worth a part earns it in the package, not nothing"
            } else {
                "a score that the checker writes is a judge error in the package"
            };
            self.note(format!("subtask `{}`: {what}", first.name));
        }
        found
    }

    fn choose(&mut self, pass_fail: bool) -> Option<Scoring> {
        let found = if pass_fail {
            Err("`--pass-fail` is given".to_owned())
        } else {
            self.find_scoring()
        };
        if let Err(why) = &found {
            self.note(format!(
                "the package is pass-fail: points are not exported, as {why}"
            ));
        }
        found.ok()
    }

    /// Whether a submission earns 1 point if it passes every case, and nothing otherwise.
    fn is_pass_fail(&self) -> bool {
        let subtasks = &self.problem.subtasks;
        let mut worth = subtasks.iter().filter(|it| it.points > Points::ZERO);
        let (Some(only), None) = (worth.next(), worth.next()) else {
            return false;
        };
        let before: BTreeSet<_> = only.require.iter().collect();
        let is_needed = |it: &Subtask| it.name == only.name || before.contains(&it.name);
        let is_whole = only.score != ScoreRule::Sum || only.cases.len() == 1;
        let is_one = only.points == Points::whole(1) && only.by_time.is_empty();
        is_one && is_whole && !self.writes.scores && subtasks.iter().all(is_needed)
    }

    fn find_scoring(&self) -> Result<Scoring, String> {
        let problem = self.problem;
        let is_other = |it: &&Subtask| omitted(it).next().is_some();
        if let Some(other) = problem.subtasks.iter().find(is_other) {
            return Err(format!(
                "the format cannot give them as `{}` does",
                other.name
            ));
        }
        let secret: Vec<&Subtask> = secret(problem).collect();
        if self.is_legacy && self.writes.multipliers {
            return Err("the checker writes `score_multiplier.txt`".to_owned());
        }
        let is_whole = |it: &&Subtask| it.points.thousandths().is_multiple_of(1000);
        if !self.is_legacy && !secret.iter().all(is_whole) {
            return Err("`2025-09` has whole points only".to_owned());
        }
        let samples: Vec<&Subtask> = problem.subtasks.iter().filter(|it| is_sample(it)).collect();
        // Which of some subtasks a subtask requires, by their places.
        let required = |by: &Subtask, of: &[&Subtask]| -> Vec<usize> {
            let is_required = |at: &usize| by.require.contains(&of[*at].name);
            (0..of.len()).filter(is_required).collect()
        };
        let of_samples = secret.iter().map(|it| required(it, &samples).len());
        let most_samples = of_samples.clone().max().unwrap_or_default();
        let before: Vec<Vec<usize>> = secret.iter().map(|it| required(it, &secret)).collect();
        let mut all_before = before.iter().flatten();
        let is_chain = all_before.clone().next().is_some();
        if !all_before.all(|at| self.is_whole(secret[*at])) {
            return Err("a subtask that others require is worth a part of its points".to_owned());
        }
        let is_simple = (most_samples == 0 || most_samples == samples.len())
            && of_samples.clone().all(|count| count == most_samples)
            && (!is_chain || (1..secret.len()).all(|at| before[at].contains(&(at - 1))));
        if self.is_legacy && !is_simple {
            return Err("only `--icpc=2025-09` can say which subtasks require others".to_owned());
        }
        Ok(Scoring {
            after_samples: most_samples > 0,
            is_chain,
        })
    }

    /// Whether a subtask is worth all of its points or nothing.
    fn is_whole(&self, subtask: &Subtask) -> bool {
        match subtask.score {
            ScoreRule::All => true,
            ScoreRule::Worst => !self.writes.scores,
            ScoreRule::Sum => subtask.cases.len() == 1 && !self.writes.scores,
        }
    }

    /// Whether a checker gives scores. Programs of Kattis write them to a file of this name.
    pub(super) fn gives_scores(&self) -> bool {
        self.scoring.is_some() && self.writes.scores
    }

    /// Whether a submission that fails a case earns nothing.
    pub(super) fn fails_whole(&self) -> bool {
        let mut worth = secret(self.problem).filter(|it| it.points > Points::ZERO);
        worth.next().is_none_or(|it| self.is_whole(it)) && worth.next().is_none()
    }

    /// The settings of `data`, `data/sample` and `data/secret`.
    pub(super) fn top_settings(&self) -> Vec<(&'static str, Map<String, Value>)> {
        let Some(scoring) = &self.scoring else {
            return Vec::new();
        };
        let whole = self.problem.points().to_f64();
        if !self.is_legacy {
            let secret = json!({ "max_score": tidy(whole), "score_aggregation": "sum" });
            return vec![("data/secret", map(secret))];
        }
        let (top, flags) = if scoring.after_samples {
            ("break", "")
        } else {
            ("continue", "ignore_sample")
        };
        let of_secret = if scoring.is_chain {
            "break"
        } else {
            "continue"
        };
        let any = "accept_if_any_accepted";
        vec![
            ("data", legacy(top, flags, None, whole)),
            ("data/sample", legacy("continue", "", Some(0.0), 0.0)),
            ("data/secret", legacy(of_secret, any, None, whole)),
        ]
    }

    /// The settings of a subtask's group, or of a group in it that has one of its cases.
    pub(super) fn group_settings(
        &self,
        subtask: &Subtask,
        folders: &[(String, &Subtask)],
        is_inner: bool,
    ) -> Map<String, Value> {
        if self.scoring.is_none() || is_sample(subtask) {
            return Map::new();
        }
        let all = subtask.points.to_f64();
        if self.is_legacy {
            let share = share(subtask.points, subtask.cases.len());
            let (flags, one, most) = match subtask.score {
                ScoreRule::Sum if is_inner => ("", share, share),
                ScoreRule::Sum if subtask.cases.len() == 1 => ("", share, all),
                ScoreRule::Sum => ("accept_if_any_accepted", share, all),
                ScoreRule::All | ScoreRule::Worst => ("min", all, all),
            };
            return legacy("continue", flags, Some(one), most);
        }
        let require = subtask.require.iter().filter_map(|name| {
            let (folder, _) = folders.iter().find(|(_, it)| it.name == *name)?;
            folder.strip_prefix("data/")
        });
        let require: Vec<&str> = require.collect();
        let mut others = secret(self.problem);
        let aggregation = match subtask.score {
            _ if others.any(|it| it.require.contains(&subtask.name)) => "pass-fail",
            ScoreRule::Sum => "sum",
            ScoreRule::All => "pass-fail",
            ScoreRule::Worst => "min",
        };
        let mut settings = json!({ "max_score": tidy(all), "score_aggregation": aggregation });
        if !require.is_empty() {
            settings["require_pass"] = json!(require);
        }
        map(settings)
    }
}

/// What each of these cases is worth, so that their sum is not above the points, as floating-point numbers add up.
fn share(points: Points, cases: usize) -> f64 {
    let billionths = u128::from(points.thousandths()) * 1_000_000 / cases.max(1) as u128;
    let [lower, share] = [billionths.saturating_sub(1), billionths].map(|it| it as f64 / 1e9);
    let sum = (0..cases).fold(0.0, |sum, _| sum + share);
    if sum > points.to_f64() { lower } else { share }
}

/// Settings of a group in the legacy format. `accept` is the score of one accepted test.
fn legacy(on_reject: &str, flags: &str, accept: Option<f64>, most: f64) -> Map<String, Value> {
    let mut settings = json!({
        "on_reject": on_reject,
        "grader_flags": flags,
        "range": format!("0 {}", tidy(most)),
    });
    if let Some(accept) = accept {
        settings["accept_score"] = tidy(accept);
    }
    map(settings)
}

fn map(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

/// A number, a whole one if possible.
fn tidy(number: f64) -> Value {
    if number.fract() == 0.0 {
        json!(number as u64)
    } else {
        json!(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_do_not_exceed_their_sum() {
        let shown = |points, cases| tidy(share(Points::whole(points), cases)).to_string();
        assert_eq!(shown(6, 3), "2");
        assert_eq!(shown(1, 4), "0.25");
        assert_eq!(shown(1, 9), "0.111111111");
        for (points, cases) in (1..40).flat_map(|points| (1..200).map(move |cases| (points, cases)))
        {
            let share = share(Points::whole(points), cases);
            let sum = (0..cases).fold(0.0, |sum, _| sum + share);
            assert!(sum <= Points::whole(points).to_f64());
        }
    }
}
