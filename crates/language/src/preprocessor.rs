//! The preprocessor of C and C++: what sources include, and what they compile only under a condition.

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

/// For each token whether it may not be compiled, because it is between `#if` and `#endif`. The guard of a header is no condition.
pub(crate) fn conditional(tokens: &[Token<'_>]) -> Vec<bool> {
    let mut depth = 0_usize;
    let mut all = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        let is_directive = at > 0 && tokens[at - 1].is("#");
        match token.text {
            "ifndef" if is_directive && depth == 0 && is_guard(&tokens[at + 1..]) => {}
            "if" | "ifdef" | "ifndef" if is_directive => depth += 1,
            "endif" if is_directive => depth = depth.saturating_sub(1),
            _ => {}
        }
        all.push(depth > 0);
    }
    all
}

/// The tokens that are compiled under no condition.
pub(crate) fn unconditional<'a>(tokens: &[Token<'a>]) -> Vec<Token<'a>> {
    let all = tokens.iter().zip(conditional(tokens));
    let certain = all.filter(|(_, is_conditional)| !is_conditional);
    certain.map(|(token, _)| *token).collect()
}

/// Whether the guard of a header begins with this name: `#define` follows with the same.
pub(crate) fn is_guard(tokens: &[Token<'_>]) -> bool {
    let [name, hash, define, again, ..] = tokens else {
        return false;
    };
    hash.is("#") && define.is("define") && again.is(name.text)
}
