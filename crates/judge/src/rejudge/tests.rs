//! What recorded results become under a smaller multiple.

mod graded;

use grader_model::{AssignmentId, CaseName, Confirmation, Evidence, Excerpt, Points, Share};
use grader_problem::{AttemptRule, GrowthRule, ScoreRule, TimeStep};
use proptest::prelude::*;

use super::*;
use graded::{FACTOR, accepted, assignment, case, judged, ms, multiple, problem, results, subtask};

/// Everything that judging again can change in the results, a line for each student, subtask and case.
fn told(results: &Results) -> Vec<String> {
    let points = |points: Option<Points>| points.map_or("open".to_owned(), |p| p.to_string());
    let mut lines = Vec::new();
    for problem in results.students.iter().flat_map(|s| &s.problems) {
        lines.push(format!("{} {}", problem.verdict, points(problem.points)));
        for subtask in &problem.subtasks {
            let (name, verdict) = (&subtask.name, subtask.verdict);
            lines.push(format!(" {name} {verdict} {}", points(subtask.points)));
            for case in &subtask.cases {
                let limit = case
                    .limits
                    .map_or(String::new(), |l| format!(" of {}", l.cpu));
                let near = if case.near_limit { ", near" } else { "" };
                let message = case.message.as_ref().map_or("", |message| &message.en);
                lines.push(format!(
                    "  {} {}{limit}{near}: {message}",
                    case.name, case.verdict
                ));
            }
        }
    }
    lines
}

fn again(assignment: &Assignment, submission: ProblemResult, factor: f64) -> Rejudged {
    rejudge(
        &results(assignment, vec![submission]),
        assignment,
        factor,
        None,
    )
    .unwrap()
}

fn one(subtasks: Vec<Subtask>) -> Assignment {
    assignment(vec![problem("count", multiple(FACTOR), subtasks)])
}

fn judge_again(
    assignment: &Assignment,
    language: LanguageId,
    cases: &[Vec<CaseResult>],
    factor: f64,
) -> Vec<String> {
    let submission = judged(&assignment.problems[0].problem, language, cases);
    told(&again(assignment, submission, factor).results)
}

#[test]
fn what_took_longer_than_the_new_limit_is_lost_and_points_are_folded_anew() {
    let assignment = one(vec![
        subtask("sum", ScoreRule::Sum, &[]),
        subtask("all", ScoreRule::All, &[]),
    ]);
    let mut crash = case(Verdict::RuntimeError, 1500, 1000);
    crash.hints = vec![Text::plain("a hint")];
    let cases = [
        vec![
            accepted(90, 1),
            accepted(1999, 1000),
            accepted(2000, 1000),
            accepted(2001, 1000),
        ],
        vec![accepted(900, 500), case(Verdict::WrongAnswer, 5, 1), crash],
    ];
    assert_eq!(
        judge_again(&assignment, LanguageId::C, &cases, 2.0),
        [
            "PC 7.5",
            " sum PC 7.5",
            // The floor is the limit, whatever the factor.
            "  sum1 AC of 100 ms: ",
            "  sum2 AC of 2 s, near: ",
            "  sum3 AC of 2 s, near: ",
            "  sum4 TLE of 2 s, near: took 2 s of CPU time; the limit is 2 s",
            " all WA 0",
            "  all1 AC of 1 s, near: ",
            "  all2 WA of 100 ms: found",
            "  all3 RE of 2 s: found",
        ]
    );
    // A crash after the limit is over the limit, as in the judge.
    assert_eq!(
        judge_again(&assignment, LanguageId::C, &cases, 1.0),
        [
            "PC 2.5",
            " sum PC 2.5",
            "  sum1 AC of 100 ms: ",
            "  sum2 TLE of 1 s: took 2 s of CPU time; the limit is 1 s",
            "  sum3 TLE of 1 s: took 2 s of CPU time; the limit is 1 s",
            "  sum4 TLE of 1 s: took 2 s of CPU time; the limit is 1 s",
            " all TLE 0",
            "  all1 TLE of 500 ms: took 900 ms of CPU time; the limit is 500 ms",
            "  all2 WA of 100 ms: found",
            "  all3 TLE of 1 s: took 1.5 s of CPU time; the limit is 1 s",
        ]
    );
}

#[test]
fn a_language_keeps_its_factor_and_the_ceiling_stays() {
    let assignment = one(vec![subtask("a", ScoreRule::Sum, &[])]);
    let mut unmeasured = accepted(9999, 1);
    unmeasured.yardstick = None;
    let cases = [vec![
        accepted(900, 1),
        accepted(4000, 250),
        accepted(9000, 2000),
        unmeasured,
    ]];
    assert_eq!(
        judge_again(&assignment, LanguageId::Python, &cases, 1.5),
        [
            "PC 7.5",
            " a PC 7.5",
            "  a1 AC of 1 s: ",
            "  a2 TLE of 3.75 s, near: took 4 s of CPU time; the limit is 3.75 s",
            "  a3 AC of 10 s: ",
            "  a4 AC of 10 s: ",
        ]
    );
}

#[test]
fn a_subtask_that_requires_a_lost_one_is_skipped_and_so_is_what_requires_that() {
    let mut grows = subtask("d", ScoreRule::Sum, &["b"]);
    grows.growth = Some(GrowthRule {
        over: "n".to_owned(),
        at_most: 3.0,
        until: ms(1000),
    });
    let assignment = one(vec![
        subtask("a", ScoreRule::Sum, &[]),
        subtask("b", ScoreRule::Sum, &["a"]),
        subtask("c", ScoreRule::Sum, &[]),
        grows,
    ]);
    let cases = [
        vec![accepted(5, 1), accepted(3000, 1000)],
        vec![accepted(5, 1), case(Verdict::WrongAnswer, 5, 1)],
        vec![accepted(5, 1)],
        vec![CaseResult::unrun(
            CaseName::new("n"),
            Verdict::Skipped,
            Text::plain("not run: subtask `b` is required and was not passed"),
        )],
    ];
    assert_eq!(
        judge_again(&assignment, LanguageId::C, &cases, 2.0),
        [
            "PC 15",
            " a PC 5",
            "  a1 AC of 100 ms: ",
            "  a2 TLE of 2 s: took 3 s of CPU time; the limit is 2 s",
            " b SK 0",
            "  b1 SK: not run: subtask `a` is required and was not passed",
            "  b2 SK: not run: subtask `a` is required and was not passed",
            " c AC 10",
            "  c1 AC of 100 ms: ",
            " d SK 0",
            "  d1 SK: not run: subtask `b` is required and was not passed",
        ]
    );
}

#[test]
fn attempts_and_growth_are_left_and_named() {
    let mut attempts = subtask("a", ScoreRule::Sum, &[]);
    attempts.attempts = Some(AttemptRule {
        runs: 3,
        at_least: Some(1),
    });
    let mut growth = subtask("g", ScoreRule::Sum, &[]);
    growth.growth = Some(GrowthRule {
        over: "n".to_owned(),
        at_most: 3.0,
        until: ms(1000),
    });
    let assignment = one(vec![attempts, growth, subtask("o", ScoreRule::Sum, &[])]);
    let cases = vec![accepted(3900, 1000)];
    let submission = judged(
        &assignment.problems[0].problem,
        LanguageId::C,
        &[cases.clone(), cases.clone(), cases],
    );
    let count = ProblemId::new("count");
    let rejudged = again(&assignment, submission, 1.0);
    assert_eq!(
        told(&rejudged.results),
        [
            "PC 20",
            " a AC 10",
            "  a1 AC of 4 s: ",
            " g AC 10",
            "  g1 AC of 4 s: ",
            " o TLE 0",
            "  o1 TLE of 1 s: took 3.9 s of CPU time; the limit is 1 s",
        ]
    );
    let name = SubtaskName::new;
    assert_eq!(
        (rejudged.problems, rejudged.absolute, rejudged.aside),
        (
            vec![RejudgedProblem {
                id: count.clone(),
                graded_with: FACTOR,
                lost: 1
            }],
            vec![],
            vec![(count.clone(), name("a")), (count, name("g"))],
        )
    );
}

#[test]
fn shares_by_time_stay_where_the_run_is_still_in_time() {
    let mut stepped = subtask("a", ScoreRule::Worst, &[]);
    stepped.by_time = vec![TimeStep {
        ratio: 3.0,
        share: Share::from_thousandths(600),
    }];
    let mut sum = stepped.clone();
    sum.name = SubtaskName::new("b");
    sum.score = ScoreRule::Sum;
    let assignment = one(vec![stepped, sum]);
    let part = |cpu| {
        let mut case = accepted(cpu, 1000);
        case.share = Some(Share::from_thousandths(600));
        case.near_limit = true;
        case
    };
    let cases = [
        vec![part(1100), part(1200)],
        vec![part(1100), accepted(10, 1), part(2900)],
    ];
    let submission = judged(&assignment.problems[0].problem, LanguageId::C, &cases);
    let rejudged = again(&assignment, submission, 2.0);
    assert_eq!(
        told(&rejudged.results),
        [
            "PC 11.33",
            " a PC 6",
            "  a1 AC of 2 s, near: ",
            "  a2 AC of 2 s, near: ",
            " b PC 5.33",
            "  b1 AC of 2 s, near: ",
            "  b2 AC of 100 ms: ",
            "  b3 TLE of 2 s, near: took 2.9 s of CPU time; the limit is 2 s",
        ]
    );
    let lost = &rejudged.results.students[0].problems[0].subtasks[1].cases[2];
    assert_eq!(lost.share, None);
}

#[test]
fn the_run_alone_that_counted_is_held_against_the_smallest_yardstick_alone() {
    let assignment = one(vec![subtask("a", ScoreRule::Sum, &[])]);
    let alone = |counted: u64, runs: [u64; 2], yardsticks: [u64; 2]| {
        let mut case = accepted(counted, 1000);
        case.near_limit = true;
        case.confirmation = Some(Confirmation {
            runs: runs.map(ms).to_vec(),
            yardsticks: yardsticks.map(ms).to_vec(),
            resolved: true,
        });
        case
    };
    let mut unresolved = alone(200, [3900, 200], [1000, 900]);
    unresolved.message = Some(Text::plain("about the old limit"));
    unresolved.confirmation.as_mut().unwrap().resolved = false;
    let cases = [vec![
        unresolved,
        alone(2400, [2500, 2400], [1000, 800]),
        alone(2300, [2500, 2300], [1000, 900]),
        alone(2600, [3000, 2600], [1000, 800]),
        // The shorter run answered wrong.
        alone(3500, [200, 3500], [1000, 1000]),
    ]];
    let submission = judged(&assignment.problems[0].problem, LanguageId::C, &cases);
    let rejudged = again(&assignment, submission, 3.0);
    assert_eq!(
        told(&rejudged.results),
        [
            "PC 6",
            " a PC 6",
            "  a1 AC of 2.7 s: ",
            "  a2 AC of 2.4 s, near: ",
            "  a3 AC of 2.7 s, near: ",
            "  a4 TLE of 2.4 s, near: took 2.6 s of CPU time; the limit is 2.4 s",
            "  a5 TLE of 3 s: took 3.5 s of CPU time; the limit is 3 s",
        ]
    );
    let resolved: Vec<bool> = rejudged.results.students[0].problems[0].subtasks[0]
        .cases
        .iter()
        .filter_map(|case| Some(case.confirmation.as_ref()?.resolved))
        .collect();
    // The first: 3.9 s of 3 s, then 0.2 s of 2.7 s. The last: 3 s of 3 s, then 2.6 s of 2.4 s;
    // then 0.2 s and 3.5 s of 3 s.
    assert_eq!(resolved, [false, true, true, false, false]);
}

#[test]
fn what_was_lost_by_another_limit_says_the_new_one_or_stays() {
    let assignment = one(vec![subtask("a", ScoreRule::Sum, &[])]);
    let with = |verdict, cpu, breach| {
        let mut case = case(verdict, cpu, 1000);
        case.outcome.as_mut().unwrap().breach = Some(breach);
        case
    };
    let mut wrong = case(Verdict::WrongAnswer, 3000, 1000);
    wrong.evidence = vec![
        Evidence::new("tokens-differ", Text::plain("differs")).with_found(Excerpt::new(b"91")),
    ];
    wrong.hints = vec![Text::plain("a hint")];
    let cases = [vec![
        with(Verdict::TimeLimit, 4600, Breach::Cpu),
        with(Verdict::TimeLimit, 20, Breach::Wall),
        with(Verdict::MemoryLimit, 2500, Breach::Memory),
        wrong,
        CaseResult::unrun(
            CaseName::new("n"),
            Verdict::JudgeError,
            Text::plain("a fault"),
        ),
    ]];
    let submission = judged(&assignment.problems[0].problem, LanguageId::C, &cases);
    let rejudged = again(&assignment, submission, 2.0);
    assert_eq!(
        told(&rejudged.results),
        [
            "JE open",
            " a JE open",
            "  a1 TLE of 2 s: stopped after 4.6 s of CPU time; the limit is 2 s",
            "  a2 TLE of 2 s: found",
            "  a3 TLE of 2 s: took 2.5 s of CPU time; the limit is 2 s",
            "  a4 TLE of 2 s: took 3 s of CPU time; the limit is 2 s",
            "  a5 JE: a fault",
        ]
    );
    let late = &rejudged.results.students[0].problems[0].subtasks[0].cases[3];
    assert_eq!((&late.evidence[..], &late.hints[..]), (&[][..], &[][..]));
    assert_eq!(rejudged.problems[0].lost, 2);
}

#[test]
fn only_the_problem_that_is_named_is_judged_again() {
    let plain = || vec![subtask("a", ScoreRule::Sum, &[])];
    let assignment = assignment(vec![
        problem("count", multiple(4.0), plain()),
        problem("board", multiple(2.0), plain()),
        problem("hanoi", TimeRule::Absolute(ms(4000)), plain()),
    ]);
    let late = [vec![accepted(1900, 1000)]];
    let graded = results(
        &assignment,
        assignment
            .problems
            .iter()
            .map(|entry| judged(&entry.problem, LanguageId::C, &late))
            .collect(),
    );
    let id = ProblemId::new;
    let named = rejudge(&graded, &assignment, 1.5, Some(&id("board"))).unwrap();
    let points = |results: &Results| {
        let problems = results.students.iter().flat_map(|s| &s.problems);
        problems
            .map(|p| p.points.unwrap().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(points(&named.results), ["10", "0", "10"]);
    let factors = named.results.assignment.problems.iter();
    let factors: Vec<Option<f64>> = factors.map(|p| p.time.as_ref().unwrap().factor).collect();
    assert_eq!(factors, [Some(4.0), Some(1.5), None]);
    let all = rejudge(&graded, &assignment, 1.5, None).unwrap();
    assert_eq!(points(&all.results), ["0", "0", "10"]);
    assert_eq!(all.absolute, [id("hanoi")]);
}

#[test]
fn what_cannot_be_judged_again_says_why() {
    let plain = || vec![subtask("a", ScoreRule::Sum, &[])];
    let assignment = assignment(vec![
        problem("count", multiple(4.0), plain()),
        problem("hanoi", TimeRule::Absolute(ms(4000)), plain()),
    ]);
    let count = judged(
        &assignment.problems[0].problem,
        LanguageId::C,
        &[vec![accepted(5, 1)]],
    );
    let graded = results(&assignment, vec![count]);
    let why = |graded: &Results, assignment: &Assignment, factor, only: Option<&str>| {
        let only = only.map(ProblemId::new);
        rejudge(graded, assignment, factor, only.as_ref())
            .unwrap_err()
            .to_string()
    };
    let other = Assignment {
        id: AssignmentId::new("n-queens"),
        ..assignment.clone()
    };
    let mut changed = graded.clone();
    changed.assignment.problems[1].version = "older".to_owned();
    let mut gone = assignment.clone();
    gone.problems.remove(0);
    let mut forged = graded.clone();
    forged.students[0].problems[0].subtasks.clear();
    assert_eq!(
        [
            why(&graded, &assignment, 0.0, None),
            why(&graded, &assignment, f64::NAN, None),
            why(&graded, &other, 2.0, None),
            why(&graded, &assignment, 2.0, Some("cuont")),
            why(&graded, &assignment, 4.5, None),
            why(&graded, &assignment, 2.0, Some("hanoi")),
            why(&changed, &assignment, 2.0, None),
            why(&graded, &gone, 2.0, Some("count")),
            why(&forged, &assignment, 2.0, None),
        ],
        [
            "the time factor must be a number above 0",
            "the time factor must be a number above 0",
            "the record is of the assignment `camp`, not of `n-queens`: name its own with `--assignment`",
            "the record has no problem `cuont`: expected one of `count`, `hanoi`",
            "a time factor of 4.5 is larger than that of problem `count`, which was graded with 4: a run that was \
             stopped at its limit says nothing about a longer one",
            "no limit of `hanoi` is a multiple of the reference's time: there is no factor to change",
            "problem `hanoi` is not what it was when it was graded: its files have changed since, and points by \
             other rules need a new run of `grader grade`",
            "problem `count` is not what it was when it was graded: its files have changed since, and points by \
             other rules need a new run of `grader grade`",
            "the record is damaged: the subtasks of `count` are not the problem's",
        ]
    );
    // What is not judged again may have changed.
    assert!(rejudge(&changed, &assignment, 2.0, Some(&ProblemId::new("count"))).is_ok());
}

fn any_case() -> impl Strategy<Value = CaseResult> {
    let verdict = prop::sample::select(vec![
        Verdict::Accepted,
        Verdict::Accepted,
        Verdict::Accepted,
        Verdict::WrongAnswer,
        Verdict::RuntimeError,
    ]);
    let alone = prop::option::of((1u64..2000, 1u64..2000, 1u64..600, 1u64..600));
    let share = prop::option::of(0u32..=1000);
    (verdict, 1u64..1500, 1u64..1000, share, alone).prop_map(
        |(verdict, cpu, yardstick, share, alone)| {
            let mut case = case(verdict, cpu, yardstick);
            case.share = share
                .filter(|_| verdict == Verdict::Accepted)
                .map(Share::from_thousandths);
            case.confirmation = alone.map(|(one, two, ref_one, ref_two)| Confirmation {
                runs: vec![ms(one), ms(two)],
                yardsticks: vec![ms(ref_one), ms(ref_two)],
                resolved: true,
            });
            case
        },
    )
}

proptest! {
    #[test]
    fn a_smaller_factor_never_gives_more_and_the_same_factor_changes_nothing(
        cases in prop::collection::vec(prop::collection::vec(any_case(), 1..5), 4),
        scores in prop::collection::vec(
            prop::sample::select(vec![ScoreRule::Sum, ScoreRule::All, ScoreRule::Worst]), 4,
        ),
        python in any::<bool>(),
        factors in (0.01f64..FACTOR, 0.01f64..FACTOR),
    ) {
        let require: [&[&str]; 4] = [&[], &["a"], &[], &["b", "c"]];
        let subtasks = ["a", "b", "c", "d"].iter().zip(scores).zip(require);
        let assignment = one(subtasks.map(|((name, score), require)| subtask(name, score, require)).collect());
        let language = if python { LanguageId::Python } else { LanguageId::C };
        let graded = results(
            &assignment,
            vec![judged(&assignment.problems[0].problem, language, &cases)],
        );
        prop_assert_eq!(&rejudge(&graded, &assignment, FACTOR, None).unwrap().results, &graded);
        let (small, large) = (factors.0.min(factors.1), factors.0.max(factors.1));
        let small = rejudge(&graded, &assignment, small, None).unwrap().results;
        let large = rejudge(&graded, &assignment, large, None).unwrap().results;
        let all = |results: &Results| -> Vec<Option<Points>> {
            let problem = &results.students[0].problems[0];
            problem.subtasks.iter().map(|s| s.points).chain([problem.points]).collect()
        };
        for ((small, large), graded) in all(&small).iter().zip(all(&large)).zip(all(&graded)) {
            prop_assert!(*small <= large && large <= graded);
        }
    }
}
