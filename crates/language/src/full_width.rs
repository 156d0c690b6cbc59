//! Signs in full width, as Chinese and Japanese input methods type them: `；` for `;`. Outside texts and comments no
//! language takes them.

use std::collections::BTreeSet;

use grader_model::{LanguageId, Text, escaped, text};

use crate::language::Language;
use crate::lexer::TokenKind;
use crate::source::SourceText;

/// Advice on the first such sign in the code of these sources, in a line that the compiler's messages name.
pub(crate) fn advice(
    sources: &[&SourceText<'_>],
    language: &Language,
    messages: &str,
) -> Option<Text> {
    let named = named_lines(messages);
    sources.iter().find_map(|source| {
        let tokens = source.tokens(language.definition.syntax);
        let code = tokens
            .iter()
            .filter(|token| token.kind != TokenKind::Quoted);
        let mut signs = code
            .flat_map(|token| token.text.char_indices().map(|(at, c)| (token.at + at, c)))
            .filter(|&(_, c)| is_full_width(c, language.id));
        let (mut line, mut last) = (1, 0);
        let (line, c) = signs.find_map(|(at, c)| {
            line += source.text[last..at].matches('\n').count();
            last = at;
            named.contains(&line).then_some((line, c))
        })?;
        let file = Some(source.submitted).filter(|_| sources.len() > 1);
        Some(text(c, line, file))
    })
}

/// The lines that messages name: `a.c:7`, `a.pas(7,3)`, `line 7`.
fn named_lines(messages: &str) -> BTreeSet<usize> {
    let places = messages.split([':', '(']).chain(messages.split("line "));
    let number = |it: &str| it.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok();
    places.filter_map(number).collect()
}

fn is_full_width(c: char, language: LanguageId) -> bool {
    match c {
        // Names may hold letters, digits and `_` in full width.
        '\u{ff3f}' => false,
        '\u{ff01}'..='\u{ff5e}' => !c.is_alphanumeric(),
        // White space in JavaScript.
        '\u{3000}' => language != LanguageId::JavaScript,
        '\u{3001}' | '\u{3002}' | '\u{3008}'..='\u{3011}' => true,
        _ => is_quote(c),
    }
}

fn is_quote(c: char) -> bool {
    ('\u{2018}'..='\u{201f}').contains(&c)
}

/// The sign that programs have instead.
fn plain(c: char) -> Option<char> {
    Some(match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0)?,
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' => '"',
        '\u{3000}' => ' ',
        '\u{3001}' => ',',
        _ => return None,
    })
}

fn text(c: char, line: usize, file: Option<&str>) -> Text {
    let of = file.map_or_else(Default::default, |file| {
        let file = escaped(file.as_bytes());
        text!(" of `{file}`", "`{file}` ")
    });
    let what = if is_quote(c) {
        Text::new(
            "a typographic quotation mark; the program needs the plain one",
            "中文引号，程序里要用英文引号",
        )
    } else {
        Text::new(
            "a full-width sign; the program needs the half-width one",
            "全角（中文）符号，程序里要用半角（英文）符号",
        )
    };
    let plain = plain(c).map_or_else(Default::default, |plain| text!(", `{plain}`", " `{plain}`"));
    text!(
        "`{c}` in line {line}{of} is {what}{plain}.",
        "{of}第 {line} 行的 `{c}` 是{what}{plain}。",
        of,
        what,
        plain
    )
}
