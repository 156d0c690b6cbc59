//! Plots: how time grows, and how points are spread.

use std::fmt::Write as _;

use grader_model::{Growth, GrowthPointKind, Verdict};

use super::svg::{class, escaped};

const WIDTH: f64 = 360.0;
const HEIGHT: f64 = 200.0;
/// Room for the labels of the axes.
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 26.0;
const EDGE: f64 = 8.0;

/// A plane with two logarithmic axes.
pub(super) struct Plane {
    x: [f64; 2],
    y: [f64; 2],
}

impl Plane {
    /// A plane that shows these points, all above 0. `None` if there is nothing to span.
    pub(super) fn of(points: impl Iterator<Item = (f64, f64)>) -> Option<Self> {
        let mut plane: Option<Self> = None;
        for (x, y) in points.filter(|(x, y)| *x > 0.0 && *y > 0.0) {
            let (x, y) = (x.log10(), y.log10());
            plane = Some(plane.map_or(
                Self {
                    x: [x, x],
                    y: [y, y],
                },
                |plane| Self {
                    x: [plane.x[0].min(x), plane.x[1].max(x)],
                    y: [plane.y[0].min(y), plane.y[1].max(y)],
                },
            ));
        }
        let mut plane = plane?;
        if plane.x[1] - plane.x[0] < 1e-9 {
            return None;
        }
        plane.y = [
            plane.y[0].floor(),
            plane.y[1].ceil().max(plane.y[0].floor() + 1.0),
        ];
        Some(plane)
    }

    /// Where a point is drawn.
    pub(super) fn place(&self, x: f64, y: f64) -> (f64, f64) {
        let part = |value: f64, [low, high]: [f64; 2]| (value.log10() - low) / (high - low);
        let across = part(x, self.x) * (WIDTH - LEFT - 2.0 * EDGE);
        let up = part(y, self.y).clamp(-0.1, 1.1) * (HEIGHT - BOTTOM - 2.0 * EDGE);
        (LEFT + EDGE + across, HEIGHT - BOTTOM - EDGE - up)
    }

    /// The beginning of a drawing, with the axes: powers of ten of the time, and the sizes.
    pub(super) fn open(&self, title: &str, over: &str, sizes: &[f64]) -> String {
        let mut svg = format!(
            "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\"><title>{}</title>",
            escaped(title)
        );
        // Writing to a String cannot fail.
        let steps = (self.y[1] - self.y[0]).round() as i32;
        for step in 0..=steps {
            let power = self.y[0] as i32 + step;
            let seconds = 10f64.powi(power);
            let (_, y) = self.place(10f64.powf(self.x[0]), seconds);
            let right = WIDTH - EDGE;
            let _ = write!(
                svg,
                "<path class=\"grid\" d=\"M{LEFT} {y:.0}H{right}\"/><text class=\"label end\" x=\"{}\" y=\"{:.0}\">{}</text>",
                LEFT - 4.0,
                y + 4.0,
                time(power)
            );
        }
        // From the largest down, as far as there is room; the largest stays inside.
        let mut free = WIDTH;
        for size in sizes.iter().rev() {
            let label = size.to_string();
            let half = label.len() as f64 * 3.5;
            let (x, _) = self.place(*size, 10f64.powf(self.y[0]));
            let x = x.min(WIDTH - half);
            if x + half <= free {
                let y = HEIGHT - 8.0;
                let _ = write!(
                    svg,
                    "<text class=\"label mid\" x=\"{x:.0}\" y=\"{y}\">{label}</text>"
                );
                free = x - half - 8.0;
            }
        }
        let _ = write!(
            svg,
            "<text class=\"label end\" x=\"{}\" y=\"{}\">{}</text>",
            LEFT - 4.0,
            HEIGHT - 8.0,
            escaped(over)
        );
        svg
    }

    /// A name above the last point of a line; nothing without a point.
    pub(super) fn label(&self, last: Option<(f64, f64)>, class: &str, name: &str) -> String {
        last.map_or_else(String::new, |(x, y)| {
            let (x, y) = self.place(x, y);
            let (y, name) = (y - 4.0, escaped(name));
            format!("<text class=\"label end {class}\" x=\"{x:.0}\" y=\"{y:.0}\">{name}</text>")
        })
    }

    /// A line through points, as the data of a path.
    pub(super) fn line(&self, points: impl Iterator<Item = (f64, f64)>) -> String {
        let mut path = String::new();
        for (x, y) in points.filter(|(x, y)| *x > 0.0 && *y > 0.0) {
            let (x, y) = self.place(x, y);
            let _ = write!(
                path,
                "{}{x:.0} {y:.0}",
                if path.is_empty() { 'M' } else { 'L' }
            );
        }
        path
    }
}

/// A power of ten of seconds.
fn time(power: i32) -> String {
    match power {
        ..=-4 => format!("{} µs", 10u64.pow((power + 6).max(0) as u32)),
        -3..=-1 => format!("{} ms", 10u64.pow((power + 3) as u32)),
        _ => format!("{} s", 10u64.pow(power.min(9) as u32)),
    }
}

/// Times over sizes with the line that was fitted; what is too fast to measure is hollow, what was stopped a cross.
pub(super) fn growth(growth: &Growth, title: &str) -> Option<String> {
    let net = |it: &grader_model::GrowthPoint| {
        // Too fast for the clock: drawn where the clock ends.
        (it.size, it.net(growth.startup).as_secs_f64().max(1e-4))
    };
    let plane = Plane::of(growth.points.iter().map(net))?;
    let sizes: Vec<f64> = growth.points.iter().map(|point| point.size).collect();
    let mut svg = plane.open(title, &growth.over, &sizes);
    if let Some(fit) = growth.fit {
        let measured = growth.points.iter();
        let measured = measured.filter(|it| it.kind == GrowthPointKind::Measured);
        let sizes: Vec<f64> = measured.map(|point| point.size).collect();
        // The lines of the interval meet that of the fit in the middle of the sizes.
        let middle = sizes.iter().map(|size| size.ln()).sum::<f64>() / sizes.len().max(1) as f64;
        let middle = middle.exp();
        for (class, slope) in [
            ("fit", fit.exponent),
            ("interval", fit.low),
            ("interval", fit.high),
        ] {
            let at = |size: &f64| {
                let there = fit.factor * middle.powf(fit.exponent);
                (*size, there * (size / middle).powf(slope))
            };
            let line = plane.line(sizes.iter().map(at));
            let _ = write!(svg, "<path class=\"{class}\" d=\"{line}\"/>");
        }
    }
    for point in &growth.points {
        let (size, seconds) = net(point);
        let (x, y) = plane.place(size, seconds);
        let _ = match point.kind {
            GrowthPointKind::Measured => write!(
                svg,
                "<circle class=\"point\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"
            ),
            GrowthPointKind::TooFast => write!(
                svg,
                "<circle class=\"point hollow\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\"/>"
            ),
            GrowthPointKind::Stopped => {
                write!(
                    svg,
                    "<path class=\"stopped\" d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\"/>",
                    x - 4.0,
                    y - 4.0
                )
            }
        };
    }
    Some(svg + "</svg>")
}

/// Counts as bars, with their labels below.
pub(super) fn bars(counts: &[(String, usize)], title: &str) -> String {
    let most = counts
        .iter()
        .map(|(_, count)| *count)
        .max()
        .unwrap_or(0)
        .max(1);
    let step = 48;
    let width = step * counts.len();
    let mut svg = format!(
        "<svg class=\"plot\" role=\"img\" viewBox=\"0 0 {width} 132\" width=\"{width}\" height=\"132\"><title>{}</title>",
        escaped(title)
    );
    for (index, (label, count)) in counts.iter().enumerate() {
        let height = count * 90 / most;
        let (x, top) = (index * step, 110 - height);
        let middle = x + step / 2;
        let _ = write!(
            svg,
            "<rect class=\"bar\" x=\"{}\" y=\"{top}\" width=\"{}\" height=\"{height}\"/>\
             <text class=\"label mid\" x=\"{middle}\" y=\"{}\">{count}</text><text class=\"label mid\" x=\"{middle}\" y=\"126\">{}</text>",
            x + 3,
            step - 6,
            top - 4,
            escaped(label)
        );
    }
    svg + "</svg>"
}

/// How many students got each verdict, as parts of one bar.
pub(super) fn shares(counts: &[(Verdict, usize)], title: &str) -> String {
    let all: usize = counts.iter().map(|(_, count)| count).sum();
    let mut svg = format!(
        "<svg class=\"shares\" role=\"img\" viewBox=\"0 0 240 14\" width=\"240\" height=\"14\"><title>{}</title>",
        escaped(title)
    );
    let mut before = 0;
    for (verdict, count) in counts {
        let (x, end) = (
            before * 240 / all.max(1),
            (before + count) * 240 / all.max(1),
        );
        before += count;
        let _ = write!(
            svg,
            "<rect class=\"{}\" x=\"{x}\" width=\"{}\" height=\"14\"/>",
            class(*verdict),
            end - x
        );
    }
    svg + "</svg>"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_have_units() {
        assert_eq!(
            [-6, -4, -3, -1, 0, 2].map(time),
            ["1 µs", "100 µs", "1 ms", "100 ms", "1 s", "100 s"]
        );
    }

    #[test]
    fn a_plane_needs_two_sizes() {
        assert!(Plane::of([(4.0, 0.1), (4.0, 0.2)].into_iter()).is_none());
        let plane = Plane::of([(1.0, 0.01), (100.0, 1.0)].into_iter()).unwrap();
        assert_eq!(
            plane.place(1.0, 0.01),
            (LEFT + EDGE, HEIGHT - BOTTOM - EDGE)
        );
        assert_eq!(plane.place(100.0, 1.0), (WIDTH - EDGE, EDGE));
        assert_eq!(plane.line([(1.0, 1.0), (0.0, 1.0)].into_iter()), "M60 8");
    }
}
