//! The table of a class, in several pieces if there is no room for one.

use super::{Page, padded, widths};
use crate::document::{Points, Row};
use crate::wrap::{cut, left, width};

/// Most columns of a name; the rest of a longer one is cut off.
const MAX_NAME_WIDTH: usize = 24;
/// With less room for names the table has none.
const MIN_NAME_WIDTH: usize = 8;
/// A blank and a verdict's code.
const CODE_WIDTH: usize = 4;

/// The cells of one column: two heads, one for every student, and the mean.
type Cells = Vec<String>;

impl Page {
    pub(super) fn points(&mut self, indent: usize, points: &Points) {
        let columns = columns(points);
        let ids = points.students.iter().map(|(id, _)| id.clone());
        let heads = [points.head.clone(), String::new()];
        let ids: Cells = heads
            .into_iter()
            .chain(ids)
            .chain([points.mean.clone()])
            .collect();
        // A column without text is left out.
        let mut names = vec![String::new(); ids.len()];
        let whole: Vec<&Cells> = [&ids, &names].into_iter().chain(&columns).collect();
        let room = self.columns.saturating_sub(indent + lines(&whole).1 + 2);
        if room >= MIN_NAME_WIDTH {
            for (cell, (_, name)) in names[2..].iter_mut().zip(&points.students) {
                *cell = cut(name, room.min(MAX_NAME_WIDTH));
            }
        }
        let who = [&ids, &names];
        let mut piece = who.to_vec();
        for column in &columns {
            piece.push(column);
            if lines(&piece).1 + indent > self.columns && piece.len() > who.len() + 1 {
                piece.pop();
                self.piece(indent, &piece);
                self.has_gap = true;
                piece = who.into_iter().chain([column]).collect();
            }
        }
        self.piece(indent, &piece);
    }

    fn piece(&mut self, indent: usize, columns: &[&Cells]) {
        let (lines, width) = lines(columns);
        for (index, line) in lines.iter().enumerate() {
            if index == 2 {
                self.exact(indent, &"─".repeat(width));
            }
            self.exact(indent, line);
        }
    }
}

/// Cells in which numbers stand under each other if the column is right-aligned.
fn columns(points: &Points) -> Vec<Cells> {
    let of_column = points.columns.iter().map(|column| {
        let marks = column.cells.iter().map(|it| it.marks.len()).max();
        let marks = marks
            .filter(|width| *width > 0)
            .map_or(0, |width| width + 1);
        let after = if column.has_codes {
            CODE_WIDTH + marks
        } else {
            0
        };
        let cells = column.cells.iter().chain([&column.mean]);
        let cells = cells.map(|it| left(&it.text(), width(&it.number) + after));
        column.head.iter().cloned().chain(cells).collect()
    });
    of_column.collect()
}

/// The lines of a table of these columns, of which those that say who it is stand at the left; and the width of the longest.
fn lines(columns: &[&Cells]) -> (Vec<String>, usize) {
    let row = |index: usize| {
        let cells = columns.iter().map(|it| it[index].clone());
        Row::of(cells.collect::<Vec<_>>())
    };
    let rows: Vec<Row> = (0..columns[0].len()).map(row).collect();
    let (widths, numbers) = (widths(&rows), (2..columns.len()).collect::<Vec<_>>());
    let lines = rows.iter().map(|row| padded(&row.cells, &widths, &numbers));
    let lines: Vec<String> = lines.collect();
    let widest = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    (lines, widest.saturating_sub(2))
}
