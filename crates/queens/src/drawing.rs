//! What is to be drawn.

use grader_model::Figure;

use crate::view::{Slot, slots};
use crate::{Attack, Cell, Queens, text};

/// A drawing of a board: the queens, and what is to be pointed at.
///
/// A board of up to [`Drawing::WHOLE`] rows is drawn whole; of a larger one the neighbourhood of what is
/// pointed at, or its upper left corner. The same drawing always yields the same bytes.
#[derive(Debug)]
pub struct Drawing<'a, Q> {
    pub(crate) queens: &'a Q,
    pub(crate) attack: Option<Attack>,
    pub(crate) empty_row: Option<u32>,
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
        text::figure(self)
    }

    /// The rows that are drawn.
    pub(crate) fn rows(&self) -> Vec<Slot> {
        let mut foci: Vec<u32> = self.attack_cells().map(|cell| cell.row).collect();
        foci.extend(self.empty_row);
        slots(self.queens.size(), Self::WHOLE, foci)
    }

    /// The columns that are drawn.
    pub(crate) fn columns(&self) -> Vec<Slot> {
        let foci = self.attack_cells().map(|cell| cell.column).collect();
        slots(self.queens.size(), Self::WHOLE, foci)
    }

    /// The queens that are pointed at.
    pub(crate) fn attack_cells(&self) -> impl Iterator<Item = Cell> {
        self.attack
            .into_iter()
            .flat_map(|attack| [attack.earlier, attack.later])
    }
}
