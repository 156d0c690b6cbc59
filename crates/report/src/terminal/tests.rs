use grader_model::{IsolationLevel, Lang};

use super::*;
use crate::sample;
use crate::style::Style;

fn zh() -> Style {
    Style {
        lang: Lang::Zh,
        ..Style::default()
    }
}

#[test]
fn a_class_is_shown_with_its_points_and_with_what_needs_a_human() {
    assert_eq!(
        class(&sample::results(), &Style::default()),
        "Bit craft and simulated annealing (n-queens)
5 students · 100 points and 10 bonus points
Example CPU 3000 · 2 cores · Linux 6.1.0
isolation: strict (user-namespace, pid-namespace, network-namespace, seccomp,
           landlock)

                                                      first-
student   count      board   polynomial   annealing   three    total    bonus
          of 35      of 15   of 20        of 30       +10      of 100   +10
─────────────────────────────────────────────────────────────────────────────
s01          35      15      20           30          10       100      10
s02          16 PC    0 WA    —            —           0 PE     16       0
s03           0 CE    —       0 RE         —           —         0       0
s10          JE       —       —            —           —        JE       0
李雷          —       —       —            —           —         0       0
mean      12.75       3       4            6           2        29       2

graded 4 of 5 · mean 29 · median 8 · full marks 1

What needs a human

  Not graded: our failure, not the student's (1)
    s10  count  JE  Java is not installed on this machine

  Flags: worth a look, no points taken (1)
    s01  count  answers n=16 suspiciously fast: 0.9 ms, where counting takes 230
                ms

  Files that were not judged and may be programs (1)
    s02  src/polynomal.c  no problem takes a file of this name; the nearest is
                          `polynomial.c`

  Nothing handed in (1)
    李雷

  Near a time limit (2)
    s01  count  ✓ n=16  931 ms of 1 s CPU, near the limit
    s02  count  ✓ n=11  951 ms of 1 s CPU, near the limit

  Compile errors (1)
    s03  count  CE  count.cpp:7:14: error: expected ';' before 'return'

  Presentation errors: the answer is right, the layout is not (1)
    s02  first-three  PE  n=6: the answer is right, but line 1 has a prompt
                          before it
"
    );
}

#[test]
fn a_class_is_shown_in_chinese() {
    assert_eq!(
        class(&sample::results(), &zh()),
        "比特匠心与模拟退火 (n-queens)
5 名学生 · 100 分，附加 10 分
Example CPU 3000 · 2 核 · Linux 6.1.0
隔离：严格 (user-namespace, pid-namespace, network-namespace, seccomp, landlock)

学生   count      board   polynomial   annealing   first-three   总分     附加
       35 分      15 分   20 分        30 分       +10           100 分   +10
──────────────────────────────────────────────────────────────────────────────
s01       35      15      20           30          10            100      10
s02       16 PC    0 WA    —            —           0 PE          16       0
s03        0 CE    —       0 RE         —           —              0       0
s10       JE       —       —            —           —             JE       0
李雷       —       —       —            —           —              0       0
平均   12.75       3       4            6           2             29       2

已评分 4 / 5 人 · 平均 29 · 中位数 8 · 满分 1 人

需要人工处理

  尚未评分：是评测故障，不是学生的错 (1)
    s10  count  JE  这台机器没有安装 Java

  留意：值得看一眼，不影响分数 (1)
    s01  count  n=16 快得可疑：0.9 ms，而逐个计数要 230 ms

  没有评测、但可能是程序的文件 (1)
    s02  src/polynomal.c  没有题目接受这个文件名；最接近的是 `polynomial.c`

  没有提交 (1)
    李雷

  接近时间限制 (2)
    s01  count  ✓ n=16  CPU 931 ms，限 1 s，接近限制
    s02  count  ✓ n=11  CPU 951 ms，限 1 s，接近限制

  编译错误 (1)
    s03  count  CE  count.cpp:7:14: error: expected ';' before 'return'

  格式错误：答案对，格式不对 (1)
    s02  first-three  PE  n=6：答案正确，但第 1 行前面有提示语
"
    );
}

#[test]
fn a_table_that_is_too_wide_goes_on_below() {
    let narrow = Style {
        width: 50,
        ..Style::default()
    };
    let page = class(&sample::results(), &narrow);
    let (table, _) = page.split_once("\ngraded").unwrap();
    assert_eq!(
        table,
        "Bit craft and simulated annealing (n-queens)
5 students · 100 points and 10 bonus points
Example CPU 3000 · 2 cores · Linux 6.1.0
isolation: strict (user-namespace, pid-namespace,
           network-namespace, seccomp, landlock)

student   count      board   polynomial
          of 35      of 15   of 20
───────────────────────────────────────
s01          35      15      20
s02          16 PC    0 WA    —
s03           0 CE    —       0 RE
s10          JE       —       —
李雷          —       —       —
mean      12.75       3       4

                      first-
student   annealing   three    total    bonus
          of 30       +10      of 100   +10
─────────────────────────────────────────────
s01       30          10       100      10
s02        —           0 PE     16       0
s03        —           —         0       0
s10        —           —        JE       0
李雷       —           —         0       0
mean       6           2        29       2
"
    );
}

#[test]
fn a_class_of_which_nothing_needs_a_human_says_so() {
    let mut results = sample::results();
    results.students.truncate(1);
    let student = &mut results.students[0];
    student.problems[0].flags.clear();
    student.problems[0].subtasks[2].cases[0].near_limit = false;
    let page = class(&results, &Style::default());
    let (_, end) = page.split_once("\n\ngraded").unwrap();
    assert_eq!(
        end,
        " 1 of 1 · mean 100 · median 100 · full marks 1\n\nNothing needs a human.\n"
    );
}

/// The class of which the first student is graded, the second has two problems left and the third all.
fn interrupted() -> grader_model::Results {
    let mut results = sample::results();
    results.interrupted = true;
    results.students.drain(3..);
    results.students[0].problems[0].flags.clear();
    results.students[0].problems[0].subtasks[2].cases[0].near_limit = false;
    results.students[1].unused.clear();
    for problem in &mut results.students[1].problems[..2] {
        *problem = sample::not_judged(problem);
    }
    for problem in &mut results.students[2].problems {
        *problem = sample::not_judged(problem);
    }
    results
}

#[test]
fn an_interrupted_class_says_how_many_are_graded_and_whom_it_did_not_come_to() {
    let page = class(&interrupted(), &Style::default());
    let (_, page) = page.split_once("landlock)\n").unwrap();
    assert_eq!(
        page,
        "interrupted before the end: 1 of 3 students graded

student   count   board   polynomial   annealing   first-three   total    bonus
          of 35   of 15   of 20        of 30       +10           of 100   +10
───────────────────────────────────────────────────────────────────────────────
s01       35      15      20           30          10            100      10
s02       SK      SK       —            —           0 PE          SK       0
s03       SK      SK      SK           SK          SK             SK      SK
mean      35      15      10           15           5            100       5

graded 1 of 3 · mean 100 · median 100 · full marks 1

What needs a human

  Not judged: the run was interrupted (2)
    s02  s03

  Presentation errors: the answer is right, the layout is not (1)
    s02  first-three  PE  n=6: the answer is right, but line 1 has a prompt
                          before it
"
    );
    assert!(class(&interrupted(), &zh()).contains("评测被中断：3 名学生中已评完 1 名\n"));
}

#[test]
fn a_submission_that_was_not_judged_is_not_told_as_nothing_handed_in() {
    let results = interrupted();
    let page = student(&results.students[1], &results.assignment, &Style::default());
    let (page, _) = page.split_once("\n\npolynomial").unwrap();
    assert_eq!(
        page,
        "s02: not graded, of 100 points, 0 of 10 bonus points

count: not graded, of 35 points  SK skipped
  not judged: interrupted
  C · count.c

board: not graded, of 15 points  SK skipped
  not judged: interrupted
  C · board.c"
    );
}

#[test]
fn a_report_for_one_student_says_where_and_how_it_was_judged() {
    let mut results = sample::results();
    results.students.drain(..4);
    let shown = crate::Audience::Student.view(&results);
    assert_eq!(
        personal(&shown, &Style::default()),
        "Bit craft and simulated annealing (n-queens)
1 student · 100 points and 10 bonus points
2 cores
isolation: strict (user-namespace, pid-namespace, network-namespace, seccomp,
           landlock)

李雷: 0 of 100 points, 0 of 10 bonus points

count: 0 of 35 points  SK nothing was handed in
board: 0 of 15 points  SK nothing was handed in
polynomial: 0 of 20 points  SK nothing was handed in
annealing: 0 of 30 points  SK nothing was handed in
first-three: 0 of 10 bonus points  SK nothing was handed in
"
    );
}

#[test]
fn what_a_message_quotes_is_not_said_again_and_the_drawing_stays() {
    let mut results = sample::results();
    let subtasks = &mut results.students[1].problems[0].subtasks;
    let figure = grader_model::Figure {
        lines: vec![grader_model::Line {
            spans: vec![grader_model::Span::new(
                "a drawing",
                grader_model::Ink::Plain,
            )],
        }],
    };
    let case = &mut subtasks[1].cases[0];
    let message = grader_model::Text::new("expected `352`, found `351`", "应为 `352`，实为 `351`");
    case.message = Some(message.clone());
    case.evidence[0].message = message;
    case.evidence[0].figure = Some(figure);
    case.hints.clear();
    let shown = |results: &grader_model::Results, style: &Style| {
        let page = student(&results.students[1], &results.assignment, style);
        let from = page.find("    ✗ n=9").unwrap();
        let to = page.find("    ✗ n=10").unwrap();
        page[from..to].to_owned()
    };
    assert_eq!(
        shown(&results, &Style::default()),
        "    ✗ n=9  WA  1.2 ms, 1.2 MiB
        expected `352`, found `351`
        a drawing
"
    );
    assert_eq!(
        shown(&results, &zh()),
        "    ✗ n=9  WA  1.2 ms，1.2 MiB
        应为 `352`，实为 `351`
        a drawing
"
    );
    // A quotation that is cut does not tell all.
    let case = &mut results.students[1].problems[0].subtasks[1].cases[0];
    case.evidence[0].found.as_mut().unwrap().after = 9;
    assert_eq!(
        shown(&results, &Style::default()),
        "    ✗ n=9  WA  1.2 ms, 1.2 MiB
        expected `352`, found `351`
        expected  352
        found     351…
        a drawing
"
    );
}

#[test]
fn a_basic_level_is_said_aloud_with_what_is_missing() {
    let mut results = sample::results();
    results.students.clear();
    results.interrupted = true;
    results.isolation.level = IsolationLevel::Basic;
    results.isolation.missing = vec!["network-namespace".to_owned(), "seccomp".to_owned()];
    results.isolation.layers = vec!["rlimits".to_owned()];
    assert_eq!(
        class(&results, &Style::default()),
        "Bit craft and simulated annealing (n-queens)
0 students · 100 points and 10 bonus points
Example CPU 3000 · 2 cores · Linux 6.1.0
isolation: basic, not a sandbox (rlimits) · missing: network-namespace, seccomp
interrupted before the end: 0 of 0 students graded

graded 0 of 0

Not everything was judged: grade once more.
"
    );
    assert!(
        class(&results, &zh())
            .contains("隔离：基本，不是沙箱 (rlimits) · 缺少：network-namespace, seccomp\n")
    );
}

/// The first lines about the first student's first problem.
fn first_lines(results: &grader_model::Results, style: &Style) -> String {
    let page = student(&results.students[0], &results.assignment, style);
    let (_, page) = page.split_once("\n\n").unwrap();
    let (page, _) = page.split_once("\n  small").unwrap();
    page.to_owned()
}

#[test]
fn a_flag_is_explained_to_staff_with_each_place_and_not_to_students() {
    let results = sample::results();
    assert_eq!(
        first_lines(&results, &Style::default()),
        "count: 35 of 35 points  AC accepted
  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  flag: answers n=16 suspiciously fast: 0.9 ms, where counting takes 230 ms
    n=16: 0.9 ms of CPU time
    │ const long table[] = {73712, 365596};\\x1b
    count.c:3:21  73712, the answer of n=13
    count.c:3:28  365596, the answer of n=14"
    );
    assert_eq!(
        first_lines(&results, &zh()),
        "count：35 / 35 分  AC 通过
  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 84 ms
  留意：n=16 快得可疑：0.9 ms，而逐个计数要 230 ms
    n=16：CPU 时间 0.9 ms
    │ const long table[] = {73712, 365596};\\x1b
    count.c:3:21  73712，n=13 的答案
    count.c:3:28  365596，n=14 的答案"
    );
    let reduced = crate::Audience::Student.view(&results);
    assert_eq!(
        first_lines(&reduced, &Style::default()),
        "count: 35 of 35 points  AC accepted
  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms"
    );
}

#[test]
fn a_score_is_explained_down_to_the_first_wrong_token() {
    let results = sample::results();
    assert_eq!(
        student(&results.students[1], &results.assignment, &Style::default()),
        r"s02: 16 of 100 points, 0 of 10 bonus points

count: 16 of 35 points  PC partially correct
  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · built in 91 ms
  │ count.c: In function 'place':
  │ count.c:12:9: warning: unused variable 'k' [-Wunused-variable]
  small   10 of 10  AC   5 cases, slowest n=8 1.1 ms, 1.2 MiB
  medium   6 of 15  PC   1 of 3 cases, slowest n=10 1 s, 1.2 MiB
    ✗ n=9  WA  1.2 ms, 1.2 MiB
        the number of solutions is wrong
        token 1 differs
        expected  352
        found     351
        hint: is every mirrored solution counted twice?
    ✗ n=10  TLE  1 s of 1 s CPU, reference 0.4 ms
        still running when its CPU time was used up
    ✓ n=11  951 ms of 1 s CPU, near the limit
  large    0 of 10  WA   0 of 1 case, 1.2 ms, 1.2 MiB
    ✗ n=12  WA  1.2 ms, 1.2 MiB
        the number of solutions is wrong
        token 1 differs
        expected  14200
        found     14199

board: 0 of 15 points  WA wrong answer
  C · board.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  all  0 of 15  WA   0 of 1 case, 0.8 ms, 1.2 MiB
    ✗ n=4  WA  0.8 ms, 1.2 MiB
        the queens of rows 2 and 3 attack each other
        1  Q . . .
        2  . . ! .
        3  . ! . .
        4  . . . Q

polynomial: 0 of 20 points  SK nothing was handed in
annealing: 0 of 30 points  SK nothing was handed in

first-three: 0 of 10 bonus points  PE presentation error
  C · first-three.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  all  0 of 10  PE   0 of 1 case, 0.9 ms, 1.2 MiB
    ✗ n=6  PE  0.9 ms, 1.2 MiB
        the answer is right, but line 1 has a prompt before it
        line 1 has extra text
        expected  2 4 6 1 3 5
        found     n = 2 4 6 1 3 5\t

files that were not judged
  src/polynomal.c  no problem takes a file of this name; the nearest is
                   `polynomial.c`
"
    );
}

#[test]
fn a_score_is_explained_in_chinese() {
    let results = sample::results();
    assert_eq!(
        student(&results.students[1], &results.assignment, &zh()),
        r"s02：16 / 100 分，附加 0 / 10 分

count：16 / 35 分  PC 部分正确
  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 91 ms
  │ count.c: In function 'place':
  │ count.c:12:9: warning: unused variable 'k' [-Wunused-variable]
  small   10 / 10 分  AC   5 个测试点，最慢 n=8 1.1 ms，1.2 MiB
  medium   6 / 15 分  PC   3 个测试点中 1 个通过，最慢 n=10 1 s，1.2 MiB
    ✗ n=9  WA  1.2 ms，1.2 MiB
        解的个数不对
        第 1 个词不同
        应为  352
        实为  351
        建议：镜像的解是不是都数了两次？
    ✗ n=10  TLE  CPU 1 s，限 1 s，标准程序 0.4 ms
        用完了 CPU 时间还没有结束
    ✓ n=11  CPU 951 ms，限 1 s，接近限制
  large    0 / 10 分  WA   1 个测试点中 0 个通过，1.2 ms，1.2 MiB
    ✗ n=12  WA  1.2 ms，1.2 MiB
        解的个数不对
        第 1 个词不同
        应为  14200
        实为  14199

board：0 / 15 分  WA 答案错误
  C · board.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 84 ms
  all  0 / 15 分  WA   1 个测试点中 0 个通过，0.8 ms，1.2 MiB
    ✗ n=4  WA  0.8 ms，1.2 MiB
        第 2 行和第 3 行的皇后互相攻击
        1  Q . . .
        2  . . ! .
        3  . ! . .
        4  . . . Q

polynomial：0 / 20 分  SK 没有提交
annealing：0 / 30 分  SK 没有提交

first-three：附加 0 / 10 分  PE 格式错误
  C · first-three.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 84 ms
  all  0 / 10 分  PE   1 个测试点中 0 个通过，0.9 ms，1.2 MiB
    ✗ n=6  PE  0.9 ms，1.2 MiB
        答案正确，但第 1 行前面有提示语
        第 1 行有多余文字
        应为  2 4 6 1 3 5
        实为  n = 2 4 6 1 3 5\t

没有评测的文件
  src/polynomal.c  没有题目接受这个文件名；最接近的是 `polynomial.c`
"
    );
}

#[test]
fn a_student_who_is_not_graded_reads_that_it_is_not_their_fault() {
    let results = sample::results();
    assert_eq!(
        student(&results.students[3], &results.assignment, &Style::default()),
        "s10: not graded, of 100 points, 0 of 10 bonus points

count: not graded, of 35 points  JE judge error
  Java is not installed on this machine
  Java · Count.java

board: 0 of 15 points  SK nothing was handed in
polynomial: 0 of 20 points  SK nothing was handed in
annealing: 0 of 30 points  SK nothing was handed in
first-three: 0 of 10 bonus points  SK nothing was handed in
"
    );
}

#[test]
fn only_the_first_failures_of_a_subtask_are_explained_at_length() {
    let mut results = sample::results();
    let subtask = &mut results.students[1].problems[1].subtasks[0];
    let wrong = subtask.cases[0].clone();
    subtask.cases = vec![wrong; 5];
    let page = student(&results.students[1], &results.assignment, &Style::default());
    assert_eq!(page.matches("✗ n=4  WA").count(), 5);
    assert_eq!(page.matches("2  . . ! .").count(), 3);
}
