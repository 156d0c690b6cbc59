//! How the groups of an exported package make points.

use std::collections::BTreeSet;

use grader_model::{Points, SubtaskName};
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

impl PackageWriter<'_> {
    /// How groups make points, and a note if they cannot as here.
    pub(super) fn choose_scoring(&mut self, pass_fail: bool) -> Option<Scoring> {
        if self.is_pass_fail() {
            return None;
        }
        let found = self.choose(pass_fail);
        if self.is_legacy && self.writes.any() {
            self.note(match found {
                Some(_) => "the checker must write a score if it accepts, and only then: all else is a judge error for problemtools",
                None => "the checker writes scores, which is a judge error for problemtools in a pass-fail package",
            });
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
        is_one && is_whole && !self.writes.any() && subtasks.iter().all(is_needed)
    }

    fn find_scoring(&self) -> Result<Scoring, String> {
        let problem = self.problem;
        let is_other = |it: &Subtask| {
            it.growth.is_some()
                || it.attempts.is_some()
                || !it.by_time.is_empty()
                || it.manual.is_some()
        };
        if let Some(other) = problem.subtasks.iter().find(|it| is_other(it)) {
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
        let samples: BTreeSet<_> = problem
            .subtasks
            .iter()
            .filter(|it| is_sample(it))
            .map(|it| &it.name)
            .collect();
        let split = |it: &Subtask| {
            let (of_samples, others): (Vec<_>, Vec<_>) =
                it.require.iter().partition(|name| samples.contains(name));
            (
                of_samples.len(),
                others.into_iter().cloned().collect::<Vec<_>>(),
            )
        };
        let requires: Vec<_> = secret.iter().map(|it| split(it)).collect();
        let after_samples = requires.iter().any(|it| it.0 > 0);
        let is_partly =
            |it: &(usize, Vec<_>)| it.0 != if after_samples { samples.len() } else { 0 };
        let places = |names: &[SubtaskName]| -> Vec<usize> {
            let place = |name: &SubtaskName| secret.iter().position(|it| it.name == *name);
            names.iter().filter_map(place).collect()
        };
        let places: Vec<Vec<usize>> = requires.iter().map(|it| places(&it.1)).collect();
        let is_chain = places.iter().any(|it| !it.is_empty());
        let mut before = places.iter().flatten();
        if !before.all(|at| self.is_whole(secret[*at])) {
            return Err("a subtask that others require is worth a part of its points".to_owned());
        }
        let mut pairs = places.iter().enumerate();
        let follows = |(at, before): (usize, &Vec<usize>)| at == 0 || before.contains(&(at - 1));
        if self.is_legacy && (requires.iter().any(is_partly) || is_chain && !pairs.all(follows)) {
            return Err("only `--icpc=2025-09` can say which subtasks require others".to_owned());
        }
        Ok(Scoring {
            after_samples,
            is_chain,
        })
    }

    /// Whether a subtask is worth all of its points or nothing.
    fn is_whole(&self, subtask: &Subtask) -> bool {
        match subtask.score {
            ScoreRule::All => true,
            ScoreRule::Worst => !self.writes.any(),
            ScoreRule::Sum => subtask.cases.len() == 1 && !self.writes.any(),
        }
    }

    /// Whether a checker gives scores. Programs of Kattis write them to a file of this name.
    pub(super) fn gives_scores(&self) -> bool {
        self.scoring.is_some() && self.writes.any()
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
        let whole = self.problem.points();
        let settings = if self.is_legacy {
            let top = if scoring.after_samples {
                ("break", "")
            } else {
                ("continue", "ignore_sample")
            };
            let of_secret = if scoring.is_chain {
                "break"
            } else {
                "continue"
            };
            vec![
                ("data", legacy(top.0, top.1, None, whole)),
                (
                    "data/sample",
                    legacy("continue", "", Some(Points::ZERO), Points::ZERO),
                ),
                (
                    "data/secret",
                    legacy(of_secret, "accept_if_any_accepted", None, whole),
                ),
            ]
        } else {
            vec![(
                "data/secret",
                json!({ "max_score": number(whole), "score_aggregation": "sum" }),
            )]
        };
        let maps = settings
            .into_iter()
            .filter_map(|(folder, value)| match value {
                Value::Object(map) => Some((folder, map)),
                _ => None,
            });
        maps.collect()
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
        let count = if is_inner { 1 } else { subtask.cases.len() };
        let settings = if self.is_legacy {
            let all = subtask.points;
            let share = share(all, subtask.cases.len());
            let flags = match subtask.score {
                ScoreRule::Sum if count > 1 => "accept_if_any_accepted",
                ScoreRule::Sum => "",
                ScoreRule::All | ScoreRule::Worst => "min",
            };
            let is_sum = subtask.score == ScoreRule::Sum;
            let one = if is_sum { share } else { all.to_f64() };
            let most = if is_sum && is_inner {
                one
            } else {
                all.to_f64()
            };
            json!({
                "on_reject": "continue",
                "grader_flags": if is_sum && is_inner { "" } else { flags },
                "accept_score": tidy(one),
                "range": format!("0 {}", tidy(most)),
            })
        } else {
            let require = subtask.require.iter().filter_map(|name| {
                let (folder, _) = folders.iter().find(|(_, it)| it.name == *name)?;
                folder.strip_prefix("data/")
            });
            let require: Vec<&str> = require.collect();
            let mut all = self.problem.subtasks.iter();
            let is_required = all.any(|it| it.require.contains(&subtask.name));
            let mut settings = json!({
                "max_score": number(subtask.points),
                "score_aggregation": match subtask.score {
                    _ if is_required => "pass-fail",
                    ScoreRule::Sum => "sum",
                    ScoreRule::All => "pass-fail",
                    ScoreRule::Worst => "min",
                },
            });
            if !require.is_empty() {
                settings["require_pass"] = json!(require);
            }
            settings
        };
        settings.as_object().cloned().unwrap_or_default()
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
fn legacy(on_reject: &str, flags: &str, accept: Option<Points>, most: Points) -> Value {
    let mut settings = json!({
        "on_reject": on_reject,
        "grader_flags": flags,
        "range": format!("0 {}", tidy(most.to_f64())),
    });
    if let Some(accept) = accept {
        settings["accept_score"] = number(accept);
    }
    settings
}

/// Points as a number, a whole one if possible.
fn number(points: Points) -> Value {
    tidy(points.to_f64())
}

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
