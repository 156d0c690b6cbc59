//! The boards and their order, from all searches.

use std::collections::HashSet;
use std::ops::ControlFlow;

use reference_first_three::{array, feasible, plain};

/// One of the searches.
type Visit = fn(u32, &mut dyn FnMut(&[u32]) -> ControlFlow<()>) -> ControlFlow<()>;

const SEARCHES: [(&str, Visit); 3] = [
    ("plain", |n, visit| plain::visit_solutions(n, visit)),
    ("feasible", |n, visit| feasible::visit_solutions(n, visit)),
    ("array", |n, visit| array::visit_solutions(n, visit)),
];

/// The first solutions, at most `wanted` (1 at least).
fn first(search: Visit, n: u32, wanted: usize) -> Vec<Vec<u32>> {
    let mut found = Vec::new();
    let end = search(n, &mut |board| {
        found.push(board.to_vec());
        if found.len() == wanted {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    assert_eq!(end.is_break(), found.len() == wanted);
    found
}

/// Whether no two queens share a row, a column or a diagonal, and all are on the board.
fn is_valid(n: u32, board: &[u32]) -> bool {
    let rows = || board.iter().zip(0..);
    let all_differ =
        |lines: &mut dyn Iterator<Item = i64>| lines.collect::<HashSet<_>>().len() == board.len();
    board.len() == n as usize
        && board.iter().all(|column| (1..=n).contains(column))
        && all_differ(&mut board.iter().map(|&column| i64::from(column)))
        && all_differ(&mut rows().map(|(&column, row)| i64::from(column) + row))
        && all_differ(&mut rows().map(|(&column, row)| i64::from(column) - row))
}

/// All solutions in numerical order: each sequence of columns is tried, as counting does.
fn all_sequences_that_are_valid(n: u32) -> Vec<Vec<u32>> {
    let mut sequences = vec![Vec::new()];
    for _ in 0..n {
        sequences = sequences
            .iter()
            .flat_map(|start: &Vec<u32>| {
                (1..=n).map(move |column| [start.as_slice(), &[column]].concat())
            })
            .collect();
    }
    sequences.retain(|board| is_valid(n, board));
    sequences
}

#[test]
fn all_solutions_of_small_boards_come_in_numerical_order() {
    for n in 1..=6 {
        let expected = all_sequences_that_are_valid(n);
        for (name, search) in SEARCHES {
            assert_eq!(first(search, n, usize::MAX), expected, "{name}, n = {n}");
        }
    }
}

#[test]
fn the_list_is_sorted_and_valid() {
    for n in 4..=29 {
        for (name, search) in SEARCHES {
            let boards = first(search, n, 20);
            assert!(
                boards.iter().all(|board| is_valid(n, board)),
                "{name}, n = {n}: {boards:?}"
            );
            assert!(
                boards.windows(2).all(|two| two[0] < two[1]),
                "{name}, n = {n}: {boards:?}"
            );
        }
    }
}

#[test]
fn all_searches_find_all_boards_of_up_to_ten_queens() {
    for n in 1..=10 {
        let all = first(SEARCHES[0].1, n, usize::MAX);
        for (name, search) in SEARCHES {
            assert_eq!(first(search, n, usize::MAX), all, "{name}, n = {n}");
        }
        // OEIS A000170.
        let totals = [1, 0, 0, 2, 10, 4, 40, 92, 352, 724];
        assert_eq!(all.len(), totals[n as usize - 1], "n = {n}");
    }
}

#[test]
fn the_fast_searches_find_the_same_first_hundred_boards() {
    for n in 11..=29 {
        assert_eq!(
            first(SEARCHES[0].1, n, 100),
            first(SEARCHES[1].1, n, 100),
            "n = {n}"
        );
    }
}

#[test]
fn no_more_are_found_than_wanted() {
    for (name, search) in SEARCHES {
        let all = first(search, 8, usize::MAX);
        assert_eq!(all.len(), 92, "{name}");
        for wanted in [1, 3, 91, 92] {
            assert_eq!(
                first(search, 8, wanted),
                all[..wanted],
                "{name}, {wanted} wanted"
            );
        }
    }
}
