//! The students of the class, but for the one whose results are close.

use grader_model::{
    Breach, BuildReport, CaseName, CaseResult, CpuTime, End, Evidence, Excerpt, Figure, Flag,
    FlagEvidence, Ink, LanguageId, ProblemResult, SourcePlace, Span, StudentId, StudentResult,
    Text, UnusedFile, Verdict,
};

use super::cases::{SMALL, accepted, nothing, problem, ran, subtask};

pub(super) fn count_accepted() -> ProblemResult {
    let mut result = problem("count", 35, false, Verdict::Accepted, 35_000);
    let mut last = ran("n=16", Verdict::Accepted, 931_000);
    last.near_limit = true;
    let mut large = subtask("large", Some(10), 10, Verdict::Accepted, vec![last]);
    large.hidden = true;
    result.subtasks = vec![
        subtask("small", Some(10), 10, Verdict::Accepted, accepted(&SMALL)),
        subtask(
            "medium",
            Some(15),
            15,
            Verdict::Accepted,
            accepted(&[("n=9", 1250), ("n=10", 2100), ("n=11", 9800)]),
        ),
        large,
    ];
    result
}

pub(super) fn count_mixed() -> ProblemResult {
    let mut result = problem("count", 35, false, Verdict::PartiallyCorrect, 16_000);
    result.build = Some(BuildReport {
        toolchain: "gcc 12.2.0 -O2 -std=gnu17".to_owned(),
        messages: Some(Excerpt::block(
            b"count.c: In function 'place':\ncount.c:12:9: warning: unused variable 'k' [-Wunused-variable]\n",
            4096,
        )),
        cpu: CpuTime::from_millis(91),
    });
    let mut wrong = ran("n=9", Verdict::WrongAnswer, 1250);
    wrong.message = Some(Text::new(
        "the number of solutions is wrong",
        "解的个数不对",
    ));
    wrong.evidence = vec![
        Evidence::new(
            "tokens-differ",
            Text::new("token 1 differs", "第 1 个词不同"),
        )
        .with_pair(Excerpt::new(b"352"), Excerpt::new(b"351")),
    ];
    wrong.hints = vec![Text::new(
        "is every mirrored solution counted twice?",
        "镜像的解是不是都数了两次？",
    )];
    let mut slow = ran("n=10", Verdict::TimeLimit, 1_003_000);
    slow.message = Some(Text::new(
        "still running when its CPU time was used up",
        "用完了 CPU 时间还没有结束",
    ));
    if let Some(outcome) = &mut slow.outcome {
        outcome.end = End::Signalled(9);
        outcome.breach = Some(Breach::Cpu);
    }
    let mut near = ran("n=11", Verdict::Accepted, 951_000);
    near.near_limit = true;
    let mut hidden_wrong = ran("n=12", Verdict::WrongAnswer, 1250);
    hidden_wrong.message = Some(Text::new(
        "the number of solutions is wrong",
        "解的个数不对",
    ));
    hidden_wrong.evidence = vec![
        Evidence::new(
            "tokens-differ",
            Text::new("token 1 differs", "第 1 个词不同"),
        )
        .with_pair(Excerpt::new(b"14200"), Excerpt::new(b"14199")),
    ];
    let mut large = subtask(
        "large",
        Some(0),
        10,
        Verdict::WrongAnswer,
        vec![hidden_wrong],
    );
    large.hidden = true;
    result.subtasks = vec![
        subtask("small", Some(10), 10, Verdict::Accepted, accepted(&SMALL)),
        subtask(
            "medium",
            Some(6),
            15,
            Verdict::PartiallyCorrect,
            vec![wrong, slow, near],
        ),
        large,
    ];
    result
}

/// Something at a column of one line of a source.
pub(super) fn seen(en: &str, zh: &str, column: usize) -> FlagEvidence {
    FlagEvidence {
        message: Text::new(en, zh),
        place: Some(SourcePlace {
            file: "count.c".to_owned(),
            line: 3,
            column,
        }),
        excerpt: Some(Excerpt::first(
            b"const long table[] = {73712, 365596};\x1b",
            80,
        )),
    }
}

pub(super) fn perfect() -> StudentResult {
    let mut count = count_accepted();
    count.flags = vec![Flag {
        code: "faster-than-enumeration".to_owned(),
        message: Text::new(
            "answers n=16 suspiciously fast: 0.9 ms, where counting takes 230 ms",
            "n=16 快得可疑：0.9 ms，而逐个计数要 230 ms",
        ),
        evidence: vec![
            FlagEvidence {
                message: Text::new("n=16: 0.9 ms of CPU time", "n=16：CPU 时间 0.9 ms"),
                place: None,
                excerpt: None,
            },
            seen("73712, the answer of n=13", "73712，n=13 的答案", 21),
            seen("365596, the answer of n=14", "365596，n=14 的答案", 28),
        ],
    }];
    let simple = |id: &str, max: u32, bonus| {
        let mut result = problem(id, max, bonus, Verdict::Accepted, u64::from(max) * 1000);
        result.subtasks = vec![subtask(
            "all",
            Some(max),
            max,
            Verdict::Accepted,
            accepted(&[("n=6", 800), ("n=8", 900)]),
        )];
        result
    };
    StudentResult {
        person: None,
        notes: Vec::new(),
        remarks: Vec::new(),
        id: StudentId::new("s01"),
        nothing_submitted: false,
        problems: vec![
            count,
            simple("board", 15, false),
            simple("polynomial", 20, false),
            simple("annealing", 30, false),
            simple("first-three", 10, true),
        ],
        unused: vec![UnusedFile {
            path: ".DS_Store".to_owned(),
            reason: Text::new("not a program", "不是程序"),
            notable: false,
        }],
    }
}

/// A board with two queens that attack each other, as the checker draws it.
pub(super) fn board() -> Figure {
    let mut figure = Figure::default();
    for (row, line) in ["Q...", "..Q.", ".Q..", "...Q"].iter().enumerate() {
        let mut spans = vec![Span::new(format!("{} ", row + 1), Ink::Faint)];
        for cell in line.chars() {
            let ink = match (cell, row) {
                ('Q', 1 | 2) => Ink::Bad,
                ('Q', _) => Ink::Plain,
                _ => Ink::Faint,
            };
            let shown = if ink == Ink::Bad { '!' } else { cell };
            spans.push(Span::new(format!(" {shown}"), ink));
        }
        figure.push(spans);
    }
    figure
}

pub(super) fn mixed() -> StudentResult {
    let mut board_result = problem("board", 15, false, Verdict::WrongAnswer, 0);
    let mut wrong = ran("n=4", Verdict::WrongAnswer, 800);
    let attack = Text::new(
        "the queens of rows 2 and 3 attack each other",
        "第 2 行和第 3 行的皇后互相攻击",
    );
    wrong.message = Some(attack.clone());
    wrong.evidence = vec![Evidence::new("queens-attack", attack).with_figure(board())];
    board_result.subtasks = vec![subtask(
        "all",
        Some(0),
        15,
        Verdict::WrongAnswer,
        vec![wrong],
    )];
    let mut layout = problem("first-three", 10, true, Verdict::PresentationError, 0);
    let mut case = ran("n=6", Verdict::PresentationError, 900);
    case.message = Some(Text::new(
        "the answer is right, but line 1 has a prompt before it",
        "答案正确，但第 1 行前面有提示语",
    ));
    case.evidence = vec![
        Evidence::new(
            "extra-text",
            Text::new("line 1 has extra text", "第 1 行有多余文字"),
        )
        .with_pair(
            Excerpt::new(b"2 4 6 1 3 5"),
            Excerpt::new(b"n = 2 4 6 1 3 5\t"),
        ),
    ];
    layout.subtasks = vec![subtask(
        "all",
        Some(0),
        10,
        Verdict::PresentationError,
        vec![case],
    )];
    StudentResult {
        person: None,
        notes: Vec::new(),
        remarks: Vec::new(),
        id: StudentId::new("s02"),
        nothing_submitted: false,
        problems: vec![
            count_mixed(),
            board_result,
            nothing("polynomial", 20, false),
            nothing("annealing", 30, false),
            layout,
        ],
        unused: vec![UnusedFile {
            path: "src/polynomal.c".to_owned(),
            reason: Text::new(
                "no problem takes a file of this name; the nearest is `polynomial.c`",
                "没有题目接受这个文件名；最接近的是 `polynomial.c`",
            ),
            notable: true,
        }],
    }
}

pub(super) fn compile_error() -> Text {
    Text::new("the compiler reports an error", "编译器报告了错误")
}

pub(super) fn build_failed() -> BuildReport {
    BuildReport {
        toolchain: "g++ 12.2.0 -O2 -std=gnu++20".to_owned(),
        messages: Some(Excerpt::block(
            b"count.cpp: In function 'int main()':\ncount.cpp:7:14: error: expected ';' before 'return'\n    7 |     int n = 8\n      |              ^\n",
            4096,
        )),
        cpu: CpuTime::from_millis(320),
    }
}

pub(super) fn broken() -> StudentResult {
    let mut count = problem("count", 35, false, Verdict::CompileError, 0);
    count.language = Some(LanguageId::Cpp);
    count.files = vec!["count.cpp".to_owned()];
    count.message = Some(compile_error());
    count.build = Some(build_failed());
    let not_built =
        || CaseResult::unrun(CaseName::new("n=4"), Verdict::CompileError, compile_error());
    count.subtasks = vec![subtask(
        "small",
        Some(0),
        10,
        Verdict::CompileError,
        vec![not_built()],
    )];
    let mut crash = problem("polynomial", 20, false, Verdict::RuntimeError, 0);
    crash.language = Some(LanguageId::Python);
    crash.files = vec!["polynomial.py".to_owned()];
    let mut case = ran("n=1000", Verdict::RuntimeError, 15_000);
    case.message = Some(Text::new(
        "exit status 1: IndexError",
        "退出码 1：IndexError",
    ));
    case.stderr = Some(Excerpt::block(
        b"Traceback (most recent call last):\n  File \"polynomial.py\", line 3, in <module>\nIndexError: list index out of range\n",
        4096,
    ));
    if let Some(outcome) = &mut case.outcome {
        outcome.end = End::Exited(1);
    }
    let skipped = CaseResult::unrun(
        CaseName::new("n=100000"),
        Verdict::Skipped,
        Text::new("subtask `small` was not passed", "子任务 `small` 没有通过"),
    );
    crash.subtasks = vec![
        subtask("small", Some(0), 10, Verdict::RuntimeError, vec![case]),
        subtask("large", Some(0), 10, Verdict::Skipped, vec![skipped]),
    ];
    StudentResult {
        person: None,
        notes: Vec::new(),
        remarks: Vec::new(),
        id: StudentId::new("s03"),
        nothing_submitted: false,
        problems: vec![
            count,
            nothing("board", 15, false),
            crash,
            nothing("annealing", 30, false),
            nothing("first-three", 10, true),
        ],
        unused: Vec::new(),
    }
}

pub(super) fn not_graded() -> StudentResult {
    let mut count = problem("count", 35, false, Verdict::JudgeError, 0);
    count.points = None;
    count.language = Some(LanguageId::Java);
    count.files = vec!["Count.java".to_owned()];
    count.build = None;
    count.message = Some(Text::new(
        "Java is not installed on this machine",
        "这台机器没有安装 Java",
    ));
    StudentResult {
        person: None,
        notes: Vec::new(),
        remarks: Vec::new(),
        id: StudentId::new("s10"),
        nothing_submitted: false,
        problems: vec![
            count,
            nothing("board", 15, false),
            nothing("polynomial", 20, false),
            nothing("annealing", 30, false),
            nothing("first-three", 10, true),
        ],
        unused: Vec::new(),
    }
}

pub(super) fn absent() -> StudentResult {
    StudentResult {
        person: None,
        notes: Vec::new(),
        remarks: Vec::new(),
        id: StudentId::new("李雷"),
        nothing_submitted: true,
        problems: vec![
            nothing("count", 35, false),
            nothing("board", 15, false),
            nothing("polynomial", 20, false),
            nothing("annealing", 30, false),
            nothing("first-three", 10, true),
        ],
        unused: Vec::new(),
    }
}
