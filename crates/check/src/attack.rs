//! What is wrong with a board of queens.

use grader_model::{Evidence, Judgement, Mark};
use grader_queens::{Attack, AttackLine, Cell, Drawing, Queens};

use crate::message;

/// Judges a board that was written as asked, or (`as_asked` is false) in another form.
pub(crate) fn check<Q: Queens>(queens: &Q, as_asked: bool, mut notes: Vec<Evidence>) -> Judgement {
    let mut evidence = problems(queens);
    let mark = match (evidence.is_empty(), as_asked) {
        (false, _) => Mark::Wrong,
        (true, true) => Mark::Right,
        (true, false) => Mark::Layout,
    };
    // A note on what was forgiven says nothing about a wrong board.
    if mark != Mark::Wrong || !as_asked {
        evidence.append(&mut notes);
    }
    Judgement { mark, evidence }
}

/// The first attack, and the first row without a queen; none for a legal board.
fn problems<Q: Queens>(queens: &Q) -> Vec<Evidence> {
    let mut problems: Vec<Evidence> = queens
        .first_attack()
        .map(|attack| attacking(queens, attack))
        .into_iter()
        .collect();
    if let Some(row) = queens.first_empty_row() {
        let number = row + 1;
        let mut evidence = if queens.cells().next().is_none() {
            message::evidence("no-queen", "the board has no queen", "棋盘上没有皇后")
        } else {
            message::evidence(
                "row-without-queen",
                format!("row {number} has no queen"),
                format!("第 {number} 行没有皇后"),
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
    let place = |cell: Cell| format!("row {}, column {}", cell.row + 1, cell.column + 1);
    let place_zh = |cell: Cell| format!("第 {} 行第 {} 列", cell.row + 1, cell.column + 1);
    let Attack { earlier, later, .. } = attack;
    message::evidence(
        "queens-attack",
        format!(
            "two queens attack each other: {} and {} are {line}",
            place(earlier),
            place(later)
        ),
        format!(
            "两个皇后互相攻击：{}与{}{line_zh}",
            place_zh(earlier),
            place_zh(later)
        ),
    )
    .with_figure(Drawing::new(queens).with_attack(attack).figure())
}
