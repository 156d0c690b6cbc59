//! Judgement of a board of queens.

use grader_model::{Evidence, Judgement, Mark, Text, text};
use grader_queens::{Attack, AttackLine, Board, Cell, draw, figure};

/// Judges a board. `other_form` is a note if the output's format deviates from the required one.
pub(crate) fn check(board: &Board, other_form: Option<Evidence>) -> Judgement {
    let mut evidence = mistakes(board);
    let mark = match (evidence.is_empty(), &other_form) {
        (false, _) => Mark::Wrong,
        (true, None) => Mark::Right,
        (true, Some(_)) => Mark::Layout,
    };
    evidence.extend(other_form);
    Judgement { mark, evidence }
}

/// The first attack, and the first row without a queen; none for a legal board.
fn mistakes(board: &Board) -> Vec<Evidence> {
    let (attack, empty_row) = (board.first_attack(), board.first_empty_row());
    let mut mistakes: Vec<Evidence> = attack.map(attacking).into_iter().collect();
    mistakes.extend(empty_row.map(|row| {
        if board.queens().is_empty() {
            return Evidence::new(
                "no-queen",
                Text::new("the board has no queen", "棋盘上没有皇后"),
            );
        }
        let row = row + 1;
        Evidence::new(
            "row-without-queen",
            text!("row {row} has no queen", "第 {row} 行没有皇后"),
        )
    }));
    if let Some(first) = mistakes.first_mut() {
        first.figure = draw(board, attack, empty_row);
        first.board = Some(figure(board, attack, empty_row));
    }
    mistakes
}

fn attacking(
    Attack {
        earlier,
        later,
        line,
    }: Attack,
) -> Evidence {
    let line = match line {
        AttackLine::Row => Text::new("in the same row", "在同一行"),
        AttackLine::Column => Text::new("in the same column", "在同一列"),
        AttackLine::Falling => Text::new(
            "on the same diagonal (upper left to lower right)",
            "在同一条斜线上（左上到右下）",
        ),
        AttackLine::Rising => Text::new(
            "on the same diagonal (upper right to lower left)",
            "在同一条斜线上（右上到左下）",
        ),
    };
    let place = |cell: Cell| {
        let (row, column) = (cell.row + 1, cell.column + 1);
        text!("row {row}, column {column}", "第 {row} 行第 {column} 列")
    };
    let (one, two) = (place(earlier), place(later));
    Evidence::new(
        "queens-attack",
        text!(
            "two queens attack each other: {one} and {two} are {line}",
            "两个皇后互相攻击：{one}与{two}{line}",
            one,
            two,
            line
        ),
    )
}
