//! Cells, and attacks between two queens.

/// A cell, by row and column, both from 0. Cells are in reading order: by row, then by column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The row, from 0 at the top.
    pub row: u32,
    /// The column, from 0 at the left.
    pub column: u32,
}

/// Two queens that attack each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attack {
    /// The first one in reading order.
    pub earlier: Cell,
    /// The other one.
    pub later: Cell,
    /// Their common line.
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
    /// The attack between two queens, if they attack each other.
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

    /// Whether the cell is strictly between the two queens on their line.
    pub fn passes(&self, cell: Cell) -> bool {
        let on_line = Self::between(self.earlier, cell).is_some_and(|it| it.line == self.line);
        on_line && self.earlier < cell && cell < self.later
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_is_named() {
        let centre = Cell { row: 3, column: 3 };
        for ((row, column), line) in [
            ((3, 0), Some(AttackLine::Row)),
            ((0, 3), Some(AttackLine::Column)),
            ((1, 1), Some(AttackLine::Falling)),
            ((5, 5), Some(AttackLine::Falling)),
            ((5, 1), Some(AttackLine::Rising)),
            ((0, 6), Some(AttackLine::Rising)),
            ((5, 4), None),
            ((3, 3), None),
        ] {
            let attack = Attack::between(centre, Cell { row, column });
            assert_eq!(attack.map(|it| it.line), line, "{row}, {column}");
        }
    }
}
