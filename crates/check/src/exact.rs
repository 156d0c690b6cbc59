//! Byte for byte.
//!
//! `Layout`: only white space differs, or the right answer is surrounded by extra text.

use grader_model::{Evidence, Excerpt, Judgement, Mark, Text, text};

use crate::rule::WordRule;
use crate::{diff, extra, message, scan, words};

pub(crate) fn check(output: &[u8], expected: &[u8]) -> Judgement {
    if output == expected {
        return Judgement::right();
    }
    let layout = if words::difference(output, expected, WordRule::EXACT).is_none() {
        let text = Text::new("only white space differs", "只有空白字符不同");
        Some(Evidence::new("white-space-differs", text))
    } else {
        extra::find(output, expected, WordRule::EXACT)
    };
    Judgement {
        mark: if layout.is_some() {
            Mark::Layout
        } else {
            Mark::Wrong
        },
        evidence: layout
            .into_iter()
            .chain([first_difference(output, expected)])
            .collect(),
    }
}

fn first_difference(output: &[u8], expected: &[u8]) -> Evidence {
    let at = scan::first_difference(output, expected);
    let line = scan::line_number(output, at);
    let start = output[..at].iter().rposition(|byte| *byte == b'\n');
    let column = at - start.map_or(0, |feed| feed + 1) + 1;
    let byte = |bytes: &[u8]| bytes.get(at).map(|byte| message::quote(&[*byte]));
    let [(wanted, wanted_zh), (found, found_zh)] = [byte(expected), byte(output)].map(|byte| {
        let end = || ("the end of the output".to_owned(), "输出结束".to_owned());
        byte.map_or_else(end, |byte| (byte.clone(), byte))
    });
    let around = |bytes| Excerpt::around(bytes, at, Excerpt::WIDTH);
    Evidence::new(
        "byte-differs",
        text!(
            "line {line}, byte {column}: expected {wanted}, found {found}",
            "第 {line} 行第 {column} 字节：应为 {wanted_zh}，实为 {found_zh}"
        ),
    )
    .with_pair(around(expected), around(output))
    .with_figure(diff::figure(
        scan::lines(expected),
        scan::lines(output),
        line - 1,
    ))
}
