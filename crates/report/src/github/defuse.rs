//! Texts that no runner of GitHub takes for a command.

/// The text with a backslash in whatever a runner of GitHub Actions would take for a workflow command. For everything
/// that goes to a log in which students' words may be, such as a report for people.
///
/// The runner (`ActionCommand.cs` of `actions/runner`) takes `::` at the beginning of a line behind any blanks, so that an
/// indent does not help, and the older `##[` anywhere in a line. It compares by the rules of a language, to which
/// characters that are not seen count for nothing; therefore everything but printable ASCII counts for nothing here.
/// Between `::stop-commands::` and its token nothing would be a command, but a token that the students' words do not
/// determine needs a source of chance, and the same results could not give the same bytes.
pub fn defused(text: &str) -> String {
    let mut harmless = String::with_capacity(text.len());
    // What counts of the line so far: nothing, a colon alone, or more; and how many `#` stand before.
    let (mut begun, mut hashes) = (Begun::Not, 0);
    for c in text.chars() {
        match c {
            '\n' | '\r' => (begun, hashes) = (Begun::Not, 0),
            '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' if begun == Begun::More => {
                begun = Begun::Not;
            }
            c if c.is_ascii_graphic() => {
                if (c == ':' && begun == Begun::Colon) || (c == '[' && hashes >= 2) {
                    harmless.push('\\');
                }
                begun = match (begun, c) {
                    (Begun::Not, ':') => Begun::Colon,
                    _ => Begun::More,
                };
                hashes = if c == '#' { hashes + 1 } else { 0 };
            }
            _ => {}
        }
        harmless.push(c);
    }
    harmless
}

/// How far a line has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Begun {
    Not,
    Colon,
    More,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn commands_are_broken_wherever_a_line_begins() {
        assert_eq!(defused("::error::x"), ":\\:error::x");
        assert_eq!(
            defused("a\n \t::stop-commands::x\r::error::y"),
            "a\n \t:\\:stop-commands::x\r:\\:error::y"
        );
        assert_eq!(
            defused("\u{2028}::x::\u{feff}\n\u{ad}:\u{fe0f}:x"),
            "\u{2028}:\\:x::\u{feff}\n\u{ad}:\u{fe0f}\\:x"
        );
        assert_eq!(
            defused("std::vector<int> x; a ## b[1] ::"),
            "std::vector<int> x; a ## b[1] ::"
        );
    }

    #[test]
    fn old_commands_are_broken_anywhere() {
        assert_eq!(
            defused("text ##[error]x ###[b #\u{200d}#[c"),
            "text ##\\[error]x ###\\[b #\u{200d}#\\[c"
        );
    }

    proptest! {
        /// The two rules of the runner, as it applies them, but for what is not printable ASCII.
        #[test]
        fn no_text_at_all_is_a_command(text in "[:#\\[ \n\r\t\u{2028}\u{feff}a]{0,40}") {
            for line in defused(&text).split(['\n', '\r']) {
                let seen: String = line.chars().filter(char::is_ascii_graphic).collect();
                prop_assert!(!seen.starts_with("::"), "{line:?}");
                prop_assert!(!seen.contains("##["), "{line:?}");
            }
        }

        #[test]
        fn only_backslashes_are_added(text: String) {
            let bare = |text: &str| text.replace('\\', "");
            prop_assert_eq!(bare(&defused(&text)), bare(&text));
        }
    }
}
