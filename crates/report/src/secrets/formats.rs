//! Every format that a student may read, as this student reads it.

use grader_model::{Lang, Results, StudentId};

use crate::html::own_page;
use crate::snapshots::{only, written};
use crate::{
    Audience, Style, step_summary, student_report, terminal, write_annotations, write_classroom,
    write_csv, write_gradescope, write_json, write_junit, write_markdown,
};

/// What a student is given of the results of the class.
type Format = fn(&Results, &StudentId) -> String;

/// By the functions that write them.
pub(super) const FORMATS: [(&str, Format); 18] = [
    ("terminal::personal", |class, own| {
        terminal::personal(&Audience::Student.view(&only(class, own)), &style(Lang::En))
    }),
    ("terminal::personal zh", |class, own| {
        terminal::personal(&Audience::Student.view(&only(class, own)), &style(Lang::Zh))
    }),
    ("terminal::class", |class, own| {
        terminal::class(&Audience::Student.view(&only(class, own)), &style(Lang::En))
    }),
    ("write_json", |class, own| {
        text(|out| write_json(&only(class, own), Audience::Student, out))
    }),
    ("write_junit", |class, own| {
        text(|out| write_junit(&only(class, own), Audience::Student, out))
    }),
    ("write_gradescope", |class, own| {
        text(|out| write_gradescope(&only(class, own), Lang::En, out))
    }),
    ("write_gradescope zh", |class, own| {
        text(|out| write_gradescope(&only(class, own), Lang::Zh, out))
    }),
    ("write_annotations", |class, own| {
        text(|out| write_annotations(&only(class, own), Audience::Student, Lang::En, out))
    }),
    ("write_annotations zh", |class, own| {
        text(|out| write_annotations(&only(class, own), Audience::Student, Lang::Zh, out))
    }),
    ("write_classroom", |class, own| {
        text(|out| write_classroom(&only(class, own), out))
    }),
    ("step_summary", |class, own| {
        step_summary(&only(class, own), Audience::Student, Lang::En).unwrap()
    }),
    ("write_markdown", |class, own| {
        text(|out| write_markdown(&only(class, own), Audience::Student, Lang::En, out))
    }),
    ("write_markdown zh", |class, own| {
        text(|out| write_markdown(&only(class, own), Audience::Student, Lang::Zh, out))
    }),
    ("write_csv", |class, own| {
        text(|out| write_csv(&only(class, own), Audience::Student, Lang::En, out))
    }),
    ("student_report", |class, own| {
        students(class, own, Lang::En)
    }),
    ("student_report zh", |class, own| {
        students(class, own, Lang::Zh)
    }),
    ("write_pages", |class, own| page(class, own, Lang::En)),
    ("write_pages zh", |class, own| page(class, own, Lang::Zh)),
];

/// What writing gave: the kind of the failure, with the number of bytes that were written before.
pub(super) type Tried = Result<(), (std::io::ErrorKind, usize)>;

/// The formats about one student, given all of these results.
pub(super) fn for_one(results: &Results) -> [(&'static str, Tried); 8] {
    let tried = |write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
        let mut out = Vec::new();
        write(&mut out).map_err(|error| (error.kind(), out.len()))
    };
    let (own, lang) = (Audience::Student, Lang::En);
    [
        ("json", tried(&|out| write_json(results, own, out))),
        ("junit", tried(&|out| write_junit(results, own, out))),
        ("csv", tried(&|out| write_csv(results, own, lang, out))),
        (
            "markdown",
            tried(&|out| write_markdown(results, own, lang, out)),
        ),
        (
            "github",
            tried(&|out| write_annotations(results, own, lang, out)),
        ),
        (
            "summary",
            tried(&|_| step_summary(results, own, lang).map(drop)),
        ),
        (
            "gradescope",
            tried(&|out| write_gradescope(results, lang, out)),
        ),
        ("classroom", tried(&|out| write_classroom(results, out))),
    ]
}

/// Functions that write what only staff reads.
pub(super) const NOT_FOR_STUDENTS: [&str; 5] = [
    "write_student_files",
    "write_page",
    "write_for_similarity",
    "write_finding_annotations",
    "write_finding_junit",
];

fn style(lang: Lang) -> Style {
    Style::of(lang)
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    String::from_utf8(written(write)).unwrap()
}

/// The student's own file of all.
fn students(class: &Results, own: &StudentId, lang: Lang) -> String {
    let student = class.students.iter().find(|student| student.id == *own);
    student_report(class, student.unwrap(), &style(lang))
}

/// The student's own page of all (A16 of the acceptance list).
fn page(class: &Results, own: &StudentId, lang: Lang) -> String {
    let student = class.students.iter().find(|student| student.id == *own);
    own_page(class, student.unwrap(), Some("explore.html"), &style(lang)).unwrap()
}
