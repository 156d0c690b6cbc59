//! What samples say of a time limit: which of their cases must pass, and which must be stopped.

use grader_model::{Points, Verdict};
use grader_problem::{Problem, Sample, ScoreRule, Subtask};

/// Of these cases so many must pass and so many must be over the time limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    /// Indices of a subtask and of a case in it.
    pub(crate) cases: Vec<(usize, usize)>,
    pub(crate) pass: usize,
    pub(crate) fail: usize,
}

/// What a sample asks of the time limit.
///
/// A sample that must be accepted must pass every case, and any other those of the subtasks for which `AC` is
/// written. One of `time-limit/` must fail every case of a subtask for which `TLE` is written (where one is enough to
/// lose the subtask: one of them), and pass some and fail some for which `PC` is written; how many, its points say
/// where only one subtask leaves it open. Where nothing is written it must fail one of its cases, wherever.
/// A subtask that asks for growth has limits of its own, of which nothing is asked. Where the time earns a part of the
/// points, `PC` may mean that every case is within its limit, and says nothing of that.
pub(crate) fn asks(problem: &Problem, sample: &Sample) -> Vec<Ask> {
    if sample.verdict == Verdict::CompileError {
        return Vec::new();
    }
    let slow = sample.verdict == Verdict::TimeLimit;
    let mut asks = Vec::new();
    let mut unsaid = Vec::new();
    for (index, subtask) in problem.subtasks.iter().enumerate() {
        if subtask.growth.is_some() {
            continue;
        }
        let count = subtask.cases.len();
        let expected = if sample.verdict == Verdict::Accepted {
            Some(Verdict::Accepted)
        } else {
            sample.subtasks.get(&subtask.name).copied()
        };
        let (pass, fail) = match expected {
            Some(Verdict::Accepted) => (count, 0),
            Some(Verdict::TimeLimit) if slow => match subtask.score {
                ScoreRule::Sum => (0, count),
                ScoreRule::All | ScoreRule::Worst => (0, 1),
            },
            Some(Verdict::PartiallyCorrect) if slow && subtask.by_time.is_empty() => {
                let passed = passed(problem, sample, index);
                passed.map_or((1, 1), |passed| (passed, count - passed))
            }
            Some(Verdict::PartiallyCorrect) if slow => {
                unsaid.extend((0..count).map(|case| (index, case)));
                (0, 0)
            }
            None if slow => {
                if let Some(passed) = passed(problem, sample, index) {
                    (passed, count - passed)
                } else {
                    unsaid.extend((0..count).map(|case| (index, case)));
                    (0, 0)
                }
            }
            _ => (0, 0),
        };
        if pass + fail > 0 {
            asks.push(Ask {
                cases: (0..count).map(|case| (index, case)).collect(),
                pass,
                fail,
            });
        }
    }
    if slow && !unsaid.is_empty() && asks.iter().all(|ask| ask.fail == 0) {
        asks.push(Ask {
            cases: unsaid,
            pass: 0,
            fail: 1,
        });
    }
    asks
}

/// How many cases of a subtask pass, told by the sample's points: all other subtasks earn all or nothing, and each
/// case of this one too.
fn passed(problem: &Problem, sample: &Sample, open: usize) -> Option<usize> {
    let mut rest = sample.points?.thousandths();
    for (index, subtask) in problem.subtasks.iter().enumerate() {
        if index == open {
            continue;
        }
        match sample.subtasks.get(&subtask.name)? {
            Verdict::Accepted => rest = rest.checked_sub(subtask.points.thousandths())?,
            // With a verdict of its own the subtask has earned nothing.
            verdict if *verdict != Verdict::PartiallyCorrect => {}
            _ => return None,
        }
    }
    let subtask: &Subtask = problem.subtasks.get(open)?;
    let (count, rest) = (subtask.cases.len(), Points::from_thousandths(rest));
    let earned = |passed: usize| subtask.points.share(passed, count);
    let mut fitting = (0..=count).filter(|&passed| earned(passed) == rest);
    // Subtasks without points, or with more cases than hundredths of a point, tell nothing.
    let found = fitting.next().filter(|_| fitting.next().is_none())?;
    (subtask.score == ScoreRule::Sum && subtask.by_time.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use grader_model::SubtaskName;
    use grader_problem::{MemoryLibrary, load_problem};

    use super::*;

    /// `easy` with two cases, 10 points; `hard` with four, 15; `whole` with two, 5, every case or nothing.
    fn problem() -> Problem {
        problem_with("time = \"1 s\"", "")
    }

    /// The same with this limit, and this reference, and these lines for `hard`.
    fn problem_with(time: &str, hard: &str) -> Problem {
        let mut library = MemoryLibrary::default();
        library.insert(
            "problem.toml",
            format!(
                r#"format = 1
id = "p"
title = {{ zh = "题", en = "P" }}
[submission]
files = ["p.*"]
[run]
arguments = ["{{n}}"]
[limits]
{time}
[checker.gray-code]
bits = 1
[[subtask]]
name = "easy"
points = 10
cases = {{ n = "1..=2" }}
[[subtask]]
name = "hard"
points = 15
{hard}
cases = {{ n = "1..=4" }}
[[subtask]]
name = "whole"
points = 5
score = "all"
cases = {{ n = "1..=2" }}
"#
            ),
        );
        load_problem(&library, "", &["double"]).value.unwrap()
    }

    fn asked(verdict: Verdict, points: Option<&str>, subtasks: &[(&str, Verdict)]) -> Vec<Ask> {
        asked_of(&problem(), verdict, points, subtasks)
    }

    fn asked_of(
        problem: &Problem,
        verdict: Verdict,
        points: Option<&str>,
        subtasks: &[(&str, Verdict)],
    ) -> Vec<Ask> {
        let sample = Sample {
            path: "x/y.c".to_owned(),
            verdict,
            sources: Vec::new(),
            points: points.map(|points| points.parse().unwrap()),
            subtasks: subtasks
                .iter()
                .map(|&(name, verdict)| (SubtaskName::new(name), verdict))
                .collect(),
            flags: Vec::new(),
            because: None,
        };
        asks(problem, &sample)
    }

    fn ask(subtask: usize, pass: usize, fail: usize) -> Ask {
        let count = [2, 4, 2][subtask];
        Ask {
            cases: (0..count).map(|case| (subtask, case)).collect(),
            pass,
            fail,
        }
    }

    use Verdict::{Accepted as AC, PartiallyCorrect as PC, TimeLimit as TLE, WrongAnswer as WA};

    #[test]
    fn an_accepted_sample_must_pass_every_case() {
        assert_eq!(
            asked(AC, None, &[]),
            [ask(0, 2, 0), ask(1, 4, 0), ask(2, 2, 0)]
        );
    }

    #[test]
    fn a_wrong_sample_must_pass_only_what_is_written() {
        assert_eq!(asked(WA, None, &[]), []);
        assert_eq!(
            asked(WA, None, &[("easy", AC), ("hard", PC)]),
            [ask(0, 2, 0)]
        );
        assert_eq!(asked(Verdict::CompileError, None, &[]), []);
    }

    #[test]
    fn a_slow_sample_fails_what_is_written_and_at_least_one_case_otherwise() {
        let all = [("easy", AC), ("hard", TLE), ("whole", TLE)];
        assert_eq!(
            asked(TLE, None, &all),
            [ask(0, 2, 0), ask(1, 0, 4), ask(2, 0, 1)]
        );
        assert_eq!(asked(TLE, None, &[("hard", PC)]), [ask(1, 1, 1)]);
        let nothing = Ask {
            cases: vec![(1, 0), (1, 1), (1, 2), (1, 3), (2, 0), (2, 1)],
            pass: 0,
            fail: 1,
        };
        assert_eq!(asked(TLE, None, &[("easy", AC)]), [ask(0, 2, 0), nothing]);
    }

    #[test]
    fn points_tell_how_many_cases_of_a_subtask_pass() {
        let said = [("easy", AC), ("hard", PC), ("whole", TLE)];
        assert_eq!(
            asked(TLE, Some("13.75"), &said),
            [ask(0, 2, 0), ask(1, 1, 3), ask(2, 0, 1)]
        );
        let unsaid = [("easy", TLE), ("whole", AC)];
        assert_eq!(
            asked(TLE, Some("16.25"), &unsaid),
            [ask(0, 0, 2), ask(1, 3, 1), ask(2, 2, 0)]
        );
        // No number of cases gives these points: `verify` says so.
        assert_eq!(
            asked(
                TLE,
                Some("1"),
                &[("easy", TLE), ("hard", PC), ("whole", TLE)]
            )[1],
            ask(1, 1, 1)
        );
    }

    #[test]
    fn where_the_time_earns_a_part_of_the_points_nothing_tells_how_many_cases_pass() {
        let problem = problem_with(
            "time = { reference = 4.0, at-least = \"1 s\", at-most = \"9 s\" }\n[reference]\nbuiltin = \"double\"",
            "by-time = [[1.5, 100], [4, 50]]",
        );
        let said = [("easy", AC), ("hard", PC), ("whole", TLE)];
        assert_eq!(
            asked_of(&problem, TLE, Some("13.75"), &said),
            [ask(0, 2, 0), ask(2, 0, 1)]
        );
        let slow_there = Ask {
            cases: (0..4).map(|case| (1, case)).collect(),
            pass: 0,
            fail: 1,
        };
        let unsaid = [("easy", TLE), ("whole", AC)];
        assert_eq!(
            asked_of(&problem, TLE, Some("8.75"), &unsaid),
            [ask(0, 0, 2), ask(2, 2, 0)]
        );
        let unsaid = [("easy", AC), ("whole", AC)];
        let but_one = [ask(0, 2, 0), ask(2, 2, 0), slow_there];
        assert_eq!(asked_of(&problem, TLE, Some("18.75"), &unsaid), but_one);
        let said = [("easy", AC), ("hard", PC), ("whole", AC)];
        assert_eq!(asked_of(&problem, TLE, Some("18.75"), &said), but_one);
    }
}
