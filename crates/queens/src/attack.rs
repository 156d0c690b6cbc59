//! Two queens that attack each other.

use crate::bits::Bits;
use crate::cell::Cell;

/// Two queens that attack each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The one that is read first.
    pub earlier: Cell,
    /// The other one.
    pub later: Cell,
    /// The line on which both stand.
    pub line: AttackLine,
}

/// A line along which a queen attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AttackLine {
    /// The same row.
    Row,
    /// The same column.
    Column,
    /// A diagonal from the upper left to the lower right.
    Falling,
    /// A diagonal from the lower left to the upper right.
    Rising,
}

impl Attack {
    /// The attack of two different queens on each other, where there is one.
    pub fn between(one: Cell, other: Cell) -> Option<Self> {
        let (earlier, later) = if one < other {
            (one, other)
        } else {
            (other, one)
        };
        let down = later.row - earlier.row;
        let line = if one == other {
            return None;
        } else if down == 0 {
            AttackLine::Row
        } else if earlier.column == later.column {
            AttackLine::Column
        } else if later.column.checked_sub(earlier.column) == Some(down) {
            AttackLine::Falling
        } else if earlier.column.checked_sub(later.column) == Some(down) {
            AttackLine::Rising
        } else {
            return None;
        };
        Some(Self {
            earlier,
            later,
            line,
        })
    }

    /// Whether the cell is one of the two queens.
    pub fn involves(&self, cell: Cell) -> bool {
        cell == self.earlier || cell == self.later
    }

    /// Whether the cell is strictly between the two queens on their line.
    pub fn passes(&self, cell: Cell) -> bool {
        let on_line = |queen| Self::between(queen, cell).is_some_and(|it| it.line == self.line);
        self.earlier < cell && cell < self.later && on_line(self.earlier) && on_line(self.later)
    }
}

/// The first attack in reading order. Cells come in that order and lie on the board.
pub(crate) fn first_attack<I: Iterator<Item = Cell>>(
    size: u32,
    cells: impl Fn() -> I,
) -> Option<Attack> {
    let size = size as usize;
    let mut columns = Bits::new(size);
    let mut falling = Bits::new((2 * size).saturating_sub(1));
    let mut rising = Bits::new((2 * size).saturating_sub(1));
    let mut last_row = None;
    for cell in cells() {
        let (row, column) = (cell.row as usize, cell.column as usize);
        // The sets need not be whole after the first attack, so the order of these is free.
        if last_row == Some(row)
            || columns.set(column)
            || falling.set(size - 1 + column - row)
            || rising.set(column + row)
        {
            return cells()
                .take_while(|earlier| *earlier < cell)
                .find_map(|earlier| Attack::between(earlier, cell));
        }
        last_row = Some(row);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_named_and_its_cells_are_known() {
        let centre = Cell::new(3, 3);
        let line = |row, column| Attack::between(centre, Cell::new(row, column)).map(|it| it.line);
        assert_eq!(line(3, 0), Some(AttackLine::Row));
        assert_eq!(line(0, 3), Some(AttackLine::Column));
        assert_eq!(line(1, 1), Some(AttackLine::Falling));
        assert_eq!(line(5, 5), Some(AttackLine::Falling));
        assert_eq!(line(5, 1), Some(AttackLine::Rising));
        assert_eq!(line(0, 6), Some(AttackLine::Rising));
        assert_eq!(line(5, 4), None);
        assert_eq!(line(3, 3), None);
    }

    #[test]
    fn only_the_cells_between_the_queens_are_passed() {
        let attack = Attack::between(Cell::new(0, 3), Cell::new(3, 0));
        let passed: Vec<Cell> = (0..4)
            .flat_map(|row| (0..4).map(move |column| Cell::new(row, column)))
            .filter(|cell| attack.is_some_and(|it| it.passes(*cell)))
            .collect();
        assert_eq!(passed, [Cell::new(1, 2), Cell::new(2, 1)]);
    }
}
