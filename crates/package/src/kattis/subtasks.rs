//! What a group's own tests are worth, and the subtasks that they become.

use grader_model::natural_order;

use super::groups::{Groups, KattisGroup, SameTests, name};
use super::points::{broken, not_combined};
use super::settings::GroupSettings;
use crate::error::{PackageError, mistake};
use crate::output::{TomlCase, TomlSubtask, points};

/// How a group's own tests make points.
struct Worth {
    points: f64,
    score: &'static str,
    /// Whether the first test that fails ends the group, and points depend on that.
    breaks: bool,
}

impl Groups<'_, '_> {
    /// Makes the subtasks of a group's own tests: one, unless tests have arguments of their own or points depend on an
    /// earlier test.
    pub(super) fn subtasks(
        &mut self,
        folder: &str,
        settings: &GroupSettings,
        tests: Vec<SameTests>,
    ) -> Result<(), PackageError> {
        let count: usize = tests.iter().map(|it| it.cases.len()).sum();
        let worth = self.worth(folder, settings, count)?;
        let same = if worth.breaks {
            one_by_one(tests)
        } else {
            tests
        };
        let parts = same.len();
        let is_minimum = worth.score == "worst" && worth.points > 0.0;
        if parts > 1 && is_minimum && settings.gives_parts {
            return not_combined(folder, "worst");
        }
        let mut earlier: Vec<String> = Vec::new();
        for (index, tests) in same.into_iter().enumerate() {
            let is_last = index + 1 == parts;
            let share = match worth.score {
                "sum" => worth.points * tests.cases.len() as f64 / count as f64,
                _ if is_last => worth.points,
                _ => 0.0,
            };
            let whole = TomlSubtask {
                name: name(folder),
                points: points(share),
                score: worth.score,
                hidden: !folder.starts_with("data/sample"),
                ..TomlSubtask::default()
            };
            let mut subtask = if parts == 1 {
                in_folder(whole, folder, tests.cases)
            } else {
                let own = match &tests.cases[..] {
                    [only] if worth.breaks => only.name.clone(),
                    _ => (index + 1).to_string(),
                };
                TomlSubtask {
                    name: format!("{}-{own}", whole.name),
                    case: tests.cases,
                    ..whole
                }
            };
            if worth.breaks {
                subtask.require = earlier.last().cloned().into_iter().collect();
            } else if is_last && worth.score != "sum" {
                subtask.require.clone_from(&earlier);
            }
            earlier.push(subtask.name.clone());
            self.all.push(KattisGroup {
                folder: folder.to_owned(),
                arguments: tests.arguments,
                require: settings.require.clone(),
                gives_parts: settings.gives_parts,
                subtask,
            });
        }
        Ok(())
    }

    /// How a group of so many tests makes points. Fails if subtasks cannot express that.
    fn worth(
        &mut self,
        folder: &str,
        settings: &GroupSettings,
        count: usize,
    ) -> Result<Worth, PackageError> {
        let score = match settings.score {
            _ if self.is_of_domjudge && settings.accept_score.is_some() => "all",
            score => score,
        };
        let is_sample = folder.starts_with("data/sample");
        let is_ignored = is_sample && (!settings.is_legacy || settings.ignores_samples);
        let points = match score {
            _ if !settings.is_scoring || is_ignored => 0.0,
            "sum" => self.points(folder, settings, count as f64)?,
            _ => self.points(folder, settings, 1.0)?,
        };
        let counts = settings.is_scoring && points > 0.0 && count > 1;
        let breaks = counts && settings.breaks && ["sum", "mean"].contains(&score);
        if counts && score == "best" {
            return not_combined(folder, "best");
        } else if breaks && score == "mean" {
            return broken(folder, "the mean of its tests depends on which of them run");
        } else if breaks && settings.gives_parts {
            return broken(folder, "an accepted test may earn a part of its points");
        }
        let score = match score {
            "mean" | "best" => "sum",
            score => score,
        };
        Ok(Worth {
            points,
            score,
            breaks,
        })
    }

    /// What a group is worth, which is `times` the score of one test.
    fn points(
        &mut self,
        folder: &str,
        settings: &GroupSettings,
        times: f64,
    ) -> Result<f64, PackageError> {
        let of_tests = settings.accept_score.map(|one| one * times);
        if settings.gives_scores {
            let Some(worth) = settings.max_score.or(settings.outer_score) else {
                let message = format!(
                    "the output validator gives scores, and their maximum is not known: add `range: 0 100`, or what it is, to `{folder}/testdata.yaml`"
                );
                return mistake(folder, message);
            };
            if settings.max_score.is_none() && worth > 0.0 {
                self.borrowers.push(folder.to_owned());
            }
            return Ok(worth);
        }
        if settings.is_legacy {
            if of_tests.is_none() && settings.max_score.is_some() {
                self.draft.note(format!(
                    "`{folder}`: its `range` says what it is worth, as there is no `accept_score`"
                ));
            }
            return Ok(of_tests.or(settings.max_score).unwrap_or(times));
        }
        let usual = (folder == "data/secret" && !settings.is_unbounded).then_some(100.0);
        match settings.max_score.or(of_tests).or(usual) {
            Some(worth) => Ok(worth),
            None => mistake(
                folder,
                "what the group is worth is not known: `max_score` is missing or `unbounded`",
            ),
        }
    }
}

/// Each test by itself, in the order of the format.
fn one_by_one(same: Vec<SameTests>) -> Vec<SameTests> {
    let single = same.into_iter().flat_map(|it| {
        let arguments = it.arguments;
        it.cases.into_iter().map(move |case| SameTests {
            arguments: arguments.clone(),
            cases: vec![case],
        })
    });
    let mut single: Vec<_> = single.collect();
    single.sort_by(|a, b| a.cases[0].name.cmp(&b.cases[0].name));
    single
}

/// A subtask whose cases are the files of a folder, and those that are generated; all by themselves if one has arguments or
/// files of its own.
fn in_folder(subtask: TomlSubtask, folder: &str, cases: Vec<TomlCase>) -> TomlSubtask {
    if cases.iter().any(TomlCase::is_own) {
        return TomlSubtask {
            case: cases,
            ..subtask
        };
    }
    let (listed, generated): (Vec<_>, Vec<_>) =
        cases.into_iter().partition(|it| it.stdin_file.is_some());
    let mut names: Vec<&str> = listed.iter().map(|case| &*case.name).collect();
    names.sort_unstable();
    TomlSubtask {
        folder: (!listed.is_empty()).then(|| folder.to_owned()),
        lexicographic: !names.is_sorted_by(|a, b| natural_order(a, b).is_le()),
        case: generated,
        ..subtask
    }
}
