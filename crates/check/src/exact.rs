//! Byte for byte.
//!
//! Layout: only white space differs, or the right answer stands inside extra text.

use grader_model::{Evidence, Excerpt, Judgement, Mark};

use crate::words::Difference;
use crate::{diff, extra, message, scan};

pub(crate) fn check(output: &[u8], expected: &[u8]) -> Judgement {
    if output == expected {
        return Judgement::right();
    }
    let same = |one: &[u8], two: &[u8]| one == two;
    let why = if Difference::first(output, expected, &same).is_none() {
        let (en, zh) = ("only white space differs", "仅空白字符不同");
        Some(message::evidence("white-space-differs", en, zh))
    } else {
        extra::find(output, expected, &same)
    };
    let mark = if why.is_some() {
        Mark::Layout
    } else {
        Mark::Wrong
    };
    let mut evidence: Vec<Evidence> = why.into_iter().collect();
    evidence.push(first_difference(output, expected));
    Judgement { mark, evidence }
}

fn first_difference(output: &[u8], expected: &[u8]) -> Evidence {
    let at = scan::first_difference(output, expected);
    let line = scan::line_number(output, at);
    let start = output[..at].iter().rposition(|byte| *byte == b'\n');
    let column = at - start.map_or(0, |feed| feed + 1) + 1;
    let byte = |bytes: &[u8]| bytes.get(at).map(|byte| message::quote(&[*byte]));
    let (code, en, zh) = match (byte(expected), byte(output)) {
        (Some(wanted), Some(found)) => (
            "byte-differs",
            format!("line {line}, byte {column}: expected {wanted}, found {found}"),
            format!("第 {line} 行第 {column} 字节：应为 {wanted}，实为 {found}"),
        ),
        (Some(wanted), None) => {
            let missing = message::count(expected.len() - at, "byte");
            (
                "output-ends-early",
                format!("the output ends {missing} early, on line {line}: {wanted} is missing"),
                format!(
                    "输出在第 {line} 行提前结束，少了 {} 字节：缺少 {wanted}",
                    expected.len() - at
                ),
            )
        }
        (None, _) => {
            let (more, next) = (output.len() - at, message::quote(&output[at..]));
            let bytes = message::count(more, "byte");
            (
                "output-goes-on",
                format!(
                    "the output goes on for {bytes} after the expected end, on line {line}: {next}"
                ),
                format!("应有的输出到第 {line} 行结束，之后又多出 {more} 字节：{next}"),
            )
        }
    };
    let window = |bytes| Excerpt::window(bytes, at, 80);
    message::evidence(code, en, zh)
        .with_pair(window(expected), window(output))
        .with_figure(diff::of_lines(
            scan::lines(expected),
            scan::lines(output),
            line - 1,
        ))
}
