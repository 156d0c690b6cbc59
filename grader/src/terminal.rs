//! What the terminal can show, and in which language.

use std::env;
use std::io::{self, IsTerminal as _, LineWriter, Write};

use anstream::AutoStream;
use clap::{Args, ColorChoice};
use grader_model::{Excerpt, Lang, Text};
use grader_problem::render;
use grader_report::{Style, defused};
use grader_session::{Console, Exit, Failure, SessionError};

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Print no notes, no progress and no class table; results that were asked for are still printed.
    #[arg(long, short, global = true, hide_short_help = true)]
    pub(crate) quiet: bool,
    /// Language of messages and reports for people [default: from the locale].
    #[arg(long, global = true, value_name = "zh|en", hide_short_help = true)]
    pub(crate) lang: Option<Lang>,
    /// When to use colour; `NO_COLOR` is honoured.
    #[arg(
        long,
        global = true,
        value_enum,
        default_value = "auto",
        value_name = "WHEN",
        hide_short_help = true
    )]
    pub(crate) color: ColorChoice,
}

/// The terminal as the user wants it.
#[derive(Clone)]
pub(crate) struct Terminal {
    pub(crate) lang: Lang,
    /// Whether notes, progress and the class table are left out.
    pub(crate) is_quiet: bool,
    color: ColorChoice,
    /// Whether GitHub Actions reads commands from the output.
    is_github: bool,
    /// Whether a document takes the place of the text on standard output.
    is_for_document: bool,
}

/// Width if there is no terminal to ask.
const WIDTH: usize = 100;
/// Width of a text that a student reads, in whatever program.
const PAPER_WIDTH: usize = 80;
/// A longer message is cut.
const MAX_MESSAGE_BYTES: usize = 16 * 1024;

impl Terminal {
    pub(crate) fn new(global: &Global) -> Self {
        Self {
            lang: global.lang.unwrap_or_else(locale),
            is_quiet: global.quiet,
            color: global.color,
            is_github: env::var_os("GITHUB_ACTIONS").is_some_and(|set| !set.is_empty()),
            is_for_document: false,
        }
    }

    /// The same, if a document takes the place of the text on standard output: [`Self::stdout`] then drops what is written.
    pub(crate) fn without_text(&self) -> Self {
        Self {
            is_for_document: true,
            ..self.clone()
        }
    }

    /// How to write to standard output.
    pub(crate) fn style(&self) -> Style {
        self.style_of(&io::stdout())
    }

    /// How to write to standard error.
    pub(crate) fn error_style(&self) -> Style {
        self.style_of(&io::stderr())
    }

    /// How to write to a file.
    pub(crate) fn paper(&self) -> Style {
        Style {
            color: self.color == ColorChoice::Always,
            width: PAPER_WIDTH,
            ..self.style()
        }
    }

    fn style_of(&self, stream: &impl anstream::stream::RawStream) -> Style {
        let color = match self.color {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto => AutoStream::choice(stream) != anstream::ColorChoice::Never,
        };
        Style {
            color,
            lang: self.lang,
            width: terminal_size::terminal_size().map_or(WIDTH, |(width, _)| usize::from(width.0)),
        }
    }

    /// Standard output, for people. What goes in is styled and escaped already.
    pub(crate) fn stdout(&self) -> impl Write + use<> {
        let out: Box<dyn Write> = if self.is_for_document {
            Box::new(io::sink())
        } else {
            Box::new(io::stdout().lock())
        };
        Output::lines(out, self.is_github)
    }

    /// Whether text can be drawn again on standard output.
    pub(crate) fn is_live(&self) -> bool {
        !self.is_for_document && io::stdout().is_terminal()
    }

    /// Standard output, for programs: written as it is.
    pub(crate) fn pipe() -> impl Write {
        Output {
            out: io::stdout().lock(),
            is_github: false,
        }
    }

    /// Writes a message for people to standard error, escaped, unless they want none.
    pub(crate) fn note(&self, en: impl AsRef<str>, zh: impl AsRef<str>) {
        if !self.is_quiet {
            self.warn(en, zh);
        }
    }

    /// Writes a message for people to standard error, escaped.
    pub(crate) fn warn(&self, en: impl AsRef<str>, zh: impl AsRef<str>) {
        let text = self.lang.pick(en.as_ref(), zh.as_ref());
        self.write_error(&Excerpt::block(text.as_bytes(), MAX_MESSAGE_BYTES).text);
    }

    /// Writes the error that ended a command, and returns how the command ends.
    pub(crate) fn error(&self, error: &anyhow::Error) -> Exit {
        let Failure { text, exit } = Failure::of(error.as_ref());
        if let Some(SessionError::Mistakes(mistakes)) = error.downcast_ref() {
            // They have headings and colours of their own.
            let style = self.error_style();
            self.write_error(render(mistakes, style.color, style.width).trim_end());
            return exit;
        }
        let Text { en, zh } = &text;
        // A message that is only in English gets an English label.
        let lang = if en == zh { Lang::En } else { self.lang };
        let text = lang.pick(en, zh).trim_end();
        let text = Excerpt::block(text.as_bytes(), MAX_MESSAGE_BYTES).text;
        let (label, blank) = lang.pick(("error:", " "), ("错误：", ""));
        if self.error_style().color {
            self.write_error(&format!("\u{1b}[1;31m{label}\u{1b}[0m{blank}{text}"));
        } else {
            self.write_error(&format!("{label}{blank}{text}"));
        }
        exit
    }

    fn write_error(&self, text: &str) {
        // If standard error is closed, nobody reads it; the exit status stays what it would be.
        let _ = writeln!(Output::lines(io::stderr().lock(), self.is_github), "{text}");
    }

    /// Whether progress may be drawn.
    pub(crate) fn has_progress(&self) -> bool {
        !self.is_quiet && io::stderr().is_terminal()
    }
}

impl Console for Terminal {
    fn note(&self, text: &Text) {
        self.note(&text.en, &text.zh);
    }

    fn warn(&self, text: &Text) {
        self.warn(&text.en, &text.zh);
    }

    fn error(&self, error: SessionError) {
        self.error(&error.into());
    }
}

/// A stream with a reader that may leave (`| head`): the rest is then dropped, and the exit status stays what it would be.
struct Output<W> {
    out: W,
    /// Whether to break what GitHub Actions would take for a command: ids, messages and outputs of students may stand at
    /// the beginning of a line.
    is_github: bool,
}

impl<W: Write> Output<W> {
    /// Collects whole lines, so that no command is split between two writes.
    fn lines(out: W, is_github: bool) -> LineWriter<Self> {
        LineWriter::with_capacity(64 * 1024, Self { out, is_github })
    }
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = if self.is_github {
            let text = defused(&String::from_utf8_lossy(bytes));
            self.out.write_all(text.as_bytes()).map(|()| bytes.len())
        } else {
            self.out.write(bytes)
        };
        unless_nobody_reads(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_nobody_reads(self.out.flush(), ())
    }
}

fn unless_nobody_reads<T>(written: io::Result<T>, all: T) -> io::Result<T> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(all),
        written => written,
    }
}

/// The language of the first of these variables that is not empty.
fn locale() -> Lang {
    let mut values = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().flat_map(env::var);
    let value = values.find(|value| !value.is_empty());
    let is_chinese = value.is_some_and(|value| value.starts_with("zh"));
    if is_chinese { Lang::Zh } else { Lang::En }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Fails(io::ErrorKind);

    impl Write for Fails {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Err(self.0.into())
        }
    }

    #[test]
    fn a_reader_that_left_is_no_failure_and_a_full_disk_is() {
        let write = |kind| {
            let mut out = Output {
                out: Fails(kind),
                is_github: false,
            };
            let ends = [out.write_all(b"text"), out.flush()];
            ends.map(|end| end.map_err(|error| error.kind()))
        };
        let full = io::ErrorKind::StorageFull;
        assert_eq!(write(io::ErrorKind::BrokenPipe), [Ok(()), Ok(())]);
        assert_eq!(write(full), [Err(full), Err(full)]);
    }

    #[test]
    fn a_command_of_github_is_broken_however_its_line_is_written() {
        let written = |is_github| {
            let mut out = Vec::new();
            let mut lines = Output::lines(&mut out, is_github);
            for part in ["a: ::b\n  :", ":error:", ":x\n##", "[group]y\n::", "z"] {
                write!(lines, "{part}").unwrap();
            }
            drop(lines);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(true), "a: ::b\n  \\::error::x\n##\\[group]y\n\\::z");
        assert_eq!(written(false), "a: ::b\n  ::error::x\n##[group]y\n::z");
    }
}
