//! Byte for byte.
//!
//! Layout: only white space differs, or the right answer stands inside extra text.

use grader_model::{Evidence, Excerpt, Judgement, Mark};

use crate::{compare, diff, extra, say, scan};

/// Judges an output that is not equal to what is expected.
pub(crate) fn judge(output: &[u8], expected: &[u8]) -> Judgement {
    let same = |one: &[u8], other: &[u8]| one == other;
    let difference = first_difference(output, expected);
    if compare::first_difference(output, expected, &same).is_none() {
        let note = say::evidence(
            "white-space-differs",
            "only white space differs",
            "仅空白字符不同",
        );
        return Judgement {
            mark: Mark::Layout,
            evidence: vec![note, difference],
        };
    }
    if let Some(extra) = extra::evidence(output, expected, &same) {
        return Judgement {
            mark: Mark::Layout,
            evidence: vec![extra, difference],
        };
    }
    Judgement::because(Mark::Wrong, difference)
}

fn first_difference(output: &[u8], expected: &[u8]) -> Evidence {
    let at = scan::first_difference(output, expected);
    let line = scan::line_number(output, at);
    let line_start = output[..at]
        .iter()
        .rposition(|byte| *byte == b'\n')
        .map_or(0, |feed| feed + 1);
    let column = at - line_start + 1;
    let byte = |bytes: &[u8]| {
        bytes
            .get(at)
            .map(|byte| say::quote(std::slice::from_ref(byte)))
    };
    let more = |count: usize| count as u64;
    let (code, en, zh) = match (byte(expected), byte(output)) {
        (Some(wanted), Some(found)) => (
            "byte-differs",
            format!("line {line}, byte {column}: expected {wanted}, found {found}"),
            format!("第 {line} 行第 {column} 字节：应为 {wanted}，实为 {found}"),
        ),
        (Some(wanted), None) => (
            "output-ends-early",
            format!(
                "the output ends {} early, on line {line}: {wanted} is missing",
                say::count(more(expected.len() - at), "byte")
            ),
            format!(
                "输出在第 {line} 行提前结束，少了 {} 字节：缺少 {wanted}",
                expected.len() - at
            ),
        ),
        (None, found) => (
            "output-goes-on",
            format!(
                "the output goes on for {} after the expected end, on line {line}: {}",
                say::count(more(output.len() - at), "byte"),
                found.unwrap_or_default()
            ),
            format!(
                "应有的输出到第 {line} 行结束，之后又多出 {} 字节：{}",
                output.len() - at,
                say::quote(&output[at..])
            ),
        ),
    };
    let first = (line - 1).saturating_sub(diff::CONTEXT);
    let window =
        |bytes| -> Vec<&[u8]> { scan::lines(bytes).skip(first).take(diff::WINDOW).collect() };
    let (wanted_lines, found_lines) = (window(expected), window(output));
    let mut evidence = Evidence::new(code, say::text(en, zh)).with_pair(
        Excerpt::window(expected, at, 80),
        Excerpt::window(output, at, 80),
    );
    if wanted_lines != found_lines {
        let figure = diff::figure(&wanted_lines, &found_lines, first + 1, line - 1 - first);
        evidence = evidence.with_figure(figure);
    }
    evidence
}
