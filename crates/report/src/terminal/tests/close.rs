use super::zh;
use crate::Audience;
use crate::sample;
use crate::style::Style;
use crate::terminal::{class, student};

/// What is told about the student of the sample whose results are close.
fn told(audience: Audience, style: &Style) -> String {
    let results = sample::results();
    let shown = audience.view(&results);
    student(&shown.students[4], &shown.assignment, style)
}

/// The lines of a class between its numbers and what needs a human.
fn calibration(results: &grader_model::Results, style: &Style) -> String {
    let page = class(results, style);
    let from = page
        .find("\n\ngraded ")
        .or_else(|| page.find("\n\n已评分 "));
    let (_, rest) = page[from.unwrap() + 2..].split_once("\n\n").unwrap();
    rest.split("\n\n").next().unwrap().to_owned()
}

const CLOSE: &str = "s11 (韩梅梅): 51 of 100 points, 0 of 10 bonus points
  the second of two attempts; it came late

count: 19.75 of 35 points  PC partially correct
  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  taken from run 2: nothing has changed since
  small     10 of 10  AC   5 cases, slowest n=8 1.1 ms, 1.2 MiB
  medium  9.75 of 15  PC   3 of 4 cases, slowest n=15 6.62 s, 1.2 MiB
    ✗ n=15  TLE  6.62 s of 6.33 s CPU, near the limit
        used too much CPU time
        limit: 3 × 2.11 s of the reference = 6.33 s
        run again alone 2 times: 6.62 s of 6.33 s, 6.7 s of 6.36 s; the smallest
        counts
    ✓ n=13  6.1 s of 6.33 s CPU, near the limit
        limit: 3 × 2.11 s of the reference = 6.33 s
        run again alone 3 times: 6.1 s of 6.33 s, 6.2 s of 6.36 s,
        6.15 s of 6.33 s; the smallest counts
    ✓ n=14  6.3 s of 6.33 s CPU, too near the limit to tell
        limit: 3 × 2.11 s of the reference = 6.33 s
        run again alone 3 times: 6.3 s of 6.33 s, 6.41 s of 6.39 s,
        6.35 s of 6.36 s; they do not agree, and the smallest counts
    ✓ n=16  4.85 s, 1.2 MiB, earns 60 %
        accepted; 2.3 times the reference's time earns 60 %
  large      0 of 10  WA   2 cases, 1 not needed, slowest n=17 6.3 s, 1.2 MiB
    its time grows too fast: about n^18 (95 %: 16 to 21); at most n^2.5 passes
       10 s │
            │
            │o
            │
            │
            │
            │
            │
            │
            │
            │                                                 o
        1 s │
            +──────────────────────────────────────────────────
             17                                              18  n
             o measured   · fitted line
    each case: 3 of at most 12 attempts must be accepted
    ✓ n=17  6.3 s of 6.33 s CPU, too near the limit to tell
        limit: 3 × 2.11 s of the reference = 6.33 s
        run again alone 3 times: 6.3 s of 6.33 s, 6.41 s of 6.39 s,
        6.35 s of 6.36 s; they do not agree, and the smallest counts
    ✓ n=18  1.23 s, 1.2 MiB, earns 60 %
        3 of 11 attempts accepted; rate 27 % (95 %: 10 % to 57 %); luck may have
        decided
        accepted; 2.3 times the reference's time earns 60 %

board: 0 of 15 points  SK nothing was submitted

polynomial: 14 of 20 points  PC partially correct
  C · polynomial.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  taken from run 2: nothing has changed since
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

annealing: 17.25 of 30 points  PC partially correct
  C · annealing.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  taken from run 2: nothing has changed since
  certain   7.5 of 15  PC   1 of 2 cases, slowest n=1000 31 ms, 1.2 MiB
    each case: 3 of at most 12 attempts must be accepted
    ✗ n=2000  WA  31 ms, 1.2 MiB
        1 of 12 attempts accepted; rate 8 % (95 %: 1 % to 35 %); luck may have
        decided
        the queens of rows 2 and 3 attack each other
    ✓ n=1000  31 ms, 1.2 MiB
        3 of 5 attempts accepted; rate 60 % (95 %: 23 % to 88 %)
  rate     9.75 of 15  PC   0 of 1 case, 31 ms, 1.2 MiB
    each case: 20 attempts; points in proportion to those accepted
    ✗ n=5000  PC  31 ms, 1.2 MiB, earns 65 %
        13 of 20 attempts accepted; rate 65 % (95 %: 43 % to 82 %)
        the queens of rows 5 and 9 attack each other

first-three: 0 of 10 bonus points  SK nothing was submitted
";

#[test]
fn close_results_are_explained_by_their_limits_and_the_runs_alone() {
    assert_eq!(told(Audience::Staff, &Style::default()), CLOSE);
}

const CLOSE_IN_CHINESE: &str = "s11 (韩梅梅)：51 / 100 分，附加 0 / 10 分
  两次提交中的第二次；迟交

count：19.75 / 35 分  PC 部分正确
  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 84 ms
  取自第 2 次评测：之后没有变化
  small     10 / 10 分  AC   5 个测试点，最慢 n=8 1.1 ms，1.2 MiB
  medium  9.75 / 15 分  PC   4 个测试点中 3 个通过，最慢 n=15 6.62 s，1.2 MiB
    ✗ n=15  TLE  CPU 6.62 s，限 6.33 s，接近限制
        CPU 时间用得太多
        限制：标准程序 2.11 s × 3 = 6.33 s
        单独重跑 2 次：6.62 s（限 6.33 s）、6.7 s（限 6.36 s）；以最小者为准
    ✓ n=13  CPU 6.1 s，限 6.33 s，接近限制
        限制：标准程序 2.11 s × 3 = 6.33 s
        单独重跑 3 次：6.1 s（限 6.33 s）、6.2 s（限 6.36 s）、6.15 s（限 6.33 s）；以最小者为准
    ✓ n=14  CPU 6.3 s，限 6.33 s，太接近限制，难以断定
        限制：标准程序 2.11 s × 3 = 6.33 s
        单独重跑 3 次：6.3 s（限 6.33 s）、6.41 s（限 6.39 s）、6.35 s（限 6.36 s）；结论不一，以最小者为准
    ✓ n=16  4.85 s，1.2 MiB，得 60 %
        通过；用时为标准程序的 2.3 倍，得 60 %
  large      0 / 10 分  WA   2 个测试点，1 个不必运行，最慢 n=17 6.3 s，1.2 MiB
    运行时间增长过快：约为 n^18（95 % 置信区间 16 至 21）；不得超过 n^2.5
       10 s │
            │
            │o
            │
            │
            │
            │
            │
            │
            │
            │                                                 o
        1 s │
            +──────────────────────────────────────────────────
             17                                              18  n
             o 已测   · 拟合直线
    每个测试点至多运行 12 次，须通过 3 次
    ✓ n=17  CPU 6.3 s，限 6.33 s，太接近限制，难以断定
        限制：标准程序 2.11 s × 3 = 6.33 s
        单独重跑 3 次：6.3 s（限 6.33 s）、6.41 s（限 6.39 s）、6.35 s（限 6.36 s）；结论不一，以最小者为准
    ✓ n=18  1.23 s，1.2 MiB，得 60 %
        运行 11 次，通过 3 次；通过率 27 %（95 % 置信区间 10 % 至 57 %）；结果可能取决于运气
        通过；用时为标准程序的 2.3 倍，得 60 %

board：0 / 15 分  SK 没有提交

polynomial：14 / 20 分  PC 部分正确
  C · polynomial.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 84 ms
  取自第 2 次评测：之后没有变化
  dense   8 / 8 分  AC   4 个测试点，最慢 n=800 323 ms，1.2 MiB
    运行时间约按 n^2（95 % 置信区间 1.98 至 2.04）增长；不超过 n^2.5 即通过
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
             o 已测   · 拟合直线
  sparse  0 / 6 分  WA   4 个测试点，2 个不必运行，最慢 n=800 4.1 s，1.2 MiB
    运行时间增长过快：约为 n^3（95 % 置信区间 2.95 至 3.05）；不得超过 n^2.5
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
             o 已测   · 拟合直线
  tiny    6 / 6 分  AC   4 个测试点，最慢 n=80 2.0 ms，1.2 MiB
    运行时间的增长无法判定，按通过计：程序太快，测不出增长（4 个规模中只有 0 个用时够长）；不超过 n^2.5 即通过
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
             v 太快，测不出

annealing：17.25 / 30 分  PC 部分正确
  C · annealing.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 84 ms
  取自第 2 次评测：之后没有变化
  certain   7.5 / 15 分  PC   2 个测试点中 1 个通过，最慢 n=1000 31 ms，1.2 MiB
    每个测试点至多运行 12 次，须通过 3 次
    ✗ n=2000  WA  31 ms，1.2 MiB
        运行 12 次，通过 1 次；通过率 8 %（95 % 置信区间 1 % 至 35 %）；结果可能取决于运气
        第 2 行和第 3 行的皇后互相攻击
    ✓ n=1000  31 ms，1.2 MiB
        运行 5 次，通过 3 次；通过率 60 %（95 % 置信区间 23 % 至 88 %）
  rate     9.75 / 15 分  PC   1 个测试点中 0 个通过，31 ms，1.2 MiB
    每个测试点运行 20 次，按通过的比例得分
    ✗ n=5000  PC  31 ms，1.2 MiB，得 65 %
        运行 20 次，通过 13 次；通过率 65 %（95 % 置信区间 43 % 至 82 %）
        第 5 行和第 9 行的皇后互相攻击

first-three：附加 0 / 10 分  SK 没有提交
";

#[test]
fn close_results_are_explained_in_chinese_on_a_wide_terminal() {
    let wide = Style { width: 120, ..zh() };
    assert_eq!(told(Audience::Staff, &wide), CLOSE_IN_CHINESE);
}

#[test]
fn a_student_is_told_the_same_but_of_hidden_subtasks() {
    let page = told(Audience::Student, &Style::default());
    let (_, page) = page.split_once("  large").unwrap();
    let (page, _) = page.split_once("\n\n").unwrap();
    assert_eq!(
        page,
        "      0 of 10  WA   2 of 3 cases
    its time grows too fast"
    );
}

#[test]
fn calibration_tells_the_largest_reference_time_of_each_problem_and_how_many_results_are_close() {
    let results = sample::results();
    assert_eq!(
        calibration(&results, &Style::default()),
        "calibration: count      3.05 s  large/n=17, spread 8 %, measured 4 times
             annealing   48 ms  certain/n=1000, spread 1 %, measured 3 times
close calls: 6 cases near a time limit, of which runs alone settled 2
             1 subtask whose growth cannot be told
             2 cases that luck may have decided"
    );
    assert_eq!(
        calibration(&results, &zh()),
        "校准：count      3.05 s  large/n=17，相差 8 %，测量 4 次
      annealing   48 ms  certain/n=1000，相差 1 %，测量 3 次
临界结果：6 个测试点接近时间限制，其中 2 个单独重跑后已有定论
          1 个子任务的增长难以断定
          2 个测试点的结果可能取决于运气"
    );
}

#[test]
fn calibration_of_which_there_is_little_to_say_takes_one_line() {
    let mut results = sample::results();
    results.students.truncate(1);
    results.students[0].problems[0].subtasks[2].cases[0].near_limit = false;
    results.reference_times.truncate(2);
    assert_eq!(
        calibration(&results, &Style::default()),
        "calibration: count  2.11 s  medium/n=16, measured once"
    );
}

#[test]
fn calibration_stands_in_one_column_on_a_narrow_terminal() {
    let narrow = Style {
        width: 60,
        ..Style::default()
    };
    let mut results = sample::results();
    results.students.truncate(1);
    assert_eq!(
        calibration(&results, &narrow),
        "calibration: count      3.05 s  large/n=17, spread 8 %,
             measured 4 times
             annealing   48 ms  certain/n=1000, spread 1 %,
             measured 3 times
close calls: 1 case near a time limit, not settled"
    );
}
