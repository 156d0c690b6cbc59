//! Outputs that are judged again because only the judging has changed.

use grader_model::{Change, Origin, Points, SubtaskName};
use grader_problem::{Answer, AttemptRule, Checker, ExitPolicy, GrowthRule, ScoreRule, TimeRule};

use super::machine::Trouble;
use super::*;

const SOURCES: [&str; 5] = ["twice", "thrice", "loud", "exits", "ms=20000"];

/// Grades by one problem and then, in another run, by another. What ran for the second, and what it came to.
fn changed(
    before: impl FnOnce(&mut Problem),
    after: impl Fn(&mut Problem),
    sources: &[&str],
) -> (Vec<String>, Heard) {
    let (machine, ram, cache) = (
        Arc::<Machine>::default(),
        Arc::<Ram>::default(),
        Cache::new(),
    );
    let setup = || Setup {
        calibrations: Some(cache.calibrations()),
        ..Setup::new(&machine, Some(&ram))
    };
    let class = class(sources);
    ram.begin();
    setup().grade(&doubling(before), &class);
    machine.log();
    ram.begin();
    let assignment = doubling(&after);
    let (heard, _) = setup().grade(&assignment, &class);
    assert_eq!(heard.early, 0);
    assert_eq!(heard.found(), afresh(&assignment, &class).found());
    let log = machine.log();
    // A third run takes what the second one found.
    ram.begin();
    let (third, _) = setup().grade(&assignment, &class);
    let is_random = |it: &grader_problem::Subtask| it.attempts.is_some();
    if !assignment.problems[0]
        .problem
        .subtasks
        .iter()
        .any(is_random)
    {
        assert_eq!(machine.log(), [""; 0]);
        let built = |origin| match origin {
            Origin::Checked { run, .. } | Origin::Reused { run } => Origin::Reused { run },
            Origin::Ran { .. } => Origin::Reused { run: 2 },
        };
        let origins: Vec<Origin> = heard.origins().into_iter().map(built).collect();
        assert_eq!(third.origins(), origins);
        assert_eq!(third.found(), heard.found());
    }
    (log, heard)
}

/// Outputs of the first run were judged again, and some cases were run for these reasons.
fn checked(because: &[Change]) -> Origin {
    Origin::Checked {
        run: 1,
        because: because.to_vec(),
    }
}

fn points(problem: &mut Problem) {
    problem.subtasks[0].points = Points::from_thousandths(1000);
}

#[test]
fn another_way_to_judge_is_tried_on_what_was_printed_and_runs_nothing() {
    if !has_compiler() {
        return;
    }
    let judgings: [fn(&mut Problem); 10] = [
        points,
        |problem| problem.subtasks[1].score = ScoreRule::All,
        |problem| problem.subtasks[1].hidden = true,
        |problem| problem.run.exit_status = ExitPolicy::Ignored,
        |problem| problem.source.forbid.clear(),
        |problem| {
            for case in problem.subtasks.iter_mut().flat_map(|it| &mut it.cases) {
                case.checker = Checker::Exact;
            }
        },
        |problem| {
            for case in problem.subtasks.iter_mut().flat_map(|it| &mut it.cases) {
                case.checker = Checker::Numbers {
                    absolute: 100.0,
                    relative: 0.0,
                    case_sensitive: true,
                    space_change_sensitive: false,
                };
            }
        },
        |problem| {
            problem.subtasks[0].cases[0].answer = Answer::Given(Arc::from(&b"3\n"[..]));
        },
        |problem| {
            for case in problem.subtasks.iter_mut().flat_map(|it| &mut it.cases) {
                case.answer = Answer::None;
                case.checker = Checker::QueensColumns { size: 1, base: 1 };
            }
        },
        |problem| problem.subtasks[0].cases[0].answer = Answer::Given(Arc::from(&b"2\n"[..])),
    ];
    for (index, judging) in judgings.into_iter().enumerate() {
        let (log, heard) = changed(|_| (), judging, &SOURCES);
        assert_eq!(log, [""; 0], "{index}");
        assert_eq!(
            heard.origins(),
            vec![checked(&[]); SOURCES.len()],
            "{index}"
        );
    }
}

#[test]
fn another_title_changes_no_result() {
    if !has_compiler() {
        return;
    }
    let (log, heard) = changed(|_| (), |problem| problem.title.en.push('!'), &SOURCES);
    assert_eq!(log, [""; 0]);
    assert_eq!(
        heard.origins(),
        vec![Origin::Reused { run: 1 }; SOURCES.len()]
    );
}

#[test]
fn of_a_program_that_changes_its_own_files_nothing_is_judged_again() {
    if !has_compiler() {
        return;
    }
    let (log, heard) = changed(|_| (), points, &["alters twice"]);
    assert_eq!(log, ["build s0", "s0 n=1"]);
    let because = vec![Change::Judging, Change::NotKept];
    assert_eq!(heard.origins(), [Origin::Ran { because }]);
}

#[test]
fn a_case_that_was_not_run_before_is_run_now_and_only_that() {
    if !has_compiler() {
        return;
    }
    let requires = |problem: &mut Problem| {
        problem.subtasks[1].require = vec![SubtaskName::new("small")];
    };
    let (log, heard) = changed(requires, |_| (), &["twice", "thrice"]);
    assert_eq!(log, ["build s1", "s1 n=3", "s1 n=4", "s1 n=5"]);
    assert_eq!(heard.origins(), [checked(&[]), checked(&[Change::NotKept])]);
    // And the other way round: what was run is not asked for any more.
    let (log, heard) = changed(|_| (), requires, &["twice", "thrice"]);
    assert_eq!(
        (log, heard.verdicts()),
        (Vec::new(), vec!["AC 10".to_owned(), "WA 0".to_owned()])
    );
}

#[test]
fn what_was_not_asked_for_in_one_run_is_there_for_the_next() {
    if !has_compiler() {
        return;
    }
    let (machine, ram, cache) = (
        Arc::<Machine>::default(),
        Arc::<Ram>::default(),
        Cache::new(),
    );
    let class = class(&["thrice"]);
    let run = |change: &dyn Fn(&mut Problem)| {
        ram.begin();
        let setup = Setup {
            calibrations: Some(cache.calibrations()),
            ..Setup::new(&machine, Some(&ram))
        };
        let (heard, _) = setup.grade(&doubling(change), &class);
        (heard.verdicts().remove(0), machine.programs().len())
    };
    let requires = |problem: &mut Problem| {
        problem.subtasks[1].require = vec![SubtaskName::new("small")];
    };
    let lenient = |problem: &mut Problem| {
        for case in problem.subtasks.iter_mut().flat_map(|it| &mut it.cases) {
            case.checker = Checker::Numbers {
                absolute: 100.0,
                relative: 0.0,
                case_sensitive: true,
                space_change_sensitive: false,
            };
        }
    };
    assert_eq!(run(&|_| ()), ("WA 0".to_owned(), 6));
    assert_eq!(run(&requires), ("WA 0".to_owned(), 0));
    assert_eq!(run(&lenient), ("AC 10".to_owned(), 0));
}

#[test]
fn a_program_that_does_not_build_any_more_is_a_fault_of_the_cases_that_need_it() {
    if !has_compiler() {
        return;
    }
    let requires = |problem: &mut Problem| {
        problem.subtasks[1].require = vec![SubtaskName::new("small")];
    };
    let (ram, class) = (Arc::<Ram>::default(), class(&["thrice"]));
    ram.begin();
    Setup::new(&Arc::default(), Some(&ram)).grade(&doubling(requires), &class);
    ram.begin();
    let machine = Arc::new(Machine::with(&[("build s0", Trouble::Dies)]));
    let (heard, _) = Setup::new(&machine, Some(&ram)).grade(&doubling(|_| ()), &class);
    assert_eq!(heard.verdicts(), ["JE open"]);
    let cases = heard.results()[0].subtasks.iter().flat_map(|it| &it.cases);
    let verdicts: Vec<&str> = cases.map(|case| case.verdict.code()).collect();
    assert_eq!(verdicts, ["WA", "WA", "JE", "JE", "JE"]);
    assert_eq!(machine.programs(), ["build s0"]);
}

#[test]
fn growth_and_attempts_are_run_again_and_the_rest_is_not() {
    if !has_compiler() {
        return;
    }
    let attempts = |problem: &mut Problem| {
        problem.subtasks[1].attempts = Some(AttemptRule {
            runs: 2,
            at_least: Some(1),
        });
        problem.subtasks[1].cases.truncate(1);
    };
    let both = |problem: &mut Problem| {
        attempts(problem);
        points(problem);
    };
    let (log, heard) = changed(attempts, both, &["twice"]);
    assert_eq!(heard.origins(), [checked(&[Change::Random])]);
    assert_eq!(log[..2], ["build s0", "s0 n=3"]);
    assert!(log[1..].iter().all(|line| line == "s0 n=3"), "{log:?}");
    let growth = |problem: &mut Problem| {
        problem.subtasks[1].growth = Some(GrowthRule {
            over: "n".to_owned(),
            at_most: 2.0,
            until: GrowthRule::UNTIL,
        });
    };
    let both = |problem: &mut Problem| {
        growth(problem);
        points(problem);
    };
    let (log, heard) = changed(growth, both, &["twice"]);
    assert_eq!(heard.origins(), [checked(&[Change::NotKept])]);
    assert_eq!(log, ["build s0", "s0 n=3", "s0 n=4", "s0 n=5"]);
}

#[test]
fn a_job_none_of_whose_outputs_was_kept_says_so() {
    if !has_compiler() {
        return;
    }
    let room = |problem: &mut Problem| problem.limits.output.0 = 4 << 20;
    let both = |problem: &mut Problem| {
        room(problem);
        points(problem);
    };
    let (log, heard) = changed(room, both, &["long"]);
    assert_eq!(log.len(), 6);
    let because = vec![Change::Judging, Change::NotKept];
    assert_eq!(heard.origins(), [Origin::Ran { because }]);
}

#[test]
fn a_limit_that_is_a_multiple_needs_another_run() {
    if !has_compiler() {
        return;
    }
    let timed = |problem: &mut Problem| {
        problem.limits.time = TimeRule::Reference {
            factor: 3.0,
            at_least: None,
            at_most: None,
        };
    };
    let both = |problem: &mut Problem| {
        timed(problem);
        points(problem);
    };
    let (log, _) = changed(timed, both, &["twice"]);
    let ran = log.iter().filter(|line| line.starts_with("s0 ")).count();
    assert_ne!(ran, 0, "{log:?}");
}
