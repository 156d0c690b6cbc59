//! Boards as lines of text.

use grader_model::{BoardFigure, Figure, Ink, Span};

use crate::{Attack, AttackLine, Board, Cell};

/// Largest board that is drawn: a larger drawing is harder to read than its message.
const MAX_DRAWN_SIZE: u32 = 16;

/// The board as text, with rows and columns numbered from 1, and with an attack and a row without a queen marked;
/// `None` if it has more than 16 rows.
///
/// `.` is an empty cell, `Q` a queen, `X` an attacking queen; `|`, `-`, `\` and `/` are the line between the two; `<`
/// marks the row without a queen.
pub fn draw(board: &Board, attack: Option<Attack>, empty_row: Option<u32>) -> Option<Figure> {
    let size = board.size();
    if size > MAX_DRAWN_SIZE {
        return None;
    }
    let digits = size.to_string().len();
    let mut ruler = vec![Span::new(" ".repeat(digits + 1), Ink::Faint)];
    for column in 1..=size {
        append(&mut ruler, &format!("{column:>0$}", digits + 1), Ink::Faint);
    }
    let mut figure = Figure::default();
    figure.push(ruler);
    for row in 0..size {
        let mut spans = vec![Span::new(format!("{:>digits$} ", row + 1), Ink::Faint)];
        for column in 0..size {
            let (symbol, ink) = symbol(board, attack, Cell { row, column });
            append(&mut spans, &" ".repeat(digits), Ink::Faint);
            append(&mut spans, symbol, ink);
        }
        if empty_row == Some(row) {
            append(&mut spans, "  <", Ink::Bad);
        }
        figure.push(spans);
    }
    Some(figure)
}

/// The board as data, for pages that draw it themselves.
pub fn figure(board: &Board, attack: Option<Attack>, empty_row: Option<u32>) -> BoardFigure {
    let place = |cell: Cell| [cell.row, cell.column];
    let attack = attack.map(|attack| [place(attack.earlier), place(attack.later)]);
    BoardFigure {
        size: board.size(),
        queens: if board.size() > MAX_DRAWN_SIZE {
            attack.into_iter().flatten().collect()
        } else {
            board.queens().iter().copied().map(place).collect()
        },
        attack,
        empty_row,
    }
}

fn symbol(board: &Board, attack: Option<Attack>, cell: Cell) -> (&'static str, Ink) {
    if let Some(attack) = attack {
        if cell == attack.earlier || cell == attack.later {
            return ("X", Ink::Bad);
        }
        if attack.passes(cell) {
            let line = match attack.line {
                AttackLine::Row => "-",
                AttackLine::Column => "|",
                AttackLine::Falling => "\\",
                AttackLine::Rising => "/",
            };
            return (line, Ink::Bad);
        }
    }
    match board.queens().binary_search(&cell) {
        Ok(_) => ("Q", Ink::Plain),
        Err(_) => (".", Ink::Faint),
    }
}

/// Appends to the last piece if the ink is the same. Blanks take any ink.
fn append(spans: &mut Vec<Span>, text: &str, ink: Ink) {
    match spans.last_mut() {
        Some(last) if last.ink == ink || text.trim().is_empty() => last.text.push_str(text),
        _ => spans.push(Span::new(text, ink)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Draws queens in these columns, row by row, with their first attack and their first empty row.
    fn drawn(size: u32, columns: &[u32]) -> Option<Figure> {
        let queens = (0..)
            .zip(columns)
            .map(|(row, &column)| Cell { row, column });
        let board = Board::new(size, queens.collect()).unwrap();
        draw(&board, board.first_attack(), board.first_empty_row())
    }

    #[test]
    fn the_attacking_queens_and_their_line_are_marked() {
        let figure = drawn(6, &[0, 3, 1, 4, 2, 5]).unwrap();
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
        let spans = [
            ("5  . . ", Ink::Faint),
            ("Q ", Ink::Plain),
            (". ", Ink::Faint),
            ("\\ ", Ink::Bad),
            (".", Ink::Faint),
        ];
        assert_eq!(
            figure.lines[5].spans,
            spans.map(|(text, ink)| Span::new(text, ink))
        );
    }

    #[test]
    fn boards_of_ten_and_more_have_wide_columns_and_those_above_16_are_not_drawn() {
        assert_eq!(
            drawn(10, &[0, 2, 4, 6, 8, 1, 3, 5, 7]).unwrap().plain(),
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
10   .  .  .  .  .  .  .  .  .  .  <"
        );
        assert_eq!(drawn(17, &[]), None);
    }
}
