//! Words of a source: what can be told about a program without parsing it.

use grader_model::SourceFile;

use crate::encoding::to_utf8;
use crate::strip::{Family, Strings, is_name_byte, strip};

/// The code of a source: UTF-8, without comments and strings.
pub(crate) fn code(source: &SourceFile, family: Family) -> String {
    strip(&to_utf8(&source.bytes), family, Strings::Blank)
}

/// Names, numbers and single signs, in their order.
pub(crate) fn tokens(code: &str) -> Vec<&str> {
    let bytes = code.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        if is_name_byte(bytes[at]) {
            while at < bytes.len() && is_name_byte(bytes[at]) {
                at += 1;
            }
        } else {
            at += 1;
            if bytes[start].is_ascii_whitespace() {
                continue;
            }
        }
        tokens.push(&code[start..at]);
    }
    tokens
}

/// Whether the tokens of `phrase` stand in `tokens`, one after the other.
pub(crate) fn has_phrase(tokens: &[&str], phrase: &str) -> bool {
    find_phrase(tokens, phrase).is_some()
}

/// The place behind the first `phrase` in `tokens`.
pub(crate) fn find_phrase(tokens: &[&str], phrase: &str) -> Option<usize> {
    let phrase = self::tokens(phrase);
    tokens
        .windows(phrase.len())
        .position(|window| window == phrase)
        .map(|at| at + phrase.len())
}

/// Whether any of the phrases stands in the code of any of the sources.
pub(crate) fn any_phrase(sources: &[SourceFile], family: Family, phrases: &[&str]) -> bool {
    sources.iter().any(|source| {
        let code = code(source, family);
        let tokens = tokens(&code);
        phrases.iter().any(|phrase| has_phrase(&tokens, phrase))
    })
}

/// Whether a parameter of `main` is used outside the list of parameters.
///
/// `tokens` start behind the opening parenthesis of that list. The parameter is the last one: `argv` of C,
/// `args` of Java. A list without parameters, or of `void`, has none to use.
pub(crate) fn last_parameter_is_used(tokens: &[&str]) -> bool {
    let Some(close) = tokens.iter().position(|&token| token == ")") else {
        return false;
    };
    let (list, body) = (&tokens[..close], &tokens[close..]);
    let named = list.len() > 1;
    let name = list
        .iter()
        .rev()
        .find(|token| token.bytes().all(is_name_byte));
    named && name.is_some_and(|name| body.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phrase_is_found_whatever_the_spaces() {
        let tokens = tokens("using  namespace\nstd; io :: stdin()");
        assert!(has_phrase(&tokens, "using namespace std"));
        assert!(has_phrase(&tokens, "io::stdin"));
        assert!(!has_phrase(&tokens, "spac"));
    }

    #[test]
    fn a_parameter_that_is_only_declared_is_not_used() {
        let used = |code: &str| last_parameter_is_used(&tokens(code));
        assert!(used("int argc, char *argv[]) { return atoi(argv[1]); }"));
        assert!(used("int c, char **v) { return v[1][0]; }"));
        assert!(!used("int argc, char *argv[]) { return 0; }"));
        assert!(!used("void) { return 0; }"));
        assert!(!used(") { return 0; }"));
        assert!(used("String... args) { f(args); }"));
    }
}
