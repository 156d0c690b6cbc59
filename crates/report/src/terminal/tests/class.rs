use grader_model::{FaultCause, IsolationLevel, Status, Text, Verdict};

use super::{interrupted, zh};
use crate::sample;
use crate::style::Style;
use crate::terminal::class;

#[test]
fn a_class_is_shown_with_its_points_and_with_what_needs_a_human() {
    assert_eq!(
        class(&sample::results(), &Style::default()),
        "Bit craft and simulated annealing (n-queens)
6 students · 100 points and 10 bonus points
Example CPU 3000 · 2 cores · Linux 6.1.0
run 3, begun 2026-11-22 05:00:00 UTC
isolation: strict (user-namespace, pid-namespace, network-namespace, seccomp,
           landlock)

                                                       first-
student   count      board    polynomial   annealing   three     total    bonus
          of 35      of 15    of 20        of 30       +10       of 100   +10
───────────────────────────────────────────────────────────────────────────────
s01          35       15        20            30         10       100       10
s02          16 PC     0 WA      —             —          0 PE     16        0
s03           0 CE     —         0 RE          —          —         0        0
s10          JE        —         —             —          —        JE        0
s11       19.75 PC     —        14 PC      17.25 PC       —        51        0
李雷          —        —         —             —          —         0        0
mean      14.15      2.5      5.67          7.88       1.67      33.4     1.67

graded 5 of 6 · mean 33.4 · median 16 · full marks 1
8 of 14 submissions taken from run 2; 6 judged: 3 another source and the problem
judges otherwise, 3 new

calibration: count      3.05 s  large/n=17, spread 8 %, measured 4 times
             annealing   48 ms  certain/n=1000, spread 1 %, measured 3 times
close calls: 6 cases near a time limit, of which runs alone settled 2
             1 subtask whose growth cannot be told
             2 cases that luck may have decided

What needs a human

  Not graded: our failure, not the student's (1)
    s10  count  JE  Java is not installed on this machine

  Near a time limit and not settled (4)
    s01  count  AC  large/n=16: 931 ms of 1 s, not run again
    s02  count  AC  medium/n=11: 951 ms of 1 s, not run again
    s11  count  AC  medium/n=14: alone 6.3 s of 6.33 s, 6.41 s of 6.39 s,
                    6.35 s of 6.36 s
    s11  count  AC  large/n=17: alone 6.3 s of 6.33 s, 6.41 s of 6.39 s,
                    6.35 s of 6.36 s

  Flags: worth a look, no points taken (1)
    s01  count  answers n=16 suspiciously fast: 0.9 ms, where counting takes
                230 ms

  Files that were not judged and may be programs (1)
    s02  src/polynomal.c  no problem takes a file of this name; the nearest is
                          `polynomial.c`

  What else is known of what was handed in (1)
    s11    the second of two attempts; it came late

  Nothing submitted (1)
    李雷

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
6 名学生 · 100 分，附加 10 分
Example CPU 3000 · 2 核 · Linux 6.1.0
第 3 次评测，开始于 2026-11-22 05:00:00 UTC
隔离：严格 (user-namespace, pid-namespace, network-namespace, seccomp, landlock)

学生   count      board    polynomial   annealing   first-three   总分     附加
       35 分      15 分    20 分        30 分       +10           100 分   +10
───────────────────────────────────────────────────────────────────────────────
s01       35       15        20            30         10           100       10
s02       16 PC     0 WA      —             —          0 PE         16        0
s03        0 CE     —         0 RE          —          —             0        0
s10       JE        —         —             —          —            JE        0
s11    19.75 PC     —        14 PC      17.25 PC       —            51        0
李雷       —        —         —             —          —             0        0
平均   14.15      2.5      5.67          7.88       1.67          33.4     1.67

已评分 5 / 6 人 · 平均 33.4 · 中位数 16 · 满分 1 人
14 份程序中 8 份取自第 2 次评测；6 份重新评测：3 源程序已改、评判规则已改，3 新
提交

校准：count      3.05 s  large/n=17，相差 8 %，测量 4 次
      annealing   48 ms  certain/n=1000，相差 1 %，测量 3 次
临界结果：6 个测试点接近时间限制，其中 2 个单独重跑后已有定论
          1 个子任务的增长难以断定
          2 个测试点的结果可能取决于运气

需要人工处理

  尚未评分：是评测故障，不是学生的错 (1)
    s10  count  JE  这台机器没有安装 Java

  接近时间限制，没有定论 (4)
    s01  count  AC  large/n=16：931 ms（限 1 s），没有重跑
    s02  count  AC  medium/n=11：951 ms（限 1 s），没有重跑
    s11  count  AC  medium/n=14：单独重跑 6.3 s（限 6.33 s）、6.41 s
                    （限 6.39 s）、6.35 s（限 6.36 s）
    s11  count  AC  large/n=17：单独重跑 6.3 s（限 6.33 s）、6.41 s
                    （限 6.39 s）、6.35 s（限 6.36 s）

  留意：值得看一眼，不影响分数 (1)
    s01  count  n=16 快得可疑：0.9 ms，而逐个计数要 230 ms

  没有评测、但可能是程序的文件 (1)
    s02  src/polynomal.c  没有题目接受这个文件名；最接近的是 `polynomial.c`

  关于提交的其他情况 (1)
    s11    两次提交中的第二次；迟交

  没有提交 (1)
    李雷

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
6 students · 100 points and 10 bonus points
Example CPU 3000 · 2 cores · Linux 6.1.0
run 3, begun 2026-11-22 05:00:00 UTC
isolation: strict (user-namespace, pid-namespace,
           network-namespace, seccomp, landlock)

student   count      board    polynomial
          of 35      of 15    of 20
────────────────────────────────────────
s01          35       15        20
s02          16 PC     0 WA      —
s03           0 CE     —         0 RE
s10          JE        —         —
s11       19.75 PC     —        14 PC
李雷          —        —         —
mean      14.15      2.5      5.67

                      first-
student   annealing   three     total    bonus
          of 30       +10       of 100   +10
──────────────────────────────────────────────
s01          30         10       100       10
s02           —          0 PE     16        0
s03           —          —         0        0
s10           —          —        JE        0
s11       17.25 PC       —        51        0
李雷          —          —         0        0
mean       7.88       1.67      33.4     1.67
"
    );
}

#[test]
fn a_class_of_which_nothing_needs_a_human_says_so() {
    let mut results = sample::results();
    results.students.truncate(1);
    results.reference_times.clear();
    let student = &mut results.students[0];
    student.problems[0].flags.clear();
    student.problems[0].subtasks[2].cases[0].near_limit = false;
    let page = class(&results, &Style::default());
    let (_, end) = page.split_once("\n\ngraded").unwrap();
    assert_eq!(
        end,
        " 1 of 1 · mean 100 · median 100 · full marks 1\n5 of 5 submissions taken from run 2\n\nNothing needs a human.\n"
    );
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
5 of 6 submissions taken from run 2; 1 judged: 1 another source and the problem
judges otherwise

calibration: count      3.05 s  large/n=17, spread 8 %, measured 4 times
             annealing   48 ms  certain/n=1000, spread 1 %, measured 3 times

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

/// From the head of the list of what needs a human to what is near a limit.
fn not_graded(page: &str, head: &str, next: &str) -> String {
    let (_, list) = page.split_once(head).unwrap();
    list.split_once(next).unwrap().0.to_owned()
}

#[test]
fn a_fault_of_what_was_handed_in_is_not_told_as_ours() {
    let mut results = sample::results();
    let refused = Text::new("`hw.zip` is not unpacked", "`hw.zip` 未解压");
    let typed = Text::new("only typed into the page", "仅在网页中输入");
    let mut lose = |student: usize, problem: usize, cause, reason: &Text| {
        let problem = &mut results.students[student].problems[problem];
        problem.verdict = Verdict::JudgeError;
        problem.points = None;
        problem.message = Some(reason.clone());
        problem.status = Status::Fault(cause);
    };
    for problem in 1..4 {
        lose(2, problem, FaultCause::Unreadable, &refused);
    }
    lose(5, 0, FaultCause::Unreadable, &typed);
    lose(
        3,
        1,
        FaultCause::Grader,
        &Text::new("the disk is full", "磁盘已满"),
    );
    assert_eq!(
        not_graded(
            &class(&results, &Style::default()),
            "What needs a human\n\n",
            "\n  Near"
        ),
        "  Not graded: our failure, not the student's (2)
    s10  count  JE  Java is not installed on this machine
    s10  board  JE  the disk is full

  Not graded: what was handed in needs a look (4)
    李雷  count  JE  only typed into the page
    `hw.zip` is not unpacked:
      s03 (board, polynomial, annealing)
"
    );
    assert_eq!(
        not_graded(&class(&results, &zh()), "需要人工处理\n\n", "\n  接近"),
        "  尚未评分：是评测故障，不是学生的错 (2)
    s10  count  JE  这台机器没有安装 Java
    s10  board  JE  磁盘已满

  尚未评分：需要查看提交的内容 (4)
    李雷  count  JE  仅在网页中输入
    `hw.zip` 未解压：
      s03 (board，polynomial，annealing)
"
    );
}

#[test]
fn a_basic_level_is_said_aloud_with_what_is_missing() {
    let mut results = sample::results();
    results.students.clear();
    results.reference_times.clear();
    results.interrupted = true;
    results.isolation.level = IsolationLevel::Basic;
    results.isolation.missing = vec!["network-namespace".to_owned(), "seccomp".to_owned()];
    results.isolation.layers = vec!["rlimits".to_owned()];
    assert_eq!(
        class(&results, &Style::default()),
        "Bit craft and simulated annealing (n-queens)
0 students · 100 points and 10 bonus points
Example CPU 3000 · 2 cores · Linux 6.1.0
run 3, begun 2026-11-22 05:00:00 UTC
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
