//! How a time grows, drawn in characters: both axes are logarithms, so that a power of the size is a straight line.

use grader_model::{Growth, GrowthPointKind, GrowthVerdict};

use crate::layout::{Page, blanks, brackets_whole, left, right, width};
use crate::style::{Style, Tone, safe};
use crate::words::Phrase;

/// Largest size of the drawing without its labels, in characters.
const COLUMNS: usize = 50;
const ROWS: usize = 12;
/// Columns of the labels at the left: `100 ms `.
const LABELS: usize = 7;
/// A time below this, in seconds, is drawn at it: nothing shorter is measured.
const SHORTEST: f64 = 1e-4;
/// From this size on all sizes are written as powers of ten.
const POWERS_FROM: f64 = 1e5;

/// What the growth of a subtask comes to, in a sentence, and the drawing of its points and its line.
pub(crate) fn growth_lines(page: &mut Page, indent: usize, growth: &Growth, style: &Style) {
    let tone = tone(growth);
    let sentence = safe(growth.sentence().get(style.lang));
    page.line(indent, &tone.on(brackets_whole(&sentence)));
    // The name of the variable stands behind the sizes.
    let beside = indent + LABELS + 4 + width(&safe(&growth.over));
    let columns = COLUMNS.min(style.columns().saturating_sub(beside));
    let Some(frame) = Frame::of(growth, columns) else {
        return;
    };
    let mut cells = vec![vec![Cell::Empty; columns]; ROWS];
    frame.draw_line(growth, &mut cells);
    for (column, row, kind) in frame.points(growth) {
        if let Some(cell) = cells.get_mut(row).and_then(|row| row.get_mut(column)) {
            *cell = Cell::Point(kind);
        }
    }
    for (row, cells) in cells.iter().enumerate().rev() {
        let label = frame.time_label(row).unwrap_or_default();
        let label = Tone::Faint.on(format!("{} │", right(&label, LABELS)));
        let drawn: String = cells.iter().map(|cell| cell.drawn(tone)).collect();
        page.raw(indent, &format!("{label}{}", drawn.trim_end_matches(' ')));
    }
    let rule = if style.unicode { "─" } else { "-" }.repeat(columns);
    page.raw(
        indent,
        &Tone::Faint.on(format!("{}+{rule}", blanks(LABELS + 1))),
    );
    let sizes = frame.size_labels(columns, &growth.over);
    page.raw(
        indent,
        &Tone::Faint.on(format!("{}{sizes}", blanks(LABELS + 2))),
    );
    page.line(indent + LABELS + 2, &legend(growth, tone, style));
}

const fn tone(growth: &Growth) -> Tone {
    match growth.verdict {
        GrowthVerdict::Within => Tone::Pass,
        GrowthVerdict::TooFast => Tone::Fail,
        GrowthVerdict::Unresolved => Tone::Partial,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    Line,
    Point(GrowthPointKind),
}

impl Cell {
    fn drawn(self, tone: Tone) -> String {
        match self {
            Self::Empty => " ".to_owned(),
            Self::Line => Tone::Faint.on("·"),
            Self::Point(kind) => mark(kind, tone),
        }
    }
}

/// Marks point to where the time without start-up is: there, below, or above. They are plain ASCII, because others take
/// two columns on some terminals.
fn mark(kind: GrowthPointKind, tone: Tone) -> String {
    match kind {
        GrowthPointKind::Measured => tone.on("o"),
        GrowthPointKind::TooFast => Tone::Faint.on("v"),
        GrowthPointKind::Stopped => Tone::Fail.on("^"),
    }
}

/// The marks that were drawn, with their meaning.
fn legend(growth: &Growth, tone: Tone, style: &Style) -> String {
    let words = style.words();
    let kinds = [
        (GrowthPointKind::Measured, Phrase::Measured),
        (GrowthPointKind::TooFast, Phrase::TooFastToMeasure),
        (GrowthPointKind::Stopped, Phrase::Stopped),
    ];
    let mut parts: Vec<String> = kinds
        .into_iter()
        .filter(|(kind, _)| growth.points.iter().any(|point| point.kind == *kind))
        .map(|(kind, phrase)| format!("{} {}", mark(kind, tone), words.say(phrase)))
        .collect();
    if growth.fit.is_some() {
        parts.push(format!(
            "{} {}",
            Cell::Line.drawn(tone),
            words.say(Phrase::FittedLine)
        ));
    }
    parts.join("   ")
}

/// Which sizes and times the drawing spans, as decimal logarithms.
struct Frame {
    columns: usize,
    size: (f64, f64),
    /// Whole decades.
    time: (f64, f64),
}

impl Frame {
    /// Nothing where there are not two sizes.
    fn of(growth: &Growth, columns: usize) -> Option<Self> {
        let sizes = growth.points.iter().map(|point| point.size);
        let size = range(sizes.filter(|size| *size > 0.0).map(f64::log10))?;
        let seconds = growth
            .points
            .iter()
            .map(|point| point.net(growth.startup).as_secs_f64());
        let (low, high) = range(seconds.map(|seconds| seconds.max(SHORTEST).log10()))?;
        let (low, high) = (low.floor(), high.ceil());
        (size.1 > size.0 && columns > 1).then_some(Self {
            columns,
            size,
            time: (low, high.max(low + 1.0)),
        })
    }

    fn column(&self, size: f64) -> Option<usize> {
        place(size.log10(), self.size, self.columns)
    }

    fn row(&self, seconds: f64) -> Option<usize> {
        place(seconds.max(SHORTEST).log10(), self.time, ROWS)
    }

    fn points(&self, growth: &Growth) -> Vec<(usize, usize, GrowthPointKind)> {
        let of = |point: &grader_model::GrowthPoint| {
            let seconds = point.net(growth.startup).as_secs_f64();
            Some((self.column(point.size)?, self.row(seconds)?, point.kind))
        };
        growth.points.iter().filter_map(of).collect()
    }

    /// The line, from the smallest to the largest size that was measured.
    fn draw_line(&self, growth: &Growth, cells: &mut [Vec<Cell>]) {
        let measured = growth
            .points
            .iter()
            .filter(|point| point.kind == GrowthPointKind::Measured)
            .filter_map(|point| self.column(point.size));
        let (Some(fit), Some(first), Some(last)) =
            (growth.fit, measured.clone().min(), measured.max())
        else {
            return;
        };
        let step = (self.size.1 - self.size.0) / (self.columns - 1) as f64;
        for column in first..=last {
            let size = self.size.0 + step * column as f64;
            let seconds = fit.factor.log10() + fit.exponent * size;
            let row = place(seconds, self.time, cells.len());
            if let Some(cell) = row.and_then(|row| cells.get_mut(row)?.get_mut(column)) {
                *cell = Cell::Line;
            }
        }
    }

    /// The label of a row: the whole decade that falls into it.
    fn time_label(&self, row: usize) -> Option<String> {
        let decades = (self.time.1 - self.time.0) as i32;
        (0..=decades)
            .map(|decade| self.time.0 + f64::from(decade))
            .find(|decade| place(*decade, self.time, ROWS) == Some(row))
            .map(time)
    }

    /// Round sizes under their columns, with the name of the variable at the end.
    fn size_labels(&self, columns: usize, over: &str) -> String {
        let inside = |value: f64| (self.size.0..=self.size.1).contains(&value.log10());
        let decades = (self.size.0.floor() as i32)..=(self.size.1.ceil() as i32);
        let rounds = |steps: &[f64]| -> Vec<f64> {
            decades
                .clone()
                .flat_map(|decade| steps.iter().map(move |step| step * 10f64.powi(decade)))
                .filter(|value| inside(*value))
                .collect()
        };
        let mut values = rounds(&[1.0]);
        if values.len() < 3 {
            values = rounds(&[1.0, 2.0, 5.0]);
        }
        if values.len() < 3 {
            let ends = [self.size.0, self.size.1].map(|end| 10f64.powf(end));
            values = vec![ends[0], ends[1]];
        }
        // Large sizes as powers, so that they do not run into each other.
        let powers = values.len() > 2
            && values.iter().all(|value| is_power(*value))
            && values.iter().any(|value| *value >= POWERS_FROM);
        let label = |value: f64| {
            if powers {
                format!("10^{}", value.log10().round())
            } else {
                size(value)
            }
        };
        let name = format!("  {}", safe(over));
        let mut line = String::new();
        for value in values {
            let label = label(value);
            let Some(column) = self.column(value) else {
                continue;
            };
            // A label stands under its point, as far as there is room.
            let start = column
                .saturating_sub(width(&label) / 2)
                .min(columns.saturating_sub(width(&label)));
            if line.is_empty() || start > width(&line) + 1 {
                line = format!("{}{label}", left(&line, start));
            }
        }
        line.push_str(&name);
        line
    }
}

fn range(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |range, value| match range {
        None => Some((value, value)),
        Some((low, high)) => Some((low.min(value), high.max(value))),
    })
}

/// In which of so many cells a value falls; nothing outside the range.
fn place(value: f64, (low, high): (f64, f64), cells: usize) -> Option<usize> {
    let part = (value - low) / (high - low);
    // A hair outside is rounding.
    if !(-1e-9..=1.0 + 1e-9).contains(&part) {
        return None;
    }
    Some((part * (cells - 1) as f64).round() as usize)
}

/// A power of ten of seconds: `100 ms`.
fn time(decade: f64) -> String {
    let unit = |exponent: f64| format!("{}", 10f64.powf(exponent).round());
    if decade >= 0.0 {
        format!("{} s", unit(decade))
    } else if decade >= -3.0 {
        format!("{} ms", unit(decade + 3.0))
    } else {
        format!("{} us", unit(decade + 6.0))
    }
}

fn is_power(value: f64) -> bool {
    (value.log10() - value.log10().round()).abs() < 1e-9
}

/// A round size: `1000`, `1e9`, `0.5`.
fn size(value: f64) -> String {
    if value >= 1e7 {
        format!("{value:e}")
    } else {
        format!("{}", (value * 1e6).round() / 1e6)
    }
}

#[cfg(test)]
mod tests;
