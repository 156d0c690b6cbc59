//! Regular expressions of the language: groups, `|`, `*`, `+`, `?`, `{2,5}`, `.` for any byte, and sets of bytes.
//!
//! Of alternatives, the first that matches counts, as in Perl. Each runs in linear time.

use grader_model::escaped;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};

/// Bounds on the size of a pattern, and on the automaton that it becomes.
const MAX_PATTERN_BYTES: usize = 10_000;
const MAX_AUTOMATON_BYTES: usize = 1 << 20;

/// A pattern that is ready to match.
pub(crate) struct Pattern {
    automaton: DFA,
    cache: Cache,
}

impl Pattern {
    /// Compiles a pattern, or says that it is wrong or too large.
    pub(crate) fn new(source: &[u8]) -> Result<Self, String> {
        let config = thompson::Config::new().utf8(false);
        let automaton = translate(source).and_then(|pattern| {
            DFA::builder()
                .syntax(syntax::Config::new().unicode(false).utf8(false))
                .thompson(config.nfa_size_limit(Some(MAX_AUTOMATON_BYTES)))
                .build(&pattern)
                .ok()
        });
        let automaton = automaton.ok_or_else(|| {
            let shown = escaped(&source[..source.len().min(100)]);
            format!("`{shown}` is not a regular expression, or is too large")
        })?;
        let cache = automaton.create_cache();
        Ok(Self { automaton, cache })
    }

    /// The length of the match at the beginning of a text, and how many bytes it took to find it.
    pub(crate) fn matches(&mut self, text: &[u8]) -> (Option<usize>, usize) {
        let Self { automaton, cache } = self;
        let start = Input::new(text).anchored(Anchored::Yes);
        let (mut found, mut read) = (None, 0);
        // There are no errors: no byte stops it, and its cache may be cleared at any time.
        let mut state = automaton.start_state_forward(cache, &start).ok();
        while let Some(now) = state.filter(|it| !it.is_dead() && read <= text.len()) {
            state = match text.get(read) {
                Some(byte) => automaton.next_state(cache, now, *byte).ok(),
                None => automaton.next_eoi_state(cache, now).ok(),
            };
            // It tells of a match one byte later.
            if state.is_some_and(|it| it.is_match()) {
                found = Some(read);
            }
            read += 1;
        }
        (found, read)
    }
}

/// The pattern in the syntax of the crate; `None` if it uses what only that syntax has.
fn translate(source: &[u8]) -> Option<String> {
    let literal = |byte: u8| format!("\\x{byte:02x}");
    let mut bytes = source.iter().copied().peekable();
    let mut pattern = String::from("(?s-u)");
    let (mut is_set, mut was_repetition) = (false, false);
    while let Some(byte) = bytes.next().filter(|_| source.len() <= MAX_PATTERN_BYTES) {
        let is_special = |it: &u8| b"(){}[]*+?|\\^.-".contains(it);
        let escaped = bytes.next_if(|it| byte == b'\\' && is_special(it));
        let is_repetition = !is_set && b"*+?{".contains(&byte);
        if (is_repetition && was_repetition) || (is_set && byte == b'[') {
            return None;
        }
        was_repetition = is_repetition;
        match (byte, escaped) {
            // In a set, `pyctd` takes this for both.
            (_, Some(b'^')) if is_set => pattern += "\\\\\\^",
            (_, Some(byte)) => pattern += &literal(byte),
            (b'[', _) => {
                is_set = true;
                pattern.push('[');
                pattern.extend(bytes.next_if_eq(&b'^').map(char::from));
            }
            (b']', _) if is_set => {
                is_set = false;
                pattern.push(']');
            }
            (b'-', _) if is_set => pattern.push('-'),
            (byte, _) if is_set => pattern += &literal(byte),
            (b'(', _) => pattern += "(?:",
            (b'{', _) => {
                pattern.push('{');
                pattern.extend((bytes.peek() == Some(&b',')).then_some('0'));
                let is_part = |it: &u8| it.is_ascii_digit() || *it == b',';
                pattern.extend(std::iter::from_fn(|| bytes.next_if(is_part)).map(char::from));
                pattern.extend(bytes.next_if_eq(&b'}').map(char::from));
            }
            (b')' | b'|' | b'*' | b'+' | b'?' | b'.', _) => pattern.push(char::from(byte)),
            (byte, _) => pattern += &literal(byte),
        }
    }
    (source.len() <= MAX_PATTERN_BYTES).then_some(pattern)
}
