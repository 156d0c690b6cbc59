//! Boards as SVG.

use std::fmt::Write as _;

use crate::view::Slot;
use crate::{Cell, Drawing, Queens};

/// Side of a cell, in user units.
const SIDE: usize = 24;
/// Height of a line of column numbers.
const RULER: usize = 14;
/// Width of one digit of a number.
const DIGIT: usize = 8;
/// A crown in a cell whose upper left corner is the origin.
const CROWN: &str = "M4 8l4 5 4-8 4 8 4-5-2 10H6z";

pub(crate) fn svg<Q: Queens>(drawing: &Drawing<'_, Q>, title: &str) -> String {
    let (rows, columns) = (drawing.rows(), drawing.columns());
    let top = top(drawing);
    let left = DIGIT * drawing.queens.size().to_string().len() + 8;
    let (width, height) = (left + SIDE * columns.len(), top + SIDE * rows.len());
    // A number may be wider than the last column above which it stands.
    let room = DIGIT * drawing.queens.size().to_string().len();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"queens-board\" role=\"img\" \
         viewBox=\"0 0 {} {}\" font-family=\"monospace\" font-size=\"12\"><title>{}</title>",
        width + room,
        height + 1,
        escaped_markup(title)
    );
    let place = |index: usize, start: usize| start + SIDE * index;
    for (y, row) in rows.iter().enumerate() {
        for (x, column) in columns.iter().enumerate() {
            put_cell(
                &mut svg,
                drawing,
                (*row, *column),
                (place(x, left), place(y, top)),
            );
        }
    }
    put_numbers(&mut svg, drawing, (&rows, &columns), left);
    if let Some(attack) = drawing.attack {
        let centre = |cell: Cell| {
            let x = columns
                .iter()
                .position(|slot| *slot == Slot::At(cell.column))?;
            let y = rows.iter().position(|slot| *slot == Slot::At(cell.row))?;
            Some((place(x, left) + SIDE / 2, place(y, top) + SIDE / 2))
        };
        if let (Some((x1, y1)), Some((x2, y2))) = (centre(attack.earlier), centre(attack.later)) {
            put(
                &mut svg,
                format_args!(
                    "<line class=\"queens-attack\" x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" \
                 stroke=\"#b3261e\" stroke-width=\"2\" stroke-dasharray=\"4 3\"/>"
                ),
            );
        }
    }
    svg.push_str("</svg>");
    svg
}

/// Height of the column numbers: two lines of a cropped board, where neighbours would run into each other.
fn top<Q: Queens>(drawing: &Drawing<'_, Q>) -> usize {
    let lines = if drawing.queens.size() <= Drawing::<Q>::WHOLE {
        1
    } else {
        2
    };
    lines * RULER + 6
}

fn put_cell<Q: Queens>(
    svg: &mut String,
    drawing: &Drawing<'_, Q>,
    slot: (Slot, Slot),
    (x, y): (usize, usize),
) {
    let (Slot::At(row), Slot::At(column)) = slot else {
        put(
            svg,
            format_args!(
                "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#777\">…</text>",
                x + SIDE / 2,
                y + 16
            ),
        );
        return;
    };
    let cell = Cell::new(row, column);
    let shade = if drawing.empty_row == Some(row) {
        "#f6d5d2"
    } else if (row + column) % 2 == 0 {
        "#f4efe3"
    } else {
        "#ddd3bd"
    };
    put(
        svg,
        format_args!(
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{shade}\"/>"
        ),
    );
    if drawing.queens.row(row).any(|queen| queen == cell) {
        let (class, fill) = if drawing.attack_cells().any(|it| it == cell) {
            ("queens-attacked", "#b3261e")
        } else {
            ("queens-queen", "#33302a")
        };
        put(
            svg,
            format_args!(
                "<path class=\"{class}\" transform=\"translate({x} {y})\" d=\"{CROWN}\" fill=\"{fill}\"/>"
            ),
        );
    }
}

/// The numbers of all rows that are drawn, and of all columns, or of those that are pointed at where the
/// numbers are too wide for that.
fn put_numbers<Q: Queens>(
    svg: &mut String,
    drawing: &Drawing<'_, Q>,
    (rows, columns): (&[Slot], &[Slot]),
    left: usize,
) {
    for (index, slot) in rows.iter().enumerate() {
        if let Slot::At(row) = slot {
            put(
                svg,
                format_args!(
                    "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" fill=\"#777\">{}</text>",
                    left - 4,
                    top(drawing) + SIDE * index + 16,
                    row + 1
                ),
            );
        }
    }
    let narrow = drawing.queens.size() <= Drawing::<Q>::WHOLE;
    let mut lines = [RULER, 2 * RULER].into_iter().cycle();
    for (index, slot) in columns.iter().enumerate() {
        let Slot::At(column) = slot else { continue };
        let pointed = drawing.attack_cells().any(|cell| cell.column == *column);
        let corner = drawing.attack.is_none() && index == 0;
        if narrow || pointed || corner {
            let y = if narrow {
                RULER
            } else {
                lines.next().unwrap_or(RULER)
            };
            put(
                svg,
                format_args!(
                    "<text x=\"{}\" y=\"{y}\" fill=\"#777\">{}</text>",
                    left + SIDE * index + 5,
                    column + 1
                ),
            );
        }
    }
}

fn put(svg: &mut String, part: std::fmt::Arguments<'_>) {
    // Writing to a String cannot fail.
    let _ = svg.write_fmt(part);
}

fn escaped_markup(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            // XML 1.0 allows no other control characters, not even as references.
            c if c.is_control() && c != '\n' && c != '\t' => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Placement;

    #[test]
    fn a_board_becomes_one_element_with_an_escaped_title() {
        let placement = Placement::new(vec![0, 0]).unwrap();
        let attack = placement.first_attack().unwrap();
        let svg = Drawing::new(&placement)
            .with_attack(attack)
            .svg("<Q> & \"K\"\u{7}");
        assert_eq!(
            svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"queens-board\" role=\"img\" \
             viewBox=\"0 0 72 69\" font-family=\"monospace\" font-size=\"12\">\
             <title>&lt;Q&gt; &amp; &quot;K&quot;\u{fffd}</title>\
             <rect x=\"16\" y=\"20\" width=\"24\" height=\"24\" fill=\"#f4efe3\"/>\
             <path class=\"queens-attacked\" transform=\"translate(16 20)\" d=\"M4 8l4 5 4-8 4 8 4-5-2 10H6z\" fill=\"#b3261e\"/>\
             <rect x=\"40\" y=\"20\" width=\"24\" height=\"24\" fill=\"#ddd3bd\"/>\
             <rect x=\"16\" y=\"44\" width=\"24\" height=\"24\" fill=\"#ddd3bd\"/>\
             <path class=\"queens-attacked\" transform=\"translate(16 44)\" d=\"M4 8l4 5 4-8 4 8 4-5-2 10H6z\" fill=\"#b3261e\"/>\
             <rect x=\"40\" y=\"44\" width=\"24\" height=\"24\" fill=\"#f4efe3\"/>\
             <text x=\"12\" y=\"36\" text-anchor=\"end\" fill=\"#777\">1</text>\
             <text x=\"12\" y=\"60\" text-anchor=\"end\" fill=\"#777\">2</text>\
             <text x=\"21\" y=\"14\" fill=\"#777\">1</text>\
             <text x=\"45\" y=\"14\" fill=\"#777\">2</text>\
             <line class=\"queens-attack\" x1=\"28\" y1=\"32\" x2=\"28\" y2=\"56\" \
             stroke=\"#b3261e\" stroke-width=\"2\" stroke-dasharray=\"4 3\"/></svg>"
        );
    }

    #[test]
    fn a_large_board_is_cropped_here_too() {
        let mut columns: Vec<u32> = (0..1000).collect();
        columns.reverse();
        let placement = Placement::new(columns).unwrap();
        let attack = placement.first_attack().unwrap();
        let svg = Drawing::new(&placement).with_attack(attack).svg("1000");
        assert!(svg.len() < 8000, "{}", svg.len());
    }
}
