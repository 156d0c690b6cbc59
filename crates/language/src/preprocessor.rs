//! What sources of C and C++ include.

use crate::constants::MAX_INCLUDE_BYTES;
use crate::lexer::Token;

/// The names after `#include`, each with its opening `<` or `"` but without the closing delimiter.
pub(crate) fn includes<'a>(text: &'a str, tokens: &[Token<'a>]) -> Vec<&'a str> {
    let all = includes_at(text, tokens).into_iter();
    all.map(|(_, name)| name).collect()
}

/// The same with their places.
pub(crate) fn includes_at<'a>(text: &'a str, tokens: &[Token<'a>]) -> Vec<(usize, &'a str)> {
    let included = tokens
        .windows(3)
        .filter(|it| it[0].is("#") && it[1].is("include"));
    included
        .filter_map(|window| {
            let rest = &text[window[2].at..];
            let opening = rest.strip_prefix(['<', '"'])?;
            // A closing delimiter far away does not belong to it.
            let mut name = opening.bytes().take(MAX_INCLUDE_BYTES);
            let end = name.position(|byte| matches!(byte, b'>' | b'"' | b'\n'))?;
            Some((window[2].at, &rest[..=end]))
        })
        .collect()
}
