//! Pieces of pages. Templates escape strings; what is [`Safe`] was made here and is escaped already.

use std::fmt::Display;

use askama::filters::Safe;
use grader_model::{
    BoardFigure, CaseName, Excerpt, Flag, FlagEvidence, Ink, Points, ProblemId, Remark, Span,
    Standing, StudentId, SubtaskName, Text, Verdict,
};
use grader_view::{CaseGroup, CaseView, ProblemView, SubtaskView};

use super::source::{SourceView, linked};
use super::svg::escaped;
use super::{plot, svg};
use crate::students::file_stem;
use crate::style::{painted, safe, safe_on_page};
use crate::words::Words;

/// The anchor of a case on its student's page.
pub(super) fn anchor(problem: &ProblemId, subtask: &SubtaskName, case: &CaseName) -> String {
    let plain = |text: &str| {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        text.chars().map(plain).collect::<String>()
    };
    let (subtask, case) = (safe(subtask.as_str()), safe(case.as_str()));
    format!(
        "{}.{}.{}",
        safe(problem.as_str()),
        plain(&subtask),
        plain(&case)
    )
}

/// The name of a student's page, as it stands in a link. It depends on nobody else, so that a link never leads to another
/// student.
pub(super) fn slug(student: &StudentId) -> String {
    // Of the signs in it, only this one means something in an address.
    file_stem(student.as_str()).replace('%', "%25")
}

/// A sentence in which what stands between backticks is code.
fn marked(text: &str) -> String {
    let parts: Vec<&str> = text.split('`').collect();
    // Without its other half, the last backtick stands for itself.
    let pairs = parts.len().saturating_sub(1) / 2 * 2;
    let parts = parts.iter().enumerate().map(|(index, part)| {
        let part = escaped(part);
        match index {
            0 => part,
            index if index > pairs => format!("`{part}"),
            index if index % 2 == 1 => format!("<code>{part}</code>"),
            _ => part,
        }
    });
    parts.collect()
}

/// A name or an excerpt from outside.
pub(super) fn plain(text: &impl Display) -> String {
    safe_on_page(&text.to_string())
}

/// A sentence, with its code marked.
pub(super) fn sentence(text: impl AsRef<str>) -> Safe<String> {
    Safe(marked(text.as_ref()))
}

pub(super) fn badge(verdict: Verdict) -> Safe<String> {
    coded_badge(verdict.code(), svg::class(verdict))
}

/// The badge of a problem in a table: `EX` if the student is excused; none if nothing was submitted or corrected.
pub(super) fn problem_badge(problem: &ProblemView<'_>) -> Safe<String> {
    let class = svg::class_of_status(problem.status, problem.verdict);
    let badge = problem.code.map(|code| coded_badge(code, class));
    badge.unwrap_or(Safe(String::new()))
}

fn coded_badge(code: &str, class: &str) -> Safe<String> {
    Safe(format!("<span class=\"badge {class}\">{code}</span>"))
}

/// A piece of a drawing in text.
pub(super) fn span(span: &Span) -> Safe<String> {
    let text = escaped(&span.text);
    Safe(match span.ink {
        Ink::Plain => text,
        Ink::Faint => format!("<span class=\"faint\">{text}</span>"),
        Ink::Good => format!("<span class=\"good\">{text}</span>"),
        Ink::Bad => format!("<span class=\"wrong\">{text}</span>"),
        Ink::Removed => format!("<del>{text}</del>"),
        Ink::Added => format!("<ins>{text}</ins>"),
    })
}

/// The lines of an excerpt.
pub(super) fn block(excerpt: &Excerpt) -> String {
    let lines = excerpt.text.split('\n').map(safe);
    let rest = (excerpt.after > 0).then(|| "…".to_owned());
    lines.chain(rest).map(|line| line + "\n").collect()
}

/// A compiler's messages, with links into the sources.
pub(super) fn compiler_lines(messages: &Excerpt, sources: &[SourceView]) -> Safe<String> {
    let lines = messages
        .text
        .lines()
        .map(|line| linked(line, sources) + "\n");
    Safe(lines.collect())
}

/// A remark of a tool, with a link to its line.
pub(super) fn remark(remark: &Remark, sources: &[SourceView]) -> Safe<String> {
    Safe(linked(&format!("{}: {remark}", remark.check), sources))
}

/// The verdicts but `AC` of problems, of what was submitted, and of their cases.
pub(super) fn failing_verdicts<'a>(
    problems: impl Iterator<Item = &'a ProblemView<'a>>,
) -> impl Iterator<Item = Verdict> {
    let shown = problems.filter(|it| it.code.is_some());
    let verdicts = shown.flat_map(|problem| {
        let cases = problem.cases().filter(|_| problem.shows_subtasks());
        let cases = cases.flat_map(|(subtask, case)| [subtask.verdict, case.verdict()]);
        cases.chain([problem.verdict])
    });
    verdicts.filter(|it| *it != Verdict::Accepted)
}

/// Whether a card tells of this case first, and is the place to which links to it lead.
pub(super) fn is_explained(case: &CaseView<'_>, groups: &[CaseGroup<'_, '_>]) -> bool {
    let mut explained = groups.iter().filter(|it| it.first.is_explained());
    explained.any(|it| it.first.name() == case.name())
}

/// The evidence of a flag, in groups about the same line of a source, which is shown once.
pub(super) fn flag_groups(flag: &Flag) -> impl Iterator<Item = &[FlagEvidence]> {
    let is_same = |one: &FlagEvidence, two: &FlagEvidence| {
        one.excerpt.is_some() && one.excerpt == two.excerpt
    };
    flag.evidence.chunk_by(is_same)
}

impl Words {
    /// A message, with its code marked.
    pub(super) fn message(self, text: &Text) -> Safe<String> {
        sentence(text.get(self.lang))
    }

    /// The title of a problem, or its id.
    pub(super) fn title(self, problem: &ProblemView<'_>) -> String {
        let title = problem.title.map(|title| self.text(title));
        title.unwrap_or_else(|| safe(problem.id.as_str()))
    }

    /// `16 of 35`.
    pub(super) fn points_of_most(self, standing: Standing, most: Points) -> String {
        let (points, most) = self.share(standing, most);
        format!("{points} {most}")
    }

    pub(super) fn lost(self, points: Points) -> String {
        self.points_lost(self.worth(points, false))
    }

    pub(super) fn measured_line(self, case: &CaseView<'_>) -> String {
        let measured = case.measured();
        let measured = measured.map(|measured| painted(&self.measured(case, &measured), false));
        measured.unwrap_or_default()
    }

    /// What the run of the case used that explains a group, with its name if there are others.
    pub(super) fn measured_of(self, group: &CaseGroup<'_, '_>) -> String {
        let measured = self.measured_line(group.first);
        if group.count == 1 || measured.is_empty() {
            return measured;
        }
        let name = plain(group.first.name());
        format!("{name}{}{measured}", self.colon())
    }

    /// The drawing of how the time of a subtask grows.
    pub(super) fn growth(self, subtask: &SubtaskView<'_>) -> Option<Safe<String>> {
        let sentence = subtask.sentence()?;
        plot::growth(subtask.growth?, &self.text(&sentence)).map(Safe)
    }

    pub(super) fn board(self, board: &BoardFigure, title: &Text) -> Safe<String> {
        Safe(svg::board(board, &self.text(title)))
    }

    /// A piece of evidence of a flag, with a link into the sources.
    pub(super) fn flag_line(self, evidence: &FlagEvidence, sources: &[SourceView]) -> Safe<String> {
        let place = evidence.place.as_ref();
        let place = place.map_or_else(String::new, |place| format!("{place}: "));
        let message = self.text(&evidence.message);
        Safe(linked(&format!("{place}{message}"), sources))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_backticks_is_code_and_escaped() {
        for (text, expected) in [
            ("plain <b>", "plain &lt;b&gt;"),
            (
                "found `<b>` and `n`",
                "found <code>&lt;b&gt;</code> and <code>n</code>",
            ),
            ("a ` alone", "a ` alone"),
            ("`a` and `", "<code>a</code> and `"),
            ("", ""),
        ] {
            assert_eq!(marked(text), expected);
        }
    }
}
