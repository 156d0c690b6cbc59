//! A student who writes what other formats take for their own: markup, commands of runners, formulas, controls.

use grader_model::{
    BuildReport, CpuTime, Evidence, Excerpt, Figure, Ink, Person, Results, Span, StudentId,
    StudentResult, Text, UnusedFile, Verdict,
};

use super::cases::{nothing, problem, ran, subtask};
use super::results;

/// What ends lines, quotes, elements and cells, gives commands and colours, and is no character of XML.
const HOSTILE: &str = "=1+1|\"'`<b>&amp;]]>\n::error::x\r\n  ##[error]y\u{2028}::stop-commands::z\u{85}\
    [[ATTACHMENT|/etc/passwd]]%0A::notice::,;\u{1b}[31m\u{202e}\u{feff}\u{fffe}\u{0}皇";

/// The class with this student at its end.
///
/// Nothing is escaped, as if whoever made the results had forgotten it.
pub(crate) fn with_hostile() -> Results {
    let mut results = results();
    results.students.push(hostile());
    results
}

fn said() -> Text {
    Text::plain(HOSTILE)
}

fn raw() -> Excerpt {
    Excerpt {
        text: HOSTILE.to_owned(),
        before: 1,
        after: 1,
    }
}

fn hostile() -> StudentResult {
    let mut broken = problem("count", 35, false, Verdict::CompileError, 0);
    broken.files = vec![format!("{HOSTILE}.c")];
    broken.message = Some(said());
    broken.build = Some(BuildReport {
        toolchain: HOSTILE.to_owned(),
        messages: Some(Excerpt {
            text: format!("{HOSTILE}.c:7:1: error: {HOSTILE}"),
            before: 0,
            after: 0,
        }),
        cpu: CpuTime::from_millis(84),
    });
    let mut wrong = problem("board", 15, false, Verdict::WrongAnswer, 0);
    let mut case = ran(&format!("n=4 {HOSTILE}"), Verdict::WrongAnswer, 800);
    case.message = Some(said());
    case.hints = vec![said()];
    case.stderr = Some(raw());
    let mut figure = Figure::default();
    figure.push([Span::new(HOSTILE, Ink::Bad)]);
    case.evidence = vec![
        Evidence::new("tokens-differ", said())
            .with_pair(raw(), raw())
            .with_figure(figure),
    ];
    wrong.hints = vec![said()];
    wrong.subtasks = vec![subtask(
        &format!("all {HOSTILE}"),
        Some(0),
        15,
        Verdict::WrongAnswer,
        vec![case.clone(), case],
    )];
    StudentResult {
        id: StudentId::new(format!("s12{HOSTILE}")),
        person: Some(Person {
            name: Some(HOSTILE.to_owned()),
            email: Some(HOSTILE.to_owned()),
            ids: [].into(),
        }),
        notes: vec![said()],
        remarks: vec![said()],
        nothing_submitted: false,
        problems: vec![
            broken,
            wrong,
            nothing("polynomial", 20, false),
            nothing("annealing", 30, false),
            nothing("first-three", 10, true),
        ],
        unused: vec![UnusedFile {
            path: HOSTILE.to_owned(),
            reason: said(),
            notable: true,
        }],
    }
}
