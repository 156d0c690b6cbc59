//! The page of one student: for staff with sources and flags, for the student without.

use std::collections::BTreeMap;

use askama::Template;
use grader_model::{BoardFigure, ProblemId, SourceFile};
use grader_view::{ClassView, ProblemView, StudentView};

use super::policy::{KEYS, STYLE, content_policy};
use super::source::{SourceView, source_views};
use super::{svg, tag};
use crate::style::{Style, safe};

/// A page about one student.
#[derive(Template)]
#[template(path = "student.html", blocks = ["main"])]
pub(super) struct StudentPage<'a> {
    s: Style,
    policy: String,
    css: &'static str,
    /// For staff.
    js: Option<&'static str>,
    class: &'a ClassView<'a>,
    student: &'a StudentView<'a>,
    /// The problems, with their sources for staff.
    problems: Vec<(&'a ProblemView<'a>, Vec<SourceView>)>,
    /// For staff: the name and the link of the pages before and after this one.
    around: Option<[Option<(String, String)>; 2]>,
    /// The page that explains boards.
    explorer: Option<&'a str>,
    /// For the student: the statements as HTML.
    pub(super) statements: Option<&'a BTreeMap<ProblemId, String>>,
}

/// What only staff see.
pub(super) struct Staff {
    /// The sources of each problem.
    pub(super) sources: Vec<Vec<SourceFile>>,
    /// The pages before and after this one: name and link.
    pub(super) around: [Option<(String, String)>; 2],
}

/// The page of a student. Boards link to the page `explorer`.
pub(super) fn page<'a>(
    class: &'a ClassView<'a>,
    student: &'a StudentView<'a>,
    staff: Option<Staff>,
    explorer: Option<&'a str>,
    s: &Style,
) -> StudentPage<'a> {
    let (sources, around) = match staff {
        Some(staff) => (staff.sources, Some(staff.around)),
        None => (Vec::new(), None),
    };
    let js = around.is_some().then_some(KEYS);
    let mut sources = sources.into_iter();
    let problems = student.problems.iter().map(|problem| {
        let sources = sources.next().unwrap_or_default();
        (problem, source_views(&safe(problem.id.as_str()), &sources))
    });
    StudentPage {
        s: *s,
        policy: content_policy(STYLE, js, ""),
        css: STYLE,
        js,
        class,
        student,
        problems: problems.collect(),
        around,
        explorer,
        statements: None,
    }
}

impl StudentPage<'_> {
    fn statement(&self, problem: &ProblemId) -> Option<&String> {
        self.statements?.get(problem)
    }

    /// Where the explorer shows a board: if it has the size for it, and a queen in each of the first rows.
    fn explored(&self, board: &BoardFigure) -> Option<String> {
        let page = self.explorer?;
        if !(4..=12).contains(&board.size) {
            return None;
        }
        let rows = board.queens.iter().enumerate();
        let first = rows.take_while(|(row, queen)| queen[0] as usize == *row);
        let columns: Vec<String> = first.map(|(_, queen)| (queen[1] + 1).to_string()).collect();
        let (size, columns) = (board.size, columns.join(","));
        (!columns.is_empty()).then(|| format!("{page}#backtracking&n={size}&queens={columns}"))
    }
}
