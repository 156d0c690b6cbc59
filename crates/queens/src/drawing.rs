//! Boards as lines of text.

use grader_model::{Figure, Ink, Span};

use crate::view::{Slot, slots};
use crate::{Attack, AttackLine, Cell, Queens};

/// A drawing of a board: the queens, and what is to be pointed at.
///
/// A board of up to [`Drawing::WHOLE`] rows is drawn whole; of a larger one the neighbourhood of what is
/// pointed at, or its upper left corner. The same drawing always yields the same bytes.
#[derive(Debug)]
pub struct Drawing<'a, Q> {
    queens: &'a Q,
    attack: Option<Attack>,
    empty_row: Option<u32>,
}

impl<'a, Q: Queens> Drawing<'a, Q> {
    /// Largest size that is drawn whole.
    pub const WHOLE: u32 = 16;

    /// A drawing that points at nothing.
    pub const fn new(queens: &'a Q) -> Self {
        Self {
            queens,
            attack: None,
            empty_row: None,
        }
    }

    /// Points at two queens and at the line between them.
    #[must_use]
    pub const fn with_attack(mut self, attack: Attack) -> Self {
        self.attack = Some(attack);
        self
    }

    /// Points at a row without a queen, from 0.
    #[must_use]
    pub const fn with_empty_row(mut self, row: u32) -> Self {
        self.empty_row = Some(row);
        self
    }

    /// The drawing as text with rows and columns numbered from 1.
    ///
    /// `.` is an empty cell, `Q` a queen, `X` a queen that is pointed at; `|`, `-`, `\` and `/` are the line
    /// between the two; `<` stands behind a row that is pointed at; `…` and `⋮` stand for what is left out.
    pub fn figure(&self) -> Figure {
        figure(self)
    }

    /// The rows that are drawn.
    fn rows(&self) -> Vec<Slot> {
        let mut foci: Vec<u32> = self.attack_cells().map(|cell| cell.row).collect();
        foci.extend(self.empty_row);
        slots(self.queens.size(), Self::WHOLE, foci)
    }

    /// The columns that are drawn.
    fn columns(&self) -> Vec<Slot> {
        let foci = self.attack_cells().map(|cell| cell.column).collect();
        slots(self.queens.size(), Self::WHOLE, foci)
    }

    /// The queens that are pointed at.
    fn attack_cells(&self) -> impl Iterator<Item = Cell> {
        self.attack
            .into_iter()
            .flat_map(|attack| [attack.earlier, attack.later])
    }
}

/// More pieces than this and blank cells are no longer told from queens by their mark: a board full of
/// queens must not become a large report.
const MAX_SPANS: usize = 130;

/// The sizes of a drawing in characters.
struct Grid {
    /// Width of the row numbers.
    ruler: usize,
    /// Width of a cell.
    cell: usize,
    /// Whether every column is numbered; else those that are pointed at.
    full_ruler: bool,
}

fn figure<Q: Queens>(drawing: &Drawing<'_, Q>) -> Figure {
    let digits = drawing.queens.size().to_string().len();
    let full_ruler = drawing.queens.size() <= Drawing::<Q>::WHOLE;
    let grid = Grid {
        ruler: digits,
        cell: if full_ruler { digits + 1 } else { 2 },
        full_ruler,
    };
    let columns = drawing.columns();
    let mut figure = Figure::default();
    for ruler in column_rulers(drawing, &columns, &grid) {
        figure.push([Span::new(ruler.trim_end(), Ink::Faint)]);
    }
    for slot in drawing.rows() {
        match slot {
            Slot::Gap => figure.push([Span::new(format!("{:>1$}", '⋮', grid.ruler), Ink::Faint)]),
            Slot::At(row) => figure.push(row_spans(drawing, row, &columns, &grid)),
        }
    }
    if figure
        .lines
        .iter()
        .map(|line| line.spans.len())
        .sum::<usize>()
        > MAX_SPANS
    {
        for line in &mut figure.lines {
            let spans = std::mem::take(&mut line.spans);
            for span in spans {
                let ink = if span.ink == Ink::Faint {
                    Ink::Plain
                } else {
                    span.ink
                };
                append(&mut line.spans, &span.text, ink);
            }
        }
    }
    figure
}

fn row_spans<Q: Queens>(
    drawing: &Drawing<'_, Q>,
    row: u32,
    columns: &[Slot],
    grid: &Grid,
) -> Vec<Span> {
    let mut spans = Vec::new();
    append(
        &mut spans,
        &format!("{:>1$} ", row + 1, grid.ruler),
        Ink::Faint,
    );
    for slot in columns {
        let (symbol, ink) = match slot {
            Slot::Gap => ('…', Ink::Faint),
            Slot::At(column) => symbol(drawing, Cell::new(row, *column)),
        };
        append(&mut spans, &" ".repeat(grid.cell - 1), Ink::Faint);
        append(&mut spans, symbol.encode_utf8(&mut [0; 4]), ink);
    }
    if drawing.empty_row == Some(row) {
        append(&mut spans, "  <", Ink::Bad);
    }
    spans
}

fn symbol<Q: Queens>(drawing: &Drawing<'_, Q>, cell: Cell) -> (char, Ink) {
    if let Some(attack) = drawing.attack {
        if attack.involves(cell) {
            return ('X', Ink::Bad);
        }
        if attack.passes(cell) {
            let line = match attack.line {
                AttackLine::Row => '-',
                AttackLine::Column => '|',
                AttackLine::Falling => '\\',
                AttackLine::Rising => '/',
            };
            return (line, Ink::Bad);
        }
    }
    if drawing.queens.row(cell.row).any(|queen| queen == cell) {
        ('Q', Ink::Plain)
    } else {
        ('.', Ink::Faint)
    }
}

/// The lines with column numbers. A number of a cropped board begins above its column, so that large
/// numbers need no wide cells; two that would run into each other stand on two lines.
fn column_rulers<Q: Queens>(
    drawing: &Drawing<'_, Q>,
    columns: &[Slot],
    grid: &Grid,
) -> Vec<String> {
    let margin = " ".repeat(grid.ruler + 1);
    if grid.full_ruler {
        let numbers = columns.iter().map(|slot| match slot {
            Slot::At(column) => format!("{:>1$}", column + 1, grid.cell),
            Slot::Gap => String::new(),
        });
        return vec![margin + &numbers.collect::<String>()];
    }
    let mut pointed: Vec<u32> = drawing.attack_cells().map(|cell| cell.column).collect();
    if pointed.is_empty() {
        pointed.push(0);
    }
    pointed.sort_unstable();
    pointed.dedup();
    let mut rulers: Vec<String> = Vec::new();
    for column in pointed {
        let index = columns.iter().position(|slot| *slot == Slot::At(column));
        let at = margin.len() + grid.cell * (index.unwrap_or(0) + 1) - 1;
        match rulers.last_mut() {
            Some(last) if last.len() < at => *last = format!("{last:<at$}{}", column + 1),
            _ => rulers.push(format!("{:<at$}{}", "", column + 1)),
        }
    }
    rulers
}

/// Adds to the last piece where the mark is the same. Blanks take the mark of what is before them.
fn append(spans: &mut Vec<Span>, text: &str, ink: Ink) {
    match spans.last_mut() {
        Some(last) if last.ink == ink || text.chars().all(|c| c == ' ') => last.text.push_str(text),
        _ => spans.push(Span::new(text, ink)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Attack, Board, Placement};

    fn drawn(columns: Vec<u32>) -> Figure {
        let placement = Placement::new(columns).unwrap();
        let drawing = Drawing::new(&placement);
        match placement.first_attack() {
            Some(attack) => drawing.with_attack(attack).figure(),
            None => drawing.figure(),
        }
    }

    #[test]
    fn a_legal_board_is_drawn_with_numbered_rows_and_columns() {
        assert_eq!(
            drawn(vec![1, 3, 0, 2]).plain(),
            "   1 2 3 4\n\
             1  . Q . .\n\
             2  . . . Q\n\
             3  Q . . .\n\
             4  . . Q ."
        );
    }

    #[test]
    fn the_attacking_queens_and_their_line_are_marked() {
        assert_eq!(
            drawn(vec![1, 4, 2, 5, 3, 0]).plain(),
            "   1 2 3 4 5 6\n\
             1  . Q . . . .\n\
             2  . . . . X .\n\
             3  . . Q / . .\n\
             4  . . / . . Q\n\
             5  . / . Q . .\n\
             6  X . . . . ."
        );
        let figure = drawn(vec![0, 3, 1, 4, 2, 5]);
        assert_eq!(
            figure.plain(),
            "   1 2 3 4 5 6\n\
             1  X . . . . .\n\
             2  . \\ . Q . .\n\
             3  . Q \\ . . .\n\
             4  . . . \\ Q .\n\
             5  . . Q . \\ .\n\
             6  . . . . . X"
        );
        assert_eq!(
            figure.lines[5].spans,
            [
                Span::new("5  . . ", Ink::Faint),
                Span::new("Q ", Ink::Plain),
                Span::new(". ", Ink::Faint),
                Span::new("\\ ", Ink::Bad),
                Span::new(".", Ink::Faint),
            ]
        );
    }

    #[test]
    fn boards_of_ten_and_more_have_wide_columns() {
        assert_eq!(
            drawn(vec![0, 2, 4, 6, 8, 1, 3, 5, 7, 9]).plain(),
            "     1  2  3  4  5  6  7  8  9 10
 1   Q  .  .  .  .  .  .  .  .  .
 2   .  .  Q  .  .  .  .  .  .  .
 3   .  .  .  .  X  .  .  .  .  .
 4   .  .  .  /  .  .  Q  .  .  .
 5   .  .  /  .  .  .  .  .  Q  .
 6   .  X  .  .  .  .  .  .  .  .
 7   .  .  .  Q  .  .  .  .  .  .
 8   .  .  .  .  .  Q  .  .  .  .
 9   .  .  .  .  .  .  .  Q  .  .
10   .  .  .  .  .  .  .  .  .  Q"
        );
    }

    #[test]
    fn a_large_board_is_cropped_to_the_two_queens() {
        let cells = vec![
            Cell::new(10, 40),
            Cell::new(11, 39),
            Cell::new(499, 527),
            Cell::new(500, 530),
        ];
        let board = Board::new(1000, cells).unwrap();
        let attack = Attack::between(Cell::new(11, 39), Cell::new(499, 527)).unwrap();
        assert_eq!(
            Drawing::new(&board).with_attack(attack).figure().plain(),
            "            40          528
   ⋮
  10  … . . . . . … . . . . . …
  11  … . . . Q . … . . . . . …
  12  … . . X . . … . . . . . …
  13  … . . . \\ . … . . . . . …
  14  … . . . . \\ … . . . . . …
   ⋮
 498  … . . . . . … \\ . . . . …
 499  … . . . . . … . \\ . . . …
 500  … . . . . . … . . X . . …
 501  … . . . . . … . . . . . …
 502  … . . . . . … . . . . . …
   ⋮"
        );
        let attack = Attack::between(Cell::new(10, 40), Cell::new(11, 39)).unwrap();
        assert_eq!(
            Drawing::new(&board).with_attack(attack).figure().plain(),
            "            40
              41
   ⋮
   9  … . . . . . . …
  10  … . . . . . . …
  11  … . . . X . . …
  12  … . . X . . . …
  13  … . . . . . . …
  14  … . . . . . . …
   ⋮"
        );
    }

    #[test]
    fn an_empty_row_is_pointed_at_and_two_queens_in_a_row_are_joined() {
        let board = Board::new(4, vec![Cell::new(0, 0), Cell::new(0, 3), Cell::new(2, 1)]).unwrap();
        let figure = Drawing::new(&board)
            .with_attack(board.first_attack().unwrap())
            .with_empty_row(1)
            .figure();
        assert_eq!(
            figure.plain(),
            "   1 2 3 4\n\
             1  X - - X\n\
             2  . . . .  <\n\
             3  . Q . .\n\
             4  . . . ."
        );
    }

    #[test]
    fn a_board_full_of_queens_stays_small() {
        let cells = (0..16).flat_map(|row| (0..8).map(move |half| Cell::new(row, half * 2)));
        let board = Board::new(16, cells.collect()).unwrap();
        let figure = Drawing::new(&board).figure();
        let spans: usize = figure.lines.iter().map(|line| line.spans.len()).sum();
        assert_eq!(spans, 17);
    }
}
