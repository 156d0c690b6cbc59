//! How text for people looks: colour, language, width; and the only way to a terminal.

use grader_model::{Lang, Verdict, WhyOpen};
use grader_view::{Lost, Status};

/// How text for people is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether colour may be used.
    pub color: bool,
    /// The language.
    pub lang: Lang,
    /// Number of columns of the terminal. Texts are wrapped to it, at least to 40.
    pub width: usize,
}

impl Default for Style {
    /// English without colour, 80 columns.
    fn default() -> Self {
        Self {
            color: false,
            lang: Lang::En,
            width: 80,
        }
    }
}

/// A blank that no line break replaces; [`painted`] writes a plain one.
pub(crate) const NO_BREAK: char = '\u{a0}';

impl Style {
    /// As [`Style::default`], in this language.
    #[cfg(test)]
    pub(crate) fn of(lang: Lang) -> Self {
        Self {
            lang,
            ..Self::default()
        }
    }

    pub(crate) fn columns(&self) -> usize {
        self.width.max(40)
    }
}

/// Turns tone marks into colour or drops them, and no-break blanks into plain ones.
pub(crate) fn painted(text: &str, color: bool) -> String {
    let mut painted = String::with_capacity(text.len());
    for c in text.chars() {
        match MARKS.iter().find(|(mark, _)| *mark == c) {
            Some((_, code)) if color => painted.push_str(code),
            Some(_) => {}
            None => painted.push(if c == NO_BREAK { ' ' } else { c }),
        }
    }
    painted
}

/// The palette.
///
/// While a text is laid out, tones are invisible characters of no width, so padding and wrapping ignore them.
/// [`painted`] turns them into colour at the end. Text from outside cannot contain them: [`safe`] escapes every
/// invisible character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Pass,
    Fail,
    Partial,
    Faint,
    Strong,
    Removed,
    Added,
}

/// The mark of each [`Tone`], in their order, and the code that it becomes on a terminal; last the end of a tone.
const MARKS: [(char, &str); 8] = [
    ('\u{2060}', "\x1b[32m"),
    ('\u{2061}', "\x1b[31m"),
    ('\u{2062}', "\x1b[33m"),
    ('\u{2063}', "\x1b[2m"),
    ('\u{2064}', "\x1b[1m"),
    // Reversed, so that a blank is seen too.
    ('\u{206a}', "\x1b[32;7m"),
    ('\u{206b}', "\x1b[31;7m"),
    (END, "\x1b[0m"),
];
const END: char = '\u{206f}';

impl Tone {
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

    /// The tone of a status, of work with this verdict.
    pub(crate) const fn of_status(status: Status, verdict: Verdict) -> Self {
        match status {
            Status::Full => Self::Pass,
            Status::Failed(verdict)
            | Status::Short {
                why: Lost::Judged(verdict),
                ..
            } => Self::of(verdict),
            Status::Short { .. } | Status::Waiting(WhyOpen::ByHand(_)) => Self::Partial,
            Status::Waiting(WhyOpen::Fault(_)) => Self::Fail,
            Status::Waiting(WhyOpen::SomeCases | WhyOpen::NotJudged) => Self::of(verdict),
            Status::Excused | Status::Absent => Self::Faint,
        }
    }

    /// The text in this tone.
    pub(crate) fn on(self, text: impl AsRef<str>) -> String {
        let (mark, _) = MARKS[self as usize];
        format!("{mark}{}{END}", text.as_ref())
    }

    pub(crate) fn opens(c: char) -> bool {
        c != END && Self::is_mark(c)
    }

    /// Whether the character is a mark, which takes no column.
    pub(crate) fn is_mark(c: char) -> bool {
        MARKS.iter().any(|(mark, _)| *mark == c)
    }
}

/// A text from outside on one line, with every invisible character escaped. Escaping twice changes nothing.
pub(crate) fn safe(text: &str) -> String {
    grader_model::escaped(text.as_bytes())
}

/// The same on pages and in tables for other programs, where names keep the joiners that their letters need.
pub(crate) fn safe_on_page(text: &str) -> String {
    grader_model::escaped_name(text.as_bytes())
}
