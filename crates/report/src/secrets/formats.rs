//! Every format that a student may read, as this student reads it.

use std::collections::BTreeMap;
use std::io::Write as _;

use grader_model::{Lang, Results, SourceFile, StudentId};
use grader_view::{Audience, Own, Visible};

use crate::snapshots::{only, written};
use crate::{
    Style, document, own_page, step_summary, student_report, write_annotations, write_classroom50,
    write_csv, write_gradescope, write_json, write_junit, write_markdown,
};

/// What a student is given of the results of the class.
type Format = fn(&Results, &StudentId) -> String;

/// By the functions that write them.
pub(super) const FORMATS: [(&str, Format); 18] = [
    ("document::personal", |class, own| {
        document::personal(&mine(class, own).view(), &style(Lang::En))
    }),
    ("document::personal zh", |class, own| {
        document::personal(&mine(class, own).view(), &style(Lang::Zh))
    }),
    ("document::class", |class, own| {
        document::class(&mine(class, own).view(), &style(Lang::En))
    }),
    ("write_json", |class, own| {
        text(|out| write_json(&Visible::Student(mine(class, own)), out))
    }),
    ("write_junit", |class, own| {
        text(|out| write_junit(&mine(class, own).view(), out))
    }),
    ("write_gradescope", |class, own| {
        text(|out| write_gradescope(&mine(class, own), Lang::En, out))
    }),
    ("write_gradescope zh", |class, own| {
        text(|out| write_gradescope(&mine(class, own), Lang::Zh, out))
    }),
    ("write_classroom50", |class, own| {
        // Points that are not known are not written.
        text(|out| {
            let result = write_classroom50(&mine(class, own), &[], "", Lang::En, out);
            result.or_else(|error| write!(out, "{error}"))
        })
    }),
    ("write_annotations", |class, own| {
        text(|out| write_annotations(&mine(class, own).view(), Lang::En, out))
    }),
    ("write_annotations zh", |class, own| {
        text(|out| write_annotations(&mine(class, own).view(), Lang::Zh, out))
    }),
    ("step_summary", |class, own| {
        step_summary(&mine(class, own).view(), Lang::En)
    }),
    ("write_markdown", |class, own| {
        text(|out| write_markdown(&mine(class, own).view(), Lang::En, out))
    }),
    ("write_markdown zh", |class, own| {
        text(|out| write_markdown(&mine(class, own).view(), Lang::Zh, out))
    }),
    ("write_csv", |class, own| {
        text(|out| write_csv(&mine(class, own).view(), Lang::En, out))
    }),
    ("student_report", |class, own| {
        students(class, own, Lang::En)
    }),
    ("student_report zh", |class, own| {
        students(class, own, Lang::Zh)
    }),
    ("own_page", |class, own| page(class, own, Lang::En)),
    ("own_page zh", |class, own| page(class, own, Lang::Zh)),
];

/// What writing gave: the kind of the failure, with the number of bytes that were written before.
pub(super) type Tried = Result<(), (std::io::ErrorKind, usize)>;

/// The formats about one student, given all of these results.
pub(super) fn for_one(results: &Results) -> [(&'static str, Tried); 8] {
    let tried = |write: &dyn Fn(&mut Vec<u8>) -> std::io::Result<()>| {
        let mut out = Vec::new();
        write(&mut out).map_err(|error| (error.kind(), out.len()))
    };
    let (lang, visible) = (Lang::En, || Visible::of(results, Audience::Student));
    let own = || Own::only(results);
    [
        ("json", tried(&|out| write_json(&visible()?, out))),
        ("junit", tried(&|out| write_junit(&visible()?.view(), out))),
        (
            "csv",
            tried(&|out| write_csv(&visible()?.view(), lang, out)),
        ),
        (
            "markdown",
            tried(&|out| write_markdown(&visible()?.view(), lang, out)),
        ),
        (
            "github",
            tried(&|out| write_annotations(&visible()?.view(), lang, out)),
        ),
        (
            "summary",
            tried(&|_| {
                step_summary(&visible()?.view(), lang);
                Ok(())
            }),
        ),
        (
            "gradescope",
            tried(&|out| write_gradescope(&own()?, lang, out)),
        ),
        (
            "classroom50",
            tried(&|out| write_classroom50(&own()?, &[], "", lang, out)),
        ),
    ]
}

/// Functions that write what only staff reads.
pub(super) const NOT_FOR_STUDENTS: [&str; 5] = [
    "write_rows",
    "write_finding_annotations",
    "write_finding_junit",
    "write_links",
    "write_term_csv",
];

fn style(lang: Lang) -> Style {
    Style::of(lang)
}

fn text(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    String::from_utf8(written(write)).unwrap()
}

/// What the student may see of all.
fn mine(class: &Results, own: &StudentId) -> Own {
    Own::only(&only(class, own)).unwrap()
}

/// The student's own file of all.
fn students(class: &Results, own: &StudentId, lang: Lang) -> String {
    let student = class.students.iter().find(|student| student.id == *own);
    student_report(class, student.unwrap(), &style(lang))
}

/// The student's own page of all (A16 of the acceptance list).
fn page(class: &Results, own: &StudentId, lang: Lang) -> String {
    let student = class.students.iter().find(|student| student.id == *own);
    let own = Own::of(class, student.unwrap());
    let source = SourceFile::new("count.c", *b"one\ntwo\nthree\n");
    let statements = &BTreeMap::new();
    own_page(
        &own,
        &[vec![source]],
        Some("explore.html"),
        statements,
        lang,
    )
    .unwrap()
}
