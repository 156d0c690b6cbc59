//! All codes of so many binary digits, one on a line, each differing from the one before in one digit.
//!
//! The last code need not be a neighbour of the first: a code is a path, not a cycle, unless the reflected
//! one is asked for, which is both. Layout: the right codes on other lines, among other text, without leading
//! zeros, or as decimal numbers.

use grader_model::{Evidence, Judgement, Mark};
use grader_problem::GrayOrder;

use crate::{gray, say, scan};

pub(crate) fn judge(output: &[u8], bits: u32, order: GrayOrder) -> Judgement {
    let total = gray::power(bits);
    if bits == 0 && scan::is_blank(output) {
        // The one code of no digits.
        return Judgement::right();
    }
    // Counted before any is read: hostile outputs have many more than are asked for.
    let count = scan::bare_lines(output).count() as u64;
    let codes = || scan::bare_lines(output).map(|line| gray::code(line, bits));
    if count == total
        && let Ok(codes) = codes().collect::<Result<Vec<u64>, _>>()
    {
        return match problem(&codes, bits, order) {
            Some(evidence) => Judgement::because(Mark::Wrong, evidence),
            None => Judgement {
                mark: Mark::Right,
                evidence: say::blanks_forgiven(output).into_iter().collect(),
            },
        };
    }
    let layout = ("one code on each line", "每行一个编码");
    let is_right = |codes: &[u64]| problem(codes, bits, order).is_none();
    if let Some(evidence) = gray::other_layout(output, bits, layout, &is_right) {
        return Judgement::because(Mark::Layout, evidence);
    }
    Judgement {
        mark: Mark::Wrong,
        evidence: malformed(output, count, bits),
    }
}

/// A wrong number of lines, and the first line that is not a code.
fn malformed(output: &[u8], count: u64, bits: u32) -> Vec<Evidence> {
    let total = gray::power(bits);
    let mut evidence = Vec::new();
    if count != total {
        let expected = if bits < 64 {
            say::count(total, "line")
        } else {
            format!("2^{bits} lines")
        };
        let expected_zh = if bits < 64 {
            total.to_string()
        } else {
            format!("2^{bits}")
        };
        evidence.push(say::evidence(
            "line-count",
            format!("expected {expected}, found {count}"),
            format!("应有 {expected_zh} 行，实有 {count} 行"),
        ));
    }
    let mistake = (1..)
        .zip(scan::bare_lines(output))
        .find_map(|(number, line)| {
            let error = gray::code(line, bits).err()?;
            let place = (format!("line {number}"), format!("第 {number} 行"));
            Some(gray::bad_code(line, error, bits, (&place.0, &place.1)))
        });
    evidence.extend(mistake);
    evidence
}

/// What keeps all codes of the right width from being a Gray code in that order.
fn problem(codes: &[u64], bits: u32, order: GrayOrder) -> Option<Evidence> {
    let step = codes
        .windows(2)
        .position(|pair| (pair[0] ^ pair[1]).count_ones() != 1);
    let repeat = gray::first_repeat(codes);
    let shown = |index: usize| format!("`{}`", gray::shown(codes[index], bits));
    if let Some(before) = step
        && codes.iter().zip(0..).all(|(code, index)| *code == index)
    {
        let (one, other) = (before + 1, before + 2);
        return Some(
            say::evidence(
                "binary-counting",
                format!(
                    "this is ordinary binary counting: from line {one} to line {other}, {} to {}, more than one digit changes",
                    shown(before),
                    shown(before + 1)
                ),
                format!(
                    "这是普通的二进制计数：第 {one} 行到第 {other} 行，{} 变为 {}，不止一位改变",
                    shown(before),
                    shown(before + 1)
                ),
            )
            .with_figure(neighbours(codes, before, bits)),
        );
    }
    if let Some((earlier, later)) = repeat
        && step.is_none_or(|before| later <= before + 1)
    {
        let (one, other) = (earlier + 1, later + 1);
        return Some(say::evidence(
            "code-repeated",
            format!("lines {one} and {other} are the same code {}", shown(later)),
            format!("第 {one} 行与第 {other} 行是同一个编码 {}", shown(later)),
        ));
    }
    if let Some(before) = step {
        let (one, other) = (before + 1, before + 2);
        let digits = (codes[before] ^ codes[before + 1]).count_ones();
        return Some(
            say::evidence(
                "neighbours-differ",
                format!(
                    "lines {one} and {other}, {} and {}, differ in {digits} digits: exactly one may change",
                    shown(before),
                    shown(before + 1)
                ),
                format!(
                    "第 {one} 行 {} 与第 {other} 行 {} 有 {digits} 位不同：只能改变一位",
                    shown(before),
                    shown(before + 1)
                ),
            )
            .with_figure(neighbours(codes, before, bits)),
        );
    }
    let other = codes
        .iter()
        .zip(0u64..)
        .position(|(code, index)| *code != index ^ index >> 1);
    if order == GrayOrder::Reflected
        && let Some(index) = other
    {
        let number = index + 1;
        let expected = gray::shown(index as u64 ^ index as u64 >> 1, bits);
        return Some(say::evidence(
            "not-reflected",
            format!(
                "a Gray code, but not the reflected one: on line {number} expected `{expected}`, found {}",
                shown(index)
            ),
            format!(
                "这是格雷码，但不是反射格雷码：第 {number} 行应为 `{expected}`，实为 {}",
                shown(index)
            ),
        ));
    }
    None
}

/// Two neighbouring lines and the one before them.
fn neighbours(codes: &[u64], before: usize, bits: u32) -> grader_model::Figure {
    let rows: Vec<(String, u64)> = (before.saturating_sub(1)..=before + 1)
        .map(|index| ((index + 1).to_string(), codes[index]))
        .collect();
    gray::figure(&rows, bits)
}
