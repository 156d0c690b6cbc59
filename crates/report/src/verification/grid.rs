//! The table of the tests as people read it on a terminal.

use grader_model::{ProblemVerification, Verdict};

use super::table::Table;
use crate::layout::{Page, left, right, width};
use crate::style::{Style, Tone, safe};
use crate::words::Phrase;

/// Draws the table of a problem, and below it what can be read off it.
pub(super) fn table_lines(page: &mut Page, problem: &ProblemVerification, style: &Style) {
    let Some(table) = Table::of(problem) else {
        return;
    };
    let words = style.words();
    page.gap();
    page.line(2, &Tone::Strong.on(words.say(Phrase::TableOfTests)));
    let columns = table.columns();
    rows(page, &table, &columns, style);
    page.gap();
    legend(page, &table, &columns, style);
    page.gap();

    let listed = |label: String, names: Vec<String>| {
        let colon = words.say(Phrase::Colon);
        let names = names.join(words.say(Phrase::ListComma));
        format!("{}{names}", Tone::Partial.on(format!("{label}{colon}")))
    };
    let cases = |cases: Vec<usize>| cases.into_iter().map(|it| safe(&table.cases[it])).collect();
    let idle = table.idle();
    if !idle.is_empty() {
        let label = words.say(Phrase::CasesThatFailNothing).to_owned();
        page.line(2, &listed(label, cases(idle)));
    }
    for group in table.alike() {
        let names = group.into_iter().map(|it| safe(&table.programs[it].name));
        let label = words.say(Phrase::NotToldApart).to_owned();
        page.line(2, &listed(label, names.collect()));
    }
    let failed = table.failed().len();
    if failed > 0 {
        let enough = table.enough();
        let label = words.enough(enough.len(), failed, table.programs.len());
        page.line(2, &listed(label, cases(enough)));
    }
}

/// A row for each program, a column for each group of cases; in blocks where they do not fit side by side.
fn rows(page: &mut Page, table: &Table, columns: &[Vec<usize>], style: &Style) {
    const INDENT: usize = 4;
    const RULE: &str = "│ ";
    let names: Vec<String> = table.programs.iter().map(|it| safe(&it.name)).collect();
    let widest = names.iter().map(|name| width(name)).max().unwrap_or(0);
    let digits = columns.len().to_string().len();
    let new_subtask = |column: usize| {
        column > 0 && table.subtask(columns[column - 1][0]) != table.subtask(columns[column][0])
    };
    let room = style.columns().saturating_sub(INDENT + widest + 1);
    for block in blocks(columns.len(), digits + 1, width(RULE), room, &new_subtask) {
        let line = |name: &str, cell: &dyn Fn(usize) -> String| {
            let mut line = left(name, widest + 1);
            for column in block.clone() {
                if new_subtask(column) && column > block.start {
                    line.push_str(&Tone::Faint.on(format!(" {RULE}").trim_end()));
                }
                line.push(' ');
                line.push_str(&cell(column));
            }
            line
        };
        page.gap();
        let number = |column: usize| Tone::Faint.on(right(&(column + 1).to_string(), digits));
        page.raw(INDENT, &line("", &number));
        for (name, program) in names.iter().zip(&table.programs) {
            let cell = |column: usize| {
                let case = columns[column][0];
                let verdict = program.verdicts[case];
                let tone = if program.is_failed_by(case) {
                    Tone::Pass
                } else {
                    Tone::Faint
                };
                tone.on(right(mark(verdict), digits))
            };
            page.raw(INDENT, &line(name, &cell));
        }
    }
}

/// Ranges of columns that fit into the room, each column so wide, with a rule before some; at least one in each.
fn blocks(
    columns: usize,
    wide: usize,
    rule: usize,
    room: usize,
    new_subtask: &dyn Fn(usize) -> bool,
) -> Vec<std::ops::Range<usize>> {
    let mut blocks = Vec::new();
    let mut start = 0;
    let mut used = 0;
    for column in 0..columns {
        let rule = if new_subtask(column) && column > start {
            rule
        } else {
            0
        };
        if column > start && used + rule + wide > room {
            blocks.push(start..column);
            start = column;
            used = wide;
        } else {
            used += rule + wide;
        }
    }
    blocks.push(start..columns);
    blocks
}

/// What the numbers and the marks mean.
fn legend(page: &mut Page, table: &Table, columns: &[Vec<usize>], style: &Style) {
    let words = style.words();
    let comma = words.say(Phrase::ListComma);
    let digits = columns.len().to_string().len();
    for (index, column) in columns.iter().enumerate() {
        let label = format!(
            "{}  {}{}",
            right(&(index + 1).to_string(), digits),
            safe(table.subtask(column[0])),
            words.say(Phrase::Colon)
        );
        let cases: Vec<String> = column.iter().map(|it| safe(table.short(*it))).collect();
        page.hang(4, &Tone::Faint.on(label), &cases.join(comma));
    }
    let occurs = |verdict: &Verdict| {
        let mut all = table.programs.iter().flat_map(|it| &it.verdicts);
        all.any(|it| it == verdict)
    };
    let marks: Vec<String> = Verdict::ALL
        .into_iter()
        .filter(occurs)
        .map(|verdict| format!("{} {}", mark(verdict), words.verdict(verdict)))
        .collect();
    page.line(4, &Tone::Faint.on(marks.join(comma)));
}

/// A verdict in one column.
const fn mark(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "·",
        Verdict::PartiallyCorrect => "p",
        Verdict::PresentationError => "P",
        Verdict::WrongAnswer => "W",
        Verdict::TimeLimit => "T",
        Verdict::MemoryLimit => "M",
        Verdict::OutputLimit => "O",
        Verdict::RuntimeError => "R",
        Verdict::CompileError => "C",
        Verdict::Skipped => "s",
        Verdict::JudgeError => "?",
    }
}
