//! What the terminal can show, and in which language.

mod log;

use std::env;
use std::io::{self, IsTerminal as _, Write};

use anstream::{AutoStream, ColorChoice};
use clap::{Args, ValueEnum};
use grader_model::Lang;
use grader_report::Style;

use log::Log;

/// Options of every command.
#[derive(Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Global {
    /// Language of messages and reports for people [default: from the locale].
    #[arg(long, global = true, value_name = "zh|en")]
    pub(crate) lang: Option<Lang>,
    /// When to use colour; `NO_COLOR` is honoured.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: When,
}

/// When to use colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal.
    #[default]
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The terminal as the user wants it.
pub(crate) struct Terminal {
    lang: Lang,
    color: When,
    /// Whether a runner of GitHub Actions reads along.
    is_logged: bool,
}

/// Width where there is no terminal to ask.
const WIDTH: usize = 100;

impl Terminal {
    pub(crate) fn new(global: &Global) -> Self {
        Self {
            lang: global.lang.unwrap_or_else(locale),
            color: global.color,
            is_logged: env::var_os("GITHUB_ACTIONS").is_some_and(|set| !set.is_empty()),
        }
    }

    pub(crate) const fn lang(&self) -> Lang {
        self.lang
    }

    /// How to write to standard output.
    pub(crate) fn style(&self) -> Style {
        self.style_with(self.wants_color(&io::stdout()))
    }

    /// How to write to standard error.
    pub(crate) fn error_style(&self) -> Style {
        self.style_with(self.wants_color(&io::stderr()))
    }

    /// How to write to a file.
    pub(crate) fn paper(&self) -> Style {
        Style {
            width: WIDTH,
            ..self.style_with(self.color == When::Always)
        }
    }

    fn wants_color(&self, stream: &impl anstream::stream::RawStream) -> bool {
        match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => AutoStream::choice(stream) != ColorChoice::Never,
        }
    }

    fn style_with(&self, color: bool) -> Style {
        Style {
            color,
            lang: self.lang,
            width: terminal_size::terminal_size().map_or(WIDTH, |(width, _)| usize::from(width.0)),
            unicode: unicode(),
        }
    }

    /// Standard output, for people. What goes in was styled for it already; nothing is changed but what a log of GitHub
    /// Actions would take for a command.
    pub(crate) fn stdout(&self) -> impl Write + use<> {
        Log::new(WhileRead(io::stdout().lock()), self.is_logged)
    }

    /// Standard output, for programs: written as it is.
    #[expect(
        clippy::unused_self,
        reason = "output goes through the terminal, whatever it needs to know"
    )]
    pub(crate) fn pipe(&self) -> impl Write + use<> {
        WhileRead(io::stdout().lock())
    }

    /// Standard error, for people: see [`Terminal::stdout`].
    pub(crate) fn stderr(&self) -> impl Write + use<> {
        Log::new(WhileRead(io::stderr().lock()), self.is_logged)
    }

    /// Whether progress may be drawn.
    pub(crate) fn is_interactive() -> bool {
        io::stderr().is_terminal()
    }

    /// What stands before an error.
    pub(crate) fn error_label(&self) -> String {
        let (word, blank) = self.lang.pick(("error:", " "), ("错误：", ""));
        if self.error_style().color {
            format!("\u{1b}[1;31m{word}\u{1b}[0m{blank}")
        } else {
            format!("{word}{blank}")
        }
    }
}

/// A stream whose reader may leave (`| head`): the rest is then dropped, and the exit status stays what it would be.
struct WhileRead<W>(W);

impl<W: Write> Write for WhileRead<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        unless_nobody_reads(self.0.write(bytes), bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        unless_nobody_reads(self.0.flush(), ())
    }
}

fn unless_nobody_reads<T>(written: io::Result<T>, all: T) -> io::Result<T> {
    match written {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(all),
        written => written,
    }
}

/// The variables that say the locale, in the order of their strength.
fn locale_variable() -> String {
    ["LC_ALL", "LC_MESSAGES", "LANG"]
        .into_iter()
        .find_map(|name| env::var(name).ok().filter(|value| !value.is_empty()))
        .unwrap_or_default()
}

fn locale() -> Lang {
    if locale_variable().starts_with("zh") {
        Lang::Zh
    } else {
        Lang::En
    }
}

/// Whether more than ASCII may be drawn: in every locale but the two that say otherwise.
fn unicode() -> bool {
    !matches!(locale_variable().as_str(), "C" | "POSIX")
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
            let mut out = WhileRead(Fails(kind));
            let ends = [out.write_all(b"text"), out.flush()];
            ends.map(|end| end.map_err(|error| error.kind()))
        };
        let full = io::ErrorKind::StorageFull;
        assert_eq!(write(io::ErrorKind::BrokenPipe), [Ok(()), Ok(())]);
        assert_eq!(write(full), [Err(full), Err(full)]);
    }
}
