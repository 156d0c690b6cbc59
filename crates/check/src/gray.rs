//! Binary codes as text: what `gray-code` and `gray-grid` share.

use grader_model::{Evidence, Excerpt, Figure, Ink, Span};

use crate::extra::Extra;
use crate::say;
use crate::scan::{self, Token};

/// Why a token is not a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CodeError {
    /// It holds something besides 0 and 1.
    Digit,
    /// It has so many digits.
    Width(usize),
}

/// The value of a token with exactly `width` binary digits, at most 63.
pub(crate) fn code(token: &[u8], width: u32) -> Result<u64, CodeError> {
    let value = binary(token.iter().copied()).ok_or(CodeError::Digit)?;
    if token.len() == width as usize {
        Ok(value)
    } else {
        Err(CodeError::Width(token.len()))
    }
}

/// The value of binary digits, of the last 64 of them.
fn binary(digits: impl IntoIterator<Item = u8>) -> Option<u64> {
    digits.into_iter().try_fold(0u64, |value, byte| match byte {
        b'0' | b'1' => Some(value << 1 | u64::from(byte & 1)),
        _ => None,
    })
}

/// Two to the power of `bits`, as far as there are so many of anything.
pub(crate) fn power(bits: u32) -> u64 {
    1u64.checked_shl(bits).unwrap_or(u64::MAX)
}

/// A code with its leading zeros.
pub(crate) fn shown(code: u64, width: u32) -> String {
    format!("{code:0width$b}", width = width as usize)
}

/// The first code that was there before: the indexes of both. Codes are below `codes.len()`.
pub(crate) fn first_repeat(codes: &[u64]) -> Option<(usize, usize)> {
    let mut seen = vec![0u64; codes.len().div_ceil(64)];
    let later = codes.iter().position(|code| {
        let word = &mut seen[*code as usize / 64];
        let bit = 1 << (code % 64);
        let was = *word & bit != 0;
        *word |= bit;
        was
    })?;
    let earlier = codes.iter().position(|code| *code == codes[later])?;
    Some((earlier, later))
}

/// Some codes below each other, each with its place, and where the last two differ.
pub(crate) fn figure(rows: &[(String, u64)], width: u32) -> Figure {
    let margin = rows.iter().map(|(place, _)| place.len()).max().unwrap_or(0);
    let differing = match rows {
        [.., (_, one), (_, other)] => one ^ other,
        _ => 0,
    };
    let mut figure = Figure::default();
    for (index, (place, code)) in rows.iter().enumerate() {
        let mut spans = vec![Span::new(format!("{place:>margin$} | "), Ink::Faint)];
        for (at, digit) in shown(*code, width).chars().enumerate() {
            let bit = differing >> (width as usize - 1 - at) & 1 == 1;
            let bad = bit && index + 2 >= rows.len();
            let ink = if bad { Ink::Bad } else { Ink::Plain };
            match spans.last_mut() {
                Some(last) if last.ink == ink => last.text.push(digit),
                _ => spans.push(Span::new(digit, ink)),
            }
        }
        figure.push(spans);
    }
    let carets: String = shown(differing, width).replace('0', " ").replace('1', "^");
    figure.push([Span::new(
        format!("{}   {}", " ".repeat(margin), carets.trim_end()),
        Ink::Bad,
    )]);
    figure
}

/// What is wrong with a token that is not a code. `place` is where it stands, in both languages.
pub(crate) fn bad_code(
    token: &[u8],
    error: CodeError,
    width: u32,
    (place, place_zh): (&str, &str),
) -> Evidence {
    let found = say::quote(token);
    let digits = say::count(u64::from(width), "binary digit");
    match error {
        CodeError::Digit => say::evidence(
            "not-binary",
            format!("{place}: expected {digits}, found {found}"),
            format!("{place_zh}：应为 {width} 位二进制数字，实为 {found}"),
        ),
        CodeError::Width(length) => {
            let (hint, hint_zh) = if length < width as usize {
                (": leading zeros?", "：是否缺少前导零？")
            } else {
                ("", "")
            };
            say::evidence(
                "code-width",
                format!(
                    "{place}: {found} has {}, expected {width}{hint}",
                    say::count(length as u64, "digit")
                ),
                format!("{place_zh}：{found} 有 {length} 位，应为 {width} 位{hint_zh}"),
            )
        }
    }
    .with_found(Excerpt::new(token))
}

/// The right codes in another layout: on other lines, among other text, without leading zeros, as decimal
/// numbers. `lines` says, in both languages, how they should stand on lines.
pub(crate) fn other_layout(
    output: &[u8],
    width: u32,
    lines: (&str, &str),
    is_right: &dyn Fn(&[u64]) -> bool,
) -> Option<Evidence> {
    let total = power(width);
    let most = usize::try_from(total)
        .ok()
        .filter(|total| *total <= output.len())?;
    let tokens = || scan::tokens(output);
    let codes = || tokens().filter_map(|token| code(token.bytes, width).ok());
    // Counted before any is kept: hostile outputs have many more than are asked for.
    let (count, found) = (tokens().count(), codes().count());
    if found == most && is_right(&codes().collect::<Vec<_>>()) {
        return Some(if count == most {
            say::evidence(
                "other-lines",
                format!("the right codes on other lines: {}", lines.0),
                format!("编码都对，但分行不同：{}", lines.1),
            )
        } else {
            among(output, width).evidence()
        });
    }
    if found + 1 == most
        && let Some((start, first)) = glued(output, width)
    {
        let codes: Vec<u64> = std::iter::once(first).chain(codes()).collect();
        let extra = Extra {
            before: &output[..start],
            after: b"",
        };
        return is_right(&codes).then(|| extra.evidence());
    }
    if let Some(evidence) = separated(output, width, most, is_right) {
        return Some(evidence);
    }
    if count != most {
        return None;
    }
    let all = |read: &dyn Fn(&Token<'_>) -> Option<u64>| -> Option<Vec<u64>> {
        tokens()
            .map(|token| read(&token).filter(|code| *code < total))
            .collect()
    };
    let short = |token: &Token<'_>| {
        binary(token.bytes.iter().copied()).filter(|_| token.bytes.len() <= width as usize)
    };
    if all(&short).is_some_and(|codes| is_right(&codes)) {
        return Some(say::evidence(
            "leading-zeros",
            format!(
                "the right codes without leading zeros; this task asks for {width} digits each"
            ),
            format!("编码都对，但缺少前导零；本题要求每个编码 {width} 位"),
        ));
    }
    let decimal = |token: &Token<'_>| std::str::from_utf8(token.bytes).ok()?.parse().ok();
    all(&decimal).is_some_and(|codes| is_right(&codes)).then(|| {
        say::evidence(
            "decimal-codes",
            format!("the right codes as decimal numbers; this task asks for {width} binary digits each"),
            format!("编码都对，但写成了十进制；本题要求每个编码写成 {width} 位二进制"),
        )
    })
}

/// The codes, if all are codes and they are so many. Not one more is kept.
fn exactly(most: usize, codes: impl Iterator<Item = Option<u64>>) -> Option<Vec<u64>> {
    let mut kept = Vec::new();
    for code in codes {
        if kept.len() == most {
            return None;
        }
        kept.push(code?);
    }
    (kept.len() == most).then_some(kept)
}

/// The right codes with punctuation round them, or blanks between or before their digits.
fn separated(
    output: &[u8],
    width: u32,
    most: usize,
    is_right: &dyn Fn(&[u64]) -> bool,
) -> Option<Evidence> {
    let right = |codes: Option<Vec<u64>>| codes.is_some_and(|codes| is_right(&codes));
    let is_mark = |byte: &u8| b"[](){},;'\"".contains(byte);
    let unmarked = output
        .split(|byte| scan::is_space(*byte) || is_mark(byte))
        .filter(|piece| !piece.is_empty())
        .map(|piece| code(piece, width).ok());
    if output.iter().any(is_mark) && right(exactly(most, unmarked)) {
        return Some(say::evidence(
            "other-separators",
            "the right codes with brackets, commas or quotation marks; this task asks for white space only",
            "编码都对，但带有括号、逗号或引号；本题只用空白分隔",
        ));
    }
    // Cut by their number, digits apart are codes wherever blanks and line feeds stand.
    let is_digit = |token: Token<'_>| matches!(token.bytes, [b'0' | b'1']);
    if width > 0
        && scan::tokens(output).all(is_digit)
        && Some(scan::tokens(output).count()) == most.checked_mul(width as usize)
    {
        let mut digits = scan::tokens(output).map(|token| token.bytes[0]);
        let codes = (0..most).map(|_| binary(digits.by_ref().take(width as usize)));
        return right(exactly(most, codes)).then(|| {
            say::evidence(
                "digits-apart",
                "the right codes with their digits apart: no blanks inside a code",
                "编码都对，但各位数字被隔开了：编码内部不能有空白",
            )
        });
    }
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let joined = output
        .split(|byte| scan::is_space(*byte) && !is_blank(byte))
        .map(|line| line.iter().copied().filter(|byte| !is_blank(byte)))
        .filter(|digits| digits.clone().next().is_some())
        .map(|digits| {
            let value = binary(digits.clone())?;
            (digits.count() == width as usize).then_some(value)
        });
    right(exactly(most, joined)).then(|| {
        say::evidence(
            "other-blanks",
            "the right codes with blanks between or before their digits",
            "编码都对，但数字之间或之前有空白",
        )
    })
}

/// The text round the codes; where there is none, the first that stands between them.
fn among(output: &[u8], width: u32) -> Extra<'_> {
    let is_code = |token: &Token<'_>| code(token.bytes, width).is_ok();
    let first = scan::tokens(output)
        .find(is_code)
        .map_or(0, |token| token.at);
    let last = scan::tokens(output)
        .rev()
        .find(is_code)
        .map_or(output.len(), |token| token.end());
    let (before, after) = (&output[..first], &output[last..]);
    if scan::is_blank(before) && scan::is_blank(after) {
        let between = scan::tokens(output).find(|token| !is_code(token));
        return Extra {
            before: between.map_or(&b""[..], |token| token.bytes),
            after: b"",
        };
    }
    Extra { before, after }
}

/// The first code when a prompt is glued to it.
fn glued(output: &[u8], width: u32) -> Option<(usize, u64)> {
    let first = scan::tokens(output).find(|token| code(token.bytes, width).is_ok());
    let end = first.map_or(output.len(), |token| token.at);
    let word = scan::tokens(&output[..end]).next_back()?;
    let start = word.bytes.len().checked_sub(width as usize)?;
    let apart = start > 0 && !word.bytes[start - 1].is_ascii_alphanumeric();
    let value = code(&word.bytes[start..], width).ok().filter(|_| apart)?;
    Some((word.at + start, value))
}
