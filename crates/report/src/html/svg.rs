//! Drawings as SVG. Colours are in the style; nothing from outside enters but escaped text.

use std::fmt::Write as _;

use grader_model::{BoardFigure, Verdict, WhyOpen, escape_html};
use grader_view::{Lost, Status};

use crate::style::safe_on_page;

/// Largest board of which every square is drawn.
const MAX_SQUARES: u32 = 16;
/// Side of a square.
const SQUARE: u32 = 24;
/// Side of a board whose squares are not drawn.
const SIDE: f64 = 240.0;

/// The class in the style of a verdict: one colour for all that failed, but letters tell them apart.
pub(super) const fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Accepted => "ok",
        Verdict::PartiallyCorrect | Verdict::PresentationError => "part",
        Verdict::Skipped => "none",
        Verdict::TimeLimit | Verdict::MemoryLimit | Verdict::OutputLimit => "limit",
        Verdict::JudgeError => "fault",
        Verdict::WrongAnswer | Verdict::RuntimeError | Verdict::CompileError => "bad",
    }
}

/// The class in the style of a status, of work with this verdict.
pub(super) const fn class_of_status(status: Status, verdict: Verdict) -> &'static str {
    match status {
        Status::Full => "ok",
        Status::Failed(verdict)
        | Status::Short {
            why: Lost::Judged(verdict),
            ..
        } => class(verdict),
        Status::Short { .. } | Status::Waiting(WhyOpen::ByHand(_)) => "part",
        Status::Waiting(WhyOpen::Fault(_)) => "fault",
        Status::Waiting(WhyOpen::SomeCases | WhyOpen::NotJudged) => class(verdict),
        Status::Excused | Status::Absent => "none",
    }
}

/// A text that may stand in an element or a quoted attribute.
pub(super) fn escaped(text: &str) -> String {
    escape_html(&safe_on_page(text), "")
}

/// A board: the squares, the queens, the attacking pair with the line between them, the row without a queen.
pub(super) fn board(board: &BoardFigure, title: &str) -> String {
    let has_squares = board.size <= MAX_SQUARES;
    let square = if has_squares {
        f64::from(SQUARE)
    } else {
        SIDE / f64::from(board.size)
    };
    let side = square * f64::from(board.size);
    let centre = |place: u32| square.mul_add(f64::from(place), square / 2.0);
    let mut svg = format!(
        "<svg class=\"board\" role=\"img\" viewBox=\"-1 -1 {0} {0}\" width=\"{0}\" height=\"{0}\"><title>{1}</title>\
         <rect class=\"light\" width=\"{side}\" height=\"{side}\"/>",
        side + 2.0,
        escaped(title),
    );
    // Writing to a String cannot fail.
    if has_squares {
        let mut dark = String::new();
        for row in 0..board.size {
            for column in (0..board.size).filter(|column| (row + column) % 2 == 1) {
                let _ = write!(
                    dark,
                    "M{} {}h{SQUARE}v{SQUARE}h-{SQUARE}z",
                    column * SQUARE,
                    row * SQUARE
                );
            }
        }
        let _ = write!(svg, "<path class=\"dark\" d=\"{dark}\"/>");
    }
    if let Some(row) = board.empty_row {
        let y = square * f64::from(row);
        let _ = write!(
            svg,
            "<rect class=\"empty\" y=\"{y}\" width=\"{side}\" height=\"{square}\"/>"
        );
    }
    if let Some([[row, column], [other_row, other_column]]) = board.attack {
        let _ = write!(
            svg,
            "<line class=\"attack\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            centre(column),
            centre(row),
            centre(other_column),
            centre(other_row)
        );
    }
    for queen in &board.queens {
        let attacks = board.attack.is_some_and(|attack| attack.contains(queen));
        let class = if attacks { "queen hit" } else { "queen" };
        let [x, y] = [centre(queen[1]), centre(queen[0])];
        if has_squares {
            let _ = write!(
                svg,
                "<text class=\"{class}\" x=\"{x}\" y=\"{}\">♛</text>",
                y + 7.0
            );
        } else {
            let _ = write!(
                svg,
                "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5\"/>"
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

/// The verdicts of cases, one after the other: a path for each kind of verdict, in which neighbours are one bar.
pub(super) fn strip(verdicts: &[Verdict]) -> String {
    let mut paths: Vec<(&str, String)> = Vec::new();
    let mut before = 0;
    for same in verdicts.chunk_by(|one, two| class(*one) == class(*two)) {
        let class = class(same[0]);
        let place = paths.iter().position(|(known, _)| *known == class);
        let place = place.unwrap_or_else(|| {
            paths.push((class, String::new()));
            paths.len() - 1
        });
        let (left, width) = (before, same.len());
        before += width;
        // Writing to a String cannot fail.
        let _ = write!(paths[place].1, "M{left} 0h{width}v6h-{width}z");
    }
    let mut svg = format!(
        "<svg class=\"strip\" viewBox=\"0 0 {before} 6\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
    );
    for (class, path) in paths {
        let _ = write!(svg, "<path class=\"{class}\" d=\"{path}\"/>");
    }
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_small_and_mark_the_attack() {
        let queens = (0..16).map(|row| [row, row * 5 % 16]).collect();
        let figure = BoardFigure {
            size: 16,
            queens,
            attack: Some([[0, 0], [15, 15]]),
            empty_row: None,
        };
        let svg = board(&figure, "two queens <attack>");
        assert!(svg.len() <= 6 << 10, "{}", svg.len());
        assert!(svg.contains("<title>two queens &lt;attack&gt;</title>"));
        assert!(svg.contains("<line class=\"attack\" x1=\"12\" y1=\"12\" x2=\"372\" y2=\"372\"/>"));
        let large = BoardFigure {
            size: 1000,
            queens: vec![[0, 0], [999, 999]],
            attack: Some([[0, 0], [999, 999]]),
            empty_row: None,
        };
        assert!(board(&large, "").len() < 1000);
    }

    #[test]
    fn a_strip_has_a_path_for_each_kind_of_verdict() {
        let verdicts = [
            Verdict::Accepted,
            Verdict::Accepted,
            Verdict::WrongAnswer,
            Verdict::Accepted,
        ];
        assert_eq!(
            strip(&verdicts),
            "<svg class=\"strip\" viewBox=\"0 0 4 6\" preserveAspectRatio=\"none\" aria-hidden=\"true\">\
             <path class=\"ok\" d=\"M0 0h2v6h-2zM3 0h1v6h-1z\"/><path class=\"bad\" d=\"M2 0h1v6h-1z\"/></svg>"
        );
    }
}
