//! The table of a term, for people and for spreadsheets.

use std::io::{self, Write};

use grader_model::{Standing, called};
use grader_view::{TermCell, TermStudent, TermView};

use crate::csv::{PERSON, guarded, person_cells};
use crate::document::{Document, Row};
use crate::style::{Style, Tone, safe};

/// The table of a term: percentages by student and assignment, late days if there are any, and the total.
pub fn term(term: &TermView<'_>, style: &Style) -> String {
    let words = style.words();
    let mut heads = vec![words.student().to_owned()];
    heads.extend(columns(term).map(safe));
    if term.late_days > 0 {
        heads.push(words.late_days().to_owned());
    }
    heads.push(words.term_total().to_owned());
    let numbers: Vec<usize> = (1..heads.len()).collect();
    let mut rows = vec![Row::of(heads)];
    for student in &term.students {
        let mut row = vec![called(student.id, student.person)];
        for (cells, mean) in &student.parts {
            row.extend(cells.iter().map(shown));
            row.extend(has_mean(cells).then(|| mean.to_string()));
        }
        if term.late_days > 0 {
            row.push(format!("{}/{}", student.late_days, term.late_days));
        }
        row.push(Tone::Strong.on(student.total.to_string()));
        rows.push(Row::of(row));
    }
    let mut document = Document::of_rows(rows, &numbers);
    let cells = || {
        let parts = term.students.iter().flat_map(|it| &it.parts);
        parts.flat_map(|(cells, _)| cells)
    };
    let notes = [
        (
            cells().any(|it| it.is_dropped),
            "()",
            words.lowest_dropped(),
        ),
        (
            cells().any(|it| it.percent.is_none() && !it.is_bonus_only),
            "–",
            words.not_in_class(),
        ),
        (
            cells().any(|it| it.percent.is_some_and(Standing::is_open)),
            "?",
            words.not_scored_yet(),
        ),
        (
            cells().any(|it| it.percent == Some(Standing::Excused)),
            Standing::EXCUSED,
            words.excused_not_counted(),
        ),
        (cells().any(|it| it.is_bonus_only), "+", words.only_bonus()),
    ];
    document.gap();
    for assignment in term.parts.iter().flat_map(|(_, assignments)| assignments) {
        let most = assignment.deadline.as_ref();
        let most = most.and_then(|it| it.late_days_at_most);
        if let Some(most) = most.filter(|most| *most < term.late_days) {
            document.line(words.late_days_at_most(most, safe(assignment.id.as_str())));
        }
    }
    for (_, sign, note) in notes.into_iter().filter(|(is_used, ..)| *is_used) {
        document.line(format!("{sign}  {note}"));
    }
    document.text(style)
}

/// The assignments, and after those of a part its name, if there are several.
fn columns<'a>(term: &'a TermView<'_>) -> impl Iterator<Item = &'a str> {
    term.parts.iter().flat_map(|(name, assignments)| {
        let mean = has_mean(assignments).then_some(*name);
        let assignments = assignments.iter().map(|it| it.id.as_str());
        assignments.chain(mean)
    })
}

const fn has_mean<T>(assignments: &[T]) -> bool {
    assignments.len() > 1
}

fn shown(cell: &TermCell) -> String {
    let percent = cell
        .percent
        .map_or_else(|| "–".to_owned(), |it| it.to_string());
    let bonus = cell.percent.is_some_and(|it| it != Standing::Excused) && cell.is_bonus_only;
    let percent = if bonus {
        format!("+{percent}")
    } else {
        percent
    };
    if cell.is_dropped {
        format!("({percent})")
    } else {
        percent
    }
}

/// Writes the table as CSV, in the form of [`write_csv`](crate::write_csv). Cells without a percentage are empty.
///
/// # Errors
/// If `out` cannot be written.
pub fn write_term_csv(term: &TermView<'_>, out: &mut dyn Write) -> io::Result<()> {
    out.write_all("\u{feff}".as_bytes())?;
    let mut writer = ::csv::WriterBuilder::new()
        .terminator(::csv::Terminator::CRLF)
        .from_writer(out);
    let days = (term.late_days > 0).then_some("late days");
    let columns = columns(term).map(guarded);
    let heads = PERSON.map(str::to_owned);
    let ends = days.into_iter().chain(["total"]).map(str::to_owned);
    writer.write_record(heads.into_iter().chain(columns).chain(ends))?;
    for TermStudent {
        id,
        person,
        parts,
        late_days,
        total,
    } in &term.students
    {
        let mut row = person_cells(id, *person).to_vec();
        let number = |standing: Option<Standing>| {
            let points = standing.and_then(Standing::points);
            points.map_or_else(String::new, |it| it.to_string())
        };
        for (cells, mean) in parts {
            let counted = |cell: &TermCell| cell.percent.filter(|_| !cell.is_bonus_only);
            row.extend(cells.iter().map(|cell| number(counted(cell))));
            row.extend(has_mean(cells).then(|| number(Some(*mean))));
        }
        if days.is_some() {
            row.push(late_days.to_string());
        }
        row.push(number(Some(*total)));
        writer.write_record(row)?;
    }
    writer.flush()
}
