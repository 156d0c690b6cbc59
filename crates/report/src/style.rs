//! How text for people looks: colour, language, width; and the only way to a terminal.

use std::fmt::Write as _;

use anstyle::{AnsiColor, Color, Effects};
use grader_model::{Lang, Verdict};

use crate::layout::NO_BREAK;
use crate::text::Words;

/// How text for people is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether colour may be used.
    pub color: bool,
    /// The language.
    pub lang: Lang,
    /// Number of columns of the terminal. Texts are wrapped to it, at least to 40.
    pub width: usize,
    /// Whether marks, rules and dots may be other than ASCII. What students wrote stays as it is.
    pub unicode: bool,
}

impl Default for Style {
    /// English without colour, 80 columns.
    fn default() -> Self {
        Self {
            color: false,
            lang: Lang::En,
            width: 80,
            unicode: true,
        }
    }
}

impl Style {
    pub(crate) const fn words(&self) -> Words {
        Words(self.lang)
    }

    /// The one of two texts that is in our language.
    pub(crate) fn pick<T>(&self, en: T, zh: T) -> T {
        self.lang.pick(en, zh)
    }

    pub(crate) fn columns(&self) -> usize {
        self.width.max(40)
    }

    /// Turns tone marks into colour or drops them, and no-break blanks into plain ones; without `unicode`, spells
    /// typographic signs in ASCII.
    pub(crate) fn paint(&self, text: &str) -> String {
        let mut painted = String::with_capacity(text.len());
        for c in text.chars() {
            if let Some(tone) = Tone::ALL.into_iter().find(|tone| tone.mark() == c) {
                if self.color {
                    // Writing to a String cannot fail.
                    let _ = write!(painted, "{}", tone.ansi().render());
                }
            } else if c == END {
                if self.color {
                    painted.push_str("\x1b[0m");
                }
            } else if c == NO_BREAK {
                painted.push(' ');
            } else if self.unicode || c.is_ascii() {
                painted.push(c);
            } else {
                match ascii(c) {
                    Some(spelled) => painted.push_str(spelled),
                    None => painted.push(c),
                }
            }
        }
        painted
    }
}

/// The palette.
///
/// While a text is laid out, tones are invisible characters of no width, so padding and wrapping ignore them.
/// [`Style::paint`] turns them into colour at the end. Text from outside cannot contain them: [`safe`] escapes every
/// invisible character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Pass,
    Fail,
    Partial,
    Faint,
    Strong,
}

const END: char = '\u{206f}';

impl Tone {
    const ALL: [Self; 5] = [
        Self::Pass,
        Self::Fail,
        Self::Partial,
        Self::Faint,
        Self::Strong,
    ];

    const fn mark(self) -> char {
        match self {
            Self::Pass => '\u{2060}',
            Self::Fail => '\u{2061}',
            Self::Partial => '\u{2062}',
            Self::Faint => '\u{2063}',
            Self::Strong => '\u{2064}',
        }
    }

    const fn ansi(self) -> anstyle::Style {
        let style = anstyle::Style::new();
        match self {
            Self::Pass => style.fg_color(Some(Color::Ansi(AnsiColor::Green))),
            Self::Fail => style.fg_color(Some(Color::Ansi(AnsiColor::Red))),
            Self::Partial => style.fg_color(Some(Color::Ansi(AnsiColor::Yellow))),
            Self::Faint => style.effects(Effects::DIMMED),
            Self::Strong => style.effects(Effects::BOLD),
        }
    }

    /// The tone of a verdict.
    pub(crate) const fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accepted => Self::Pass,
            Verdict::PartiallyCorrect | Verdict::PresentationError => Self::Partial,
            Verdict::WrongAnswer
            | Verdict::TimeLimit
            | Verdict::MemoryLimit
            | Verdict::OutputLimit
            | Verdict::RuntimeError
            | Verdict::CompileError
            | Verdict::JudgeError => Self::Fail,
            Verdict::Skipped => Self::Faint,
        }
    }

    /// The text in this tone.
    pub(crate) fn on(self, text: impl AsRef<str>) -> String {
        format!("{}{}{END}", self.mark(), text.as_ref())
    }

    pub(crate) fn opens(c: char) -> bool {
        Self::ALL.into_iter().any(|tone| tone.mark() == c)
    }

    pub(crate) const fn closes(c: char) -> bool {
        c == END
    }
}

/// A text from outside on one line, with every invisible character escaped. Escaping twice changes nothing.
pub(crate) fn safe(text: &str) -> String {
    grader_model::escaped(text.as_bytes())
}

/// How a typographic sign of ours, or of a checker's message, is spelled in ASCII.
const fn ascii(c: char) -> Option<&'static str> {
    Some(match c {
        '✓' => "+",
        '✗' | '×' => "x",
        '…' => "...",
        '—' | '–' | '−' | '─' | '·' => "-",
        '│' => "|",
        '“' | '”' => "\"",
        '‘' | '’' => "'",
        '≤' => "<=",
        '≥' => ">=",
        '±' => "+-",
        '÷' => "/",
        '≈' => "~",
        '→' => "->",
        _ => return None,
    })
}
