//! The number of solutions up to symmetry, against boards that are turned and mirrored one by one.

mod common;

use std::collections::BTreeSet;

use common::count;
use reference_count::fundamental::{from_all, half_turn, quarter_turn};

/// The column of the queen of each row.
type Board = Vec<usize>;

/// All solutions, by trying each square of each row.
fn solutions(n: usize) -> Vec<Board> {
    fn place(n: usize, board: &mut Board, found: &mut Vec<Board>) {
        if board.len() == n {
            found.push(board.clone());
            return;
        }
        for column in 0..n {
            let row = board.len();
            let free = board
                .iter()
                .enumerate()
                .all(|(above, &other)| column != other && row - above != column.abs_diff(other));
            if free {
                board.push(column);
                place(n, board, found);
                board.pop();
            }
        }
    }
    let mut found = Vec::new();
    place(n, &mut Vec::new(), &mut found);
    found
}

/// The board turned by a quarter: square (r, c) goes to (c, n-1-r).
fn turned(board: &Board) -> Board {
    let n = board.len();
    let mut image = vec![0; n];
    for (row, &column) in board.iter().enumerate() {
        image[column] = n - 1 - row;
    }
    image
}

/// The board mirrored in a horizontal line: its rows in the other order.
fn mirrored(board: &Board) -> Board {
    board.iter().rev().copied().collect()
}

/// The first of the eight images of a board in the order of vectors: one for each class.
fn canonical(board: &Board) -> Board {
    let mut images = vec![board.clone()];
    for _ in 0..3 {
        images.extend(images.last().map(turned));
    }
    images.extend(images.clone().iter().map(mirrored));
    images.into_iter().min().expect("there are eight images")
}

#[test]
fn classes_of_boards_and_burnside_agree_up_to_ten() {
    for n in 1..=10 {
        let boards = solutions(n);
        let classes: BTreeSet<Board> = boards.iter().map(canonical).collect();
        assert_eq!(
            from_all(n as u32, boards.len() as u64),
            classes.len() as u64,
            "n = {n}"
        );
    }
}

#[test]
fn the_two_searches_find_as_many_boards_as_look_the_same_after_the_turn() {
    for n in 1..=10 {
        let boards = solutions(n);
        let quarter = boards
            .iter()
            .filter(|&board| turned(board) == *board)
            .count() as u64;
        let half = boards
            .iter()
            .filter(|&board| turned(&turned(board)) == *board)
            .count() as u64;
        assert_eq!(half_turn::number_of_solutions(n as u32), half, "n = {n}");
        assert_eq!(
            quarter_turn::number_of_solutions(n as u32),
            quarter,
            "n = {n}"
        );
    }
}

#[test]
fn no_mirror_leaves_a_board_of_two_queens_or_more_as_it_is() {
    for n in 2..=10 {
        for board in solutions(n) {
            let mut image = mirrored(&board);
            for _ in 0..4 {
                assert_ne!(image, board);
                image = turned(&image);
            }
        }
    }
}

#[test]
fn the_option_prints_the_number_of_classes_alone() {
    let found: Vec<String> = (1..=13)
        .map(|n| count(&[&n.to_string(), "--fundamental"]).unwrap())
        .collect();
    assert_eq!(
        found.concat(),
        "1\n0\n0\n1\n2\n1\n6\n12\n46\n92\n341\n1787\n9233\n"
    );
    assert_eq!(
        count(&["8", "--fundamental", "--method", "array"]).unwrap(),
        "12\n"
    );
}
