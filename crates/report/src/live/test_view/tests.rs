use grader_model::{CaseName, CpuTime, Growth, GrowthVerdict, Lang, Results, Text};

use super::*;
use crate::sample;

/// What is written about one student of the sample, without the problems that were not handed in.
fn written(index: usize, style: &Style) -> String {
    let mut results = sample::results();
    let mut student = results.students.swap_remove(index);
    student.problems.retain(|problem| !problem.files.is_empty());
    results.students = vec![student];
    feed(sample::events(&results), style)
}

fn feed(events: Vec<Event>, style: &Style) -> String {
    let mut view = TestView::new(style, Vec::new());
    for event in events {
        view.event(&event).unwrap();
    }
    String::from_utf8(view.into_inner()).unwrap()
}

#[test]
fn cases_are_written_as_they_end_and_failures_are_explained() {
    assert_eq!(
        written(1, &Style::default()),
        r"count · Count all solutions · 35 points
  small
    ✓ n=4    0.7 ms   ✓ n=5    0.7 ms   ✓ n=6    0.7 ms   ✓ n=7    0.7 ms
    ✓ n=8    1.1 ms
  medium
    ✗ n=9  WA  1.2 ms, 1.2 MiB
        the number of solutions is wrong
        token 1 differs
        expected  352
        found     351
        hint: is every mirrored solution counted twice?
    ✗ n=10  TLE  1 s of 1 s CPU
        still running when its CPU time was used up
        reference: 0.4 ms
    ✓ n=11  951 ms of 1 s CPU, near the limit
        reference: 0.4 ms
  large
    ✗ #1  WA

  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · built in 91 ms
  │ count.c: In function 'place':
  │ count.c:12:9: warning: unused variable 'k' [-Wunused-variable]
  small   10 of 10  AC   5 cases, slowest n=8 1.1 ms, 1.2 MiB
  medium   6 of 15  PC   1 of 3 cases, slowest n=10 1 s, 1.2 MiB
  large    0 of 10  WA   0 of 1 case
  count: 16 of 35 points  PC partially correct

board · Print one solution · 15 points
  all
    ✗ n=4  WA  0.8 ms, 1.2 MiB
        the queens of rows 2 and 3 attack each other
        1  Q . . .
        2  . . ! .
        3  . ! . .
        4  . . . Q

  C · board.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  all  0 of 15  WA   0 of 1 case, 0.8 ms, 1.2 MiB
  board: 0 of 15 points  WA wrong answer

first-three · The first three · 10 bonus points
  all
    ✗ n=6  PE  0.9 ms, 1.2 MiB
        the answer is right, but line 1 has a prompt before it
        line 1 has extra text
        expected  2 4 6 1 3 5
        found     n = 2 4 6 1 3 5\t

  C · first-three.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  all  0 of 10  PE   0 of 1 case, 0.9 ms, 1.2 MiB
  first-three: 0 of 10 bonus points  PE presentation error

total: 16 of 50 points, 0 of 10 bonus points
"
    );
}

#[test]
fn a_test_is_shown_in_chinese() {
    let style = Style {
        lang: Lang::Zh,
        ..Style::default()
    };
    assert_eq!(
        written(1, &style),
        r"count · 解的个数 · 35 分
  small
    ✓ n=4    0.7 ms   ✓ n=5    0.7 ms   ✓ n=6    0.7 ms   ✓ n=7    0.7 ms
    ✓ n=8    1.1 ms
  medium
    ✗ n=9  WA  1.2 ms，1.2 MiB
        解的个数不对
        第 1 个词不同
        应为  352
        实为  351
        建议：镜像的解是不是都数了两次？
    ✗ n=10  TLE  CPU 1 s，限 1 s
        用完了 CPU 时间还没有结束
        标准程序：0.4 ms
    ✓ n=11  CPU 951 ms，限 1 s，接近限制
        标准程序：0.4 ms
  large
    ✗ #1  WA

  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 91 ms
  │ count.c: In function 'place':
  │ count.c:12:9: warning: unused variable 'k' [-Wunused-variable]
  small   10 / 10 分  AC   5 个测试点，最慢 n=8 1.1 ms，1.2 MiB
  medium   6 / 15 分  PC   3 个测试点中 1 个通过，最慢 n=10 1 s，1.2 MiB
  large    0 / 10 分  WA   1 个测试点中 0 个通过
  count：16 / 35 分  PC 部分正确

board · 打印一个解 · 15 分
  all
    ✗ n=4  WA  0.8 ms，1.2 MiB
        第 2 行和第 3 行的皇后互相攻击
        1  Q . . .
        2  . . ! .
        3  . ! . .
        4  . . . Q

  C · board.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 84 ms
  all  0 / 15 分  WA   1 个测试点中 0 个通过，0.8 ms，1.2 MiB
  board：0 / 15 分  WA 答案错误

first-three · 前三个解 · 附加 10 分
  all
    ✗ n=6  PE  0.9 ms，1.2 MiB
        答案正确，但第 1 行前面有提示语
        第 1 行有多余文字
        应为  2 4 6 1 3 5
        实为  n = 2 4 6 1 3 5\t

  C · first-three.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 84 ms
  all  0 / 10 分  PE   1 个测试点中 0 个通过，0.9 ms，1.2 MiB
  first-three：附加 0 / 10 分  PE 格式错误

总分：16 / 50 分，附加 0 / 10 分
"
    );
}

#[test]
fn without_unicode_marks_are_ascii() {
    let style = Style {
        unicode: false,
        ..Style::default()
    };
    assert_eq!(
        written(2, &style),
        r#"count - Count all solutions - 35 points
  the compiler reports an error
  C++ - count.cpp - g++ 12.2.0 -O2 -std=gnu++20 - built in 320 ms
  | count.cpp: In function 'int main()':
  | count.cpp:7:14: error: expected ';' before 'return'
  |     7 |     int n = 8
  |       |              ^
  count: 0 of 35 points  CE compile error

polynomial - Local search - 20 points
  small
    x n=1000  RE  15 ms, 1.2 MiB
        exit status 1: IndexError
        standard error
        | Traceback (most recent call last):
        |   File "polynomial.py", line 3, in <module>
        | IndexError: list index out of range

  Python - polynomial.py - gcc 12.2.0 -O2 -std=gnu17 - built in 84 ms
  small  0 of 10  RE   0 of 1 case, 15 ms, 1.2 MiB
  large  0 of 10  SK   subtask `small` was not passed
  polynomial: 0 of 20 points  RE runtime error

total: 0 of 55 points
"#
    );
}

/// The results of one student with the first two problems only.
fn two_problems() -> Results {
    let mut results = sample::results();
    results.students.truncate(1);
    results.students[0].problems.truncate(2);
    results.reference_times.clear();
    results
}

#[test]
fn three_failures_of_a_subtask_are_explained_and_no_hint_is_given_twice() {
    let mut results = sample::results();
    let mut student = results.students.swap_remove(1);
    student.problems.truncate(1);
    let problem = &mut student.problems[0];
    problem.subtasks.drain(..1);
    let wrong = problem.subtasks[0].cases[0].clone();
    problem.subtasks[0].cases = (9..14)
        .map(|n| {
            let mut case = wrong.clone();
            case.name = CaseName::new(format!("n={n}"));
            case
        })
        .collect();
    problem.subtasks[1].hidden = false;
    problem.subtasks[1].cases[0].hints.clone_from(&wrong.hints);
    results.students = vec![student];
    let text = feed(sample::events(&results), &Style::default());
    let cases = text.split("\n\n").next().unwrap();
    assert_eq!(
        cases,
        "count · Count all solutions · 35 points
  medium
    ✗ n=9  WA  1.2 ms, 1.2 MiB
        the number of solutions is wrong
        token 1 differs
        expected  352
        found     351
        hint: is every mirrored solution counted twice?
    ✗ n=10  WA  1.2 ms, 1.2 MiB
        the number of solutions is wrong
        token 1 differs
        expected  352
        found     351
    ✗ n=11  WA  1.2 ms, 1.2 MiB
        the number of solutions is wrong
        token 1 differs
        expected  352
        found     351
    ✗ n=12  WA  1.2 ms, 1.2 MiB  the number of solutions is wrong
    ✗ n=13  WA  1.2 ms, 1.2 MiB  the number of solutions is wrong
  large
    ✗ n=12  WA  1.2 ms, 1.2 MiB
        the number of solutions is wrong
        token 1 differs
        expected  14200
        found     14199"
    );
}

#[test]
fn of_hidden_cases_only_the_verdicts_are_written() {
    let mut results = sample::results();
    let mut student = results.students.swap_remove(1);
    student.problems.truncate(1);
    let problem = &mut student.problems[0];
    problem.build = None;
    for subtask in &mut problem.subtasks {
        subtask.hidden = true;
    }
    results.students = vec![student];
    assert_eq!(
        feed(sample::events(&results), &Style::default()),
        "count · Count all solutions · 35 points
  small
    ✓ #1        ✓ #2        ✓ #3        ✓ #4        ✓ #5
  medium
    ✗ #1  WA
    ✗ #2  TLE
    ✓ #3
  large
    ✗ #1  WA

  C · count.c
  small   10 of 10  AC   5 cases
  medium   6 of 15  PC   1 of 3 cases
  large    0 of 10  WA   0 of 1 case
  count: 16 of 35 points  PC partially correct
"
    );
}

#[test]
fn submissions_that_are_judged_at_the_same_time_are_written_one_by_one() {
    let results = two_problems();
    let student = &results.students[0];
    let jobs = student.problems.iter().map(|p| sample::job(&student.id, p));
    let [first, second]: [Vec<Event>; 2] = jobs.collect::<Vec<_>>().try_into().unwrap();
    let run = [sample::run_started(&results)];
    // The second begins and ends while the first is still running.
    let (begun, rest) = first.split_at(3);
    let at_once = [&run[..], begun, &second, rest].concat();
    let in_turn = [&run[..], &first, &second].concat();
    assert_eq!(
        feed(at_once, &Style::default()),
        feed(in_turn, &Style::default())
    );
}

#[test]
fn a_test_that_is_interrupted_in_the_middle_of_a_line_ends_the_line() {
    let results = two_problems();
    let mut events = sample::events(&results);
    events.truncate(4);
    events.push(sample::event(EventKind::RunFinished { interrupted: true }));
    assert_eq!(
        feed(events, &Style::default()),
        "count · Count all solutions · 35 points
  small
    ✓ n=4    0.7 ms   ✓ n=5    0.7 ms
interrupted before the end: what is shown is not everything
"
    );
}

#[test]
fn a_student_who_is_told_of_in_the_middle_of_a_line_stands_below_it() {
    let results = two_problems();
    let mut events = sample::events(&results);
    events.truncate(4);
    let mut open = results.students[0].clone();
    for problem in &mut open.problems {
        *problem = sample::not_judged(problem);
    }
    events.push(sample::event(EventKind::StudentFinished {
        result: Box::new(open),
    }));
    events.push(sample::event(EventKind::RunFinished { interrupted: true }));
    assert_eq!(
        feed(events, &Style::default()),
        "count · Count all solutions · 35 points
  small
    ✓ n=4    0.7 ms   ✓ n=5    0.7 ms

total: not graded, of 50 points
interrupted before the end: what is shown is not everything
"
    );
}

#[test]
fn a_basic_level_is_said_before_anything_runs() {
    let mut results = two_problems();
    results.isolation.level = IsolationLevel::Basic;
    assert_eq!(
        feed(vec![sample::run_started(&results)], &Style::default()),
        "isolation: basic, not a sandbox\n"
    );
}

#[test]
fn the_sizes_of_a_sweep_stand_close_and_what_was_not_needed_takes_one_line() {
    let mut results = sample::results();
    let mut student = results.students.swap_remove(1);
    student.problems.truncate(1);
    let problem = &mut student.problems[0];
    problem.build = None;
    problem.subtasks.truncate(1);
    let subtask = &mut problem.subtasks[0];
    let case = subtask.cases[0].clone();
    let named = |name: String| CaseResult {
        name: CaseName::new(name),
        ..case.clone()
    };
    subtask.cases = (10..30).map(|n| named(format!("n={n}"))).collect();
    for n in [40, 50] {
        let why = Text::new("not needed: n=29 took 1.2 s", "无需运行：n=29 已用 1.2 s");
        let mut skipped = CaseResult::unrun(CaseName::new(format!("n={n}")), Verdict::Skipped, why);
        skipped.skipped = true;
        subtask.cases.push(skipped);
    }
    subtask.growth = Some(Growth {
        over: "n".to_owned(),
        at_most: 3.5,
        startup: CpuTime::from_millis(1),
        points: Vec::new(),
        fit: None,
        stopped: None,
        verdict: GrowthVerdict::Unresolved,
    });
    results.students = vec![student];
    assert_eq!(
        feed(sample::events(&results), &Style::default()),
        r"count · Count all solutions · 35 points
  small
    ✓ n=10   ✓ n=11   ✓ n=12   ✓ n=13   ✓ n=14   ✓ n=15   ✓ n=16   ✓ n=17
    ✓ n=18   ✓ n=19   ✓ n=20   ✓ n=21   ✓ n=22   ✓ n=23   ✓ n=24   ✓ n=25
    ✓ n=26   ✓ n=27   ✓ n=28   ✓ n=29
    – n=40 …  not needed: n=29 took 1.2 s

  C · count.c
  small  10 of 10  AC   20 cases, 2 not needed, slowest n=10 0.7 ms, 1.2 MiB
    its growth is not resolved: too few sizes were solved; at most n^3.5 passes
  count: 16 of 35 points  PC partially correct
"
    );
}

const BEHIND_VERDICTS: &str = "count · Count all solutions · 35 points
  small
    ✓ n=4    0.7 ms   ✓ n=5    0.7 ms   ✓ n=6    0.7 ms   ✓ n=7    0.7 ms
    ✓ n=8    1.1 ms
  medium
    ✓ n=13  6.1 s of 6.33 s CPU, near the limit
        limit: 3 × 2.11 s of the reference = 6.33 s
        run again alone 3 times: 6.1 s of 6.33 s, 6.2 s of 6.36 s,
        6.15 s of 6.33 s; the smallest counts
    ✓ n=14  6.3 s of 6.33 s CPU, too near the limit to tell
        limit: 3 × 2.11 s of the reference = 6.33 s
        run again alone 3 times: 6.3 s of 6.33 s, 6.41 s of 6.39 s,
        6.35 s of 6.36 s; they do not agree, and the smallest counts
    ✗ n=15  TLE  6.62 s of 6.33 s CPU, near the limit
        used too much CPU time
        limit: 3 × 2.11 s of the reference = 6.33 s
        run again alone 2 times: 6.62 s of 6.33 s, 6.7 s of 6.36 s; the smallest
        counts
    ✓ n=16  4.85 s, 1.2 MiB, earns 60 %
        accepted; 2.3 times the reference's time earns 60 %
  large
    ✓ #1   ✓ #2

  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  small     10 of 10  AC   5 cases, slowest n=8 1.1 ms, 1.2 MiB
  medium  9.75 of 15  PC   3 of 4 cases, slowest n=15 6.62 s, 1.2 MiB
  large      0 of 10  WA   2 of 3 cases
    its time grows too fast
  count: 19.75 of 35 points  PC partially correct

polynomial · Local search · 20 points
  dense
    ✓ n=100   ✓ n=200   ✓ n=400   ✓ n=800
  sparse
    ✓ n=100   ✓ n=200   ✓ n=400   ✓ n=800
    – n=1600 …  not needed: n=800 took 4.1 s
  tiny
    ✓ n=10   ✓ n=20   ✓ n=40   ✓ n=80

  C · polynomial.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  dense   8 of 8  AC   4 cases, slowest n=800 323 ms, 1.2 MiB
    its time grows about like n^2 (95 %: 1.98 to 2.04); at most n^2.5 passes
        1 s │
            │
            │                                            ·····o
            │                                     ·······
     100 ms │                             ····o···
            │                      ·······
            │               ·o·····
      10 ms │       ········
            │·······
            │o
            │
       1 ms │
            +──────────────────────────────────────────────────
             100            200                   500  n
             o measured   · fitted line
  sparse  0 of 6  WA   4 cases, 2 not needed, slowest n=800 4.1 s, 1.2 MiB
    its time grows too fast: about n^3 (95 %: 2.95 to 3.05); at most n^2.5
    passes
       10 s │                     ···
            │              ·······                            o
            │        ······
        1 s │ ·······
            │·                                o
     100 ms │
            │                o
            │
      10 ms │
            │o
            │
       1 ms │
            +──────────────────────────────────────────────────
             100            200                   500  n
             o measured   · fitted line
  tiny    6 of 6  AC   4 cases, slowest n=80 2.0 ms, 1.2 MiB
    its growth is not resolved and passes: too fast to measure
    (0 of 4 sizes took long enough); at most n^2.5 passes
      10 ms │
            │
            │
            │
            │
       1 ms │                                                 v
            │
            │
            │v               v                v
            │
            │
     100 us │
            +──────────────────────────────────────────────────
             10             20                    50  n
             v too fast to measure
  polynomial: 14 of 20 points  PC partially correct

annealing · Simulated annealing · 30 points
  certain  each case: 3 of at most 12 attempts must be accepted
    ✓ n=1000  31 ms, 1.2 MiB  3 of 5 attempts accepted
    ✗ n=2000  WA  31 ms, 1.2 MiB
        1 of 12 attempts accepted; rate 8 % (95 %: 1 % to 35 %); luck may have
        decided
        the queens of rows 2 and 3 attack each other
  rate  each case: 20 attempts; points in proportion to those accepted
    ✗ n=5000  PC  31 ms, 1.2 MiB, earns 65 %
        13 of 20 attempts accepted; rate 65 % (95 %: 43 % to 82 %)
        the queens of rows 5 and 9 attack each other

  C · annealing.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  certain   7.5 of 15  PC   1 of 2 cases, slowest n=1000 31 ms, 1.2 MiB
  rate     9.75 of 15  PC   0 of 1 case, 31 ms, 1.2 MiB
  annealing: 17.25 of 30 points  PC partially correct

total: 51 of 85 points
";

#[test]
fn what_stands_behind_a_verdict_is_told_while_it_is_judged_but_not_of_hidden_cases() {
    assert_eq!(written(4, &Style::default()), BEHIND_VERDICTS);
}

#[test]
fn attempts_are_told_with_their_rule_and_their_rate() {
    let mut results = sample::results();
    let mut student = results.students.swap_remove(1);
    student.problems.truncate(1);
    student.problems[0].subtasks.truncate(2);
    let attempts = |made, accepted| {
        Some(grader_model::Attempts {
            runs: 12,
            at_least: Some(3),
            made,
            accepted,
            outputs: made,
            seconds: 1,
        })
    };
    let [small, medium] = &mut student.problems[0].subtasks[..] else {
        panic!("two subtasks")
    };
    small.cases.truncate(1);
    small.cases[0].attempts = attempts(3, 3);
    medium.cases[0].attempts = attempts(12, 2);
    medium.cases.truncate(1);
    results.students = vec![student];
    let written = |style: &Style| {
        let text = feed(sample::events(&results), style);
        let end = text.find("\n\n").unwrap();
        text[..end].to_owned()
    };
    assert_eq!(
        written(&Style::default()),
        "\
count · Count all solutions · 35 points
  small  each case: 3 of at most 12 attempts must be accepted
    ✓ n=4       0.7 ms ×3
  medium
    ✗ n=9  WA  1.2 ms, 1.2 MiB
        2 of 12 attempts accepted; rate 17 % (95 %: 5 % to 45 %); luck may have
        decided
        the number of solutions is wrong
        token 1 differs
        expected  352
        found     351
        hint: is every mirrored solution counted twice?"
    );
    let chinese = Style {
        lang: Lang::Zh,
        ..Style::default()
    };
    let text = written(&chinese);
    let (_, text) = text.split_once('\n').unwrap();
    assert_eq!(
        text.lines().take(4).collect::<Vec<_>>(),
        [
            "  small  每个测试点至多运行 12 次，须通过 3 次",
            "    ✓ n=4       0.7 ms ×3",
            "  medium",
            "    ✗ n=9  WA  1.2 ms，1.2 MiB",
        ]
    );
}
