//! Commands of generators.

/// The words of a command, as a shell separates them; `None` if a quote is not closed.
pub(super) fn words(command: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, '\\') => word.get_or_insert_default().push(chars.next()?),
            (_, c) => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// An argument with the seed for `{seed}` or `{seed:7}`.
pub(super) fn seeded(argument: &str, seed: u32) -> String {
    let filled = || {
        let (before, rest) = argument.split_once("{seed")?;
        let (number, after) = rest.split_once('}')?;
        let digits = number.strip_prefix(':');
        let is_number =
            |digits: &str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        (number.is_empty() || digits.is_some_and(is_number))
            .then(|| format!("{before}{seed}{after}"))
    };
    filled().unwrap_or_else(|| argument.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_separated_as_by_a_shell() {
        for (command, expected) in [
            ("gen.py  1\t2\n3 ", Some(vec!["gen.py", "1", "2", "3"])),
            (
                "gen 'a b' \"c\"d e\\ f ''",
                Some(vec!["gen", "a b", "cd", "e f", ""]),
            ),
            ("gen 'a", None),
            ("gen \\", None),
            (" ", Some(vec![])),
        ] {
            let expected = expected.map(|words| words.into_iter().map(str::to_owned).collect());
            assert_eq!(words(command), expected, "{command}");
        }
    }

    #[test]
    fn only_a_seed_is_replaced() {
        for (argument, expected) in [
            ("{seed}", "7"),
            ("--s={seed:12}x", "--s=7x"),
            ("{seed:}", "{seed:}"),
            ("{seeds}", "{seeds}"),
            ("{seed", "{seed"),
        ] {
            assert_eq!(seeded(argument, 7), expected);
        }
    }
}
