//! What is wrong with a board of queens.

use grader_model::Evidence;
use grader_queens::{Attack, AttackLine, Drawing, Queens};

use crate::say;

/// Everything that keeps a board from being legal: the first attack, the first row without a queen. Nothing
/// for a legal board.
pub(crate) fn problems<Q: Queens>(queens: &Q) -> Vec<Evidence> {
    let mut problems = Vec::new();
    let empty_row = queens.first_empty_row();
    if let Some(attack) = queens.first_attack() {
        problems.push(attacking(queens, attack));
    }
    if let Some(row) = empty_row {
        let mut evidence = if queens.cells().next().is_none() {
            say::evidence("no-queen", "the board has no queen", "棋盘上没有皇后")
        } else {
            say::evidence(
                "row-without-queen",
                format!("row {} has no queen", row + 1),
                format!("第 {} 行没有皇后", row + 1),
            )
        };
        if problems.is_empty() {
            let figure = Drawing::new(queens).with_empty_row(row).figure();
            evidence = evidence.with_figure(figure);
        }
        problems.push(evidence);
    }
    problems
}

fn attacking<Q: Queens>(queens: &Q, attack: Attack) -> Evidence {
    let (line, line_zh) = match attack.line {
        AttackLine::Row => ("in the same row", "在同一行"),
        AttackLine::Column => ("in the same column", "在同一列"),
        AttackLine::Falling => (
            "on one diagonal, from the upper left to the lower right",
            "在同一条斜线上（左上到右下）",
        ),
        AttackLine::Rising => (
            "on one diagonal, from the upper right to the lower left",
            "在同一条斜线上（右上到左下）",
        ),
    };
    let place =
        |cell: grader_queens::Cell| format!("row {}, column {}", cell.row + 1, cell.column + 1);
    let place_zh =
        |cell: grader_queens::Cell| format!("第 {} 行第 {} 列", cell.row + 1, cell.column + 1);
    say::evidence(
        "queens-attack",
        format!(
            "two queens attack each other: {} and {} are {line}",
            place(attack.earlier),
            place(attack.later)
        ),
        format!(
            "两个皇后互相攻击：{}与{}{line_zh}",
            place_zh(attack.earlier),
            place_zh(attack.later)
        ),
    )
    .with_figure(Drawing::new(queens).with_attack(attack).figure())
}
