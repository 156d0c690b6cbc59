use super::{interrupted, zh};
use crate::sample;
use crate::style::Style;
use crate::terminal::{personal, student};

#[test]
fn a_submission_that_was_not_judged_is_not_told_as_nothing_submitted() {
    let results = interrupted();
    let page = student(&results.students[1], &results.assignment, &Style::default());
    let (page, _) = page.split_once("\n\npolynomial").unwrap();
    assert_eq!(
        page,
        "s02 (=HYPERLINK(\"http://example.org\")): not graded, of 100 points, 0 of 10 bonus
points

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
    results.students.drain(..5);
    let shown = crate::Audience::Student.view(&results);
    assert_eq!(
        personal(&shown, &Style::default()),
        "Bit craft and simulated annealing (n-queens)
1 student · 100 points and 10 bonus points
2 cores
isolation: strict (user-namespace, pid-namespace, network-namespace, seccomp,
           landlock)

李雷: 0 of 100 points, 0 of 10 bonus points

count: 0 of 35 points  SK nothing was submitted
board: 0 of 15 points  SK nothing was submitted
polynomial: 0 of 20 points  SK nothing was submitted
annealing: 0 of 30 points  SK nothing was submitted
first-three: 0 of 10 bonus points  SK nothing was submitted
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
  taken from run 2: nothing has changed since
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
  取自第 2 次评测：之后没有变化
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
        r#"s02 (=HYPERLINK("http://example.org")): 16 of 100 points, 0 of 10 bonus points

count: 16 of 35 points  PC partially correct
  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · built in 91 ms
  │ count.c: In function 'place':
  │ count.c:12:9: warning: unused variable 'k' [-Wunused-variable]
  judged in this run: another source and the problem judges otherwise
  small   10 of 10  AC   5 cases, slowest n=8 1.1 ms, 1.2 MiB
  medium   6 of 15  PC   1 of 3 cases, slowest n=10 1 s, 1.2 MiB
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
  large    0 of 10  WA   0 of 1 case, 1.2 ms, 1.2 MiB
    ✗ n=12  WA  1.2 ms, 1.2 MiB
        the number of solutions is wrong
        token 1 differs
        expected  14200
        found     14199

board: 0 of 15 points  WA wrong answer
  C · board.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  judged in this run: another source and the problem judges otherwise
  all  0 of 15  WA   0 of 1 case, 0.8 ms, 1.2 MiB
    ✗ n=4  WA  0.8 ms, 1.2 MiB
        the queens of rows 2 and 3 attack each other
        1  Q . . .
        2  . . ! .
        3  . ! . .
        4  . . . Q

polynomial: 0 of 20 points  SK nothing was submitted
annealing: 0 of 30 points  SK nothing was submitted

first-three: 0 of 10 bonus points  PE presentation error
  C · first-three.c · gcc 12.2.0 -O2 -std=gnu17 · built in 84 ms
  judged in this run: another source and the problem judges otherwise
  all  0 of 10  PE   0 of 1 case, 0.9 ms, 1.2 MiB
    ✗ n=6  PE  0.9 ms, 1.2 MiB
        the answer is right, but line 1 has a prompt before it
        line 1 has extra text
        expected  2 4 6 1 3 5
        found     n = 2 4 6 1 3 5\t

files that were not judged
  src/polynomal.c  no problem takes a file of this name; the nearest is
                   `polynomial.c`
"#
    );
}

#[test]
fn a_score_is_explained_in_chinese() {
    let results = sample::results();
    assert_eq!(
        student(&results.students[1], &results.assignment, &zh()),
        r#"s02 (=HYPERLINK("http://example.org"))：16 / 100 分，附加 0 / 10 分

count：16 / 35 分  PC 部分正确
  C · count.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 91 ms
  │ count.c: In function 'place':
  │ count.c:12:9: warning: unused variable 'k' [-Wunused-variable]
  本次重新评测：源程序已改、评判规则已改
  small   10 / 10 分  AC   5 个测试点，最慢 n=8 1.1 ms，1.2 MiB
  medium   6 / 15 分  PC   3 个测试点中 1 个通过，最慢 n=10 1 s，1.2 MiB
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
  large    0 / 10 分  WA   1 个测试点中 0 个通过，1.2 ms，1.2 MiB
    ✗ n=12  WA  1.2 ms，1.2 MiB
        解的个数不对
        第 1 个词不同
        应为  14200
        实为  14199

board：0 / 15 分  WA 答案错误
  C · board.c · gcc 12.2.0 -O2 -std=gnu17 · 编译用时 84 ms
  本次重新评测：源程序已改、评判规则已改
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
  本次重新评测：源程序已改、评判规则已改
  all  0 / 10 分  PE   1 个测试点中 0 个通过，0.9 ms，1.2 MiB
    ✗ n=6  PE  0.9 ms，1.2 MiB
        答案正确，但第 1 行前面有提示语
        第 1 行有多余文字
        应为  2 4 6 1 3 5
        实为  n = 2 4 6 1 3 5\t

没有评测的文件
  src/polynomal.c  没有题目接受这个文件名；最接近的是 `polynomial.c`
"#
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

board: 0 of 15 points  SK nothing was submitted
polynomial: 0 of 20 points  SK nothing was submitted
annealing: 0 of 30 points  SK nothing was submitted
first-three: 0 of 10 bonus points  SK nothing was submitted
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

#[test]
fn what_may_name_other_students_is_told_to_staff_only() {
    let mut results = sample::results();
    let remark = "the roster has s02 and s20 of this name";
    results.students[1].remarks = vec![grader_model::Text::plain(remark)];
    let page = |results: &grader_model::Results| {
        let style = Style {
            width: 100,
            ..Style::default()
        };
        student(&results.students[1], &results.assignment, &style)
    };
    assert!(page(&results).contains(&format!("bonus points\n  {remark}\n")));
    let shown = crate::Audience::Student.view(&results);
    assert!(!page(&shown).contains("s20"));
    let class = crate::terminal::class(&results, &Style::default());
    assert!(class.contains(&format!("    s02    {remark}\n")), "{class}");
}
