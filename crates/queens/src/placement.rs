//! One queen in each row.

use crate::{Cell, OutsideBoard, Queens};

/// One queen in each row: the column of each row's queen, from 0. Up to 10⁷ rows are expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placement {
    columns: Vec<u32>,
}

impl Placement {
    /// The placement with these columns, from 0, one for each row.
    ///
    /// # Errors
    ///
    /// When a column is not smaller than the number of rows: the first such queen.
    pub fn new(columns: Vec<u32>) -> Result<Self, OutsideBoard> {
        let size = u32::try_from(columns.len()).unwrap_or(u32::MAX);
        match columns.iter().position(|column| *column >= size) {
            Some(row) => Err(OutsideBoard {
                cell: Cell::new(row as u32, columns[row]),
                size,
            }),
            None => Ok(Self { columns }),
        }
    }

    /// The column of each row's queen, from 0.
    pub fn columns(&self) -> &[u32] {
        &self.columns
    }
}

impl Queens for Placement {
    fn size(&self) -> u32 {
        self.columns.len() as u32
    }

    fn cells(&self) -> impl Iterator<Item = Cell> {
        (0..)
            .zip(&self.columns)
            .map(|(row, column)| Cell::new(row, *column))
    }

    fn row(&self, row: u32) -> impl Iterator<Item = Cell> {
        self.columns
            .get(row as usize)
            .map(|column| Cell::new(row, *column))
            .into_iter()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Attack;

    /// By definition: all pairs, in order.
    fn first_attack_by_pairs(placement: &Placement) -> Option<Attack> {
        let cells: Vec<Cell> = placement.cells().collect();
        (0..cells.len()).find_map(|later| {
            (0..later).find_map(|earlier| Attack::between(cells[earlier], cells[later]))
        })
    }

    fn permutations(size: u32) -> Vec<Vec<u32>> {
        if size == 0 {
            return vec![Vec::new()];
        }
        permutations(size - 1)
            .into_iter()
            .flat_map(|shorter| {
                (0..size).map(move |at| {
                    let mut longer = shorter.clone();
                    longer.insert(at as usize, size - 1);
                    longer
                })
            })
            .collect()
    }

    #[test]
    fn the_known_numbers_of_solutions_are_found() {
        let legal = |size| {
            permutations(size)
                .into_iter()
                .filter(|columns| Placement::new(columns.clone()).is_ok_and(|it| it.is_legal()))
                .count()
        };
        assert_eq!(
            (1..=8).map(legal).collect::<Vec<_>>(),
            [1, 0, 0, 2, 10, 4, 40, 92]
        );
    }

    #[test]
    fn the_empty_board_is_legal() {
        assert!(Placement::new(Vec::new()).is_ok_and(|it| it.is_legal()));
    }

    #[test]
    fn a_column_outside_the_board_is_named() {
        let error = Placement::new(vec![1, 3, 0]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "row 1, column 3 (from 0) is outside a board of size 3"
        );
    }

    #[test]
    fn every_swap_in_every_legal_board_is_judged_as_by_all_pairs() {
        for size in 1..=8 {
            let solutions = permutations(size)
                .into_iter()
                .filter(|columns| Placement::new(columns.clone()).is_ok_and(|it| it.is_legal()));
            for columns in solutions {
                for one in 0..columns.len() {
                    for other in 0..one {
                        let mut swapped = columns.clone();
                        swapped.swap(one, other);
                        let placement = Placement::new(swapped).unwrap();
                        assert_eq!(placement.first_attack(), first_attack_by_pairs(&placement));
                    }
                }
            }
        }
    }

    proptest! {
        #[test]
        fn the_first_attack_is_the_first_of_all_pairs(
            columns in (1usize..14).prop_flat_map(|size| prop::collection::vec(0..size as u32, size))
        ) {
            let placement = Placement::new(columns).unwrap();
            prop_assert_eq!(placement.first_attack(), first_attack_by_pairs(&placement));
        }
    }
}
