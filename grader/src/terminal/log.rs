//! A stream of which a runner of GitHub Actions may take lines for commands.

use std::io::{self, Write};

use grader_report::defused;

/// A line that is longer is written in parts.
const LONGEST: usize = 64 * 1024;

/// Writes whole lines, in a log of GitHub Actions without anything that the runner would take for a command: ids, messages
/// and outputs of students stand in what people read, also at the beginning of a line.
///
/// A line that is not finished is written when this is dropped.
pub(super) struct Log<W: Write> {
    out: W,
    /// Nothing where no runner reads along.
    line: Option<Vec<u8>>,
}

impl<W: Write> Log<W> {
    pub(super) fn new(out: W, is_logged: bool) -> Self {
        Self {
            out,
            line: is_logged.then(Vec::new),
        }
    }

    /// Writes what there is of the line.
    fn end(&mut self) -> io::Result<()> {
        let Some(line) = self.line.as_mut().filter(|line| !line.is_empty()) else {
            return Ok(());
        };
        // Bytes that are no text are none of ours.
        let text = defused(&String::from_utf8_lossy(line));
        line.clear();
        self.out.write_all(text.as_bytes())
    }
}

impl<W: Write> Write for Log<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(line) = &mut self.line else {
            return self.out.write(bytes);
        };
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let taken = end.map_or(bytes.len(), |end| end + 1);
        line.extend_from_slice(&bytes[..taken]);
        if end.is_some() || line.len() > LONGEST {
            self.end()?;
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        // A beginning that looks harmless may be that of a command.
        self.out.flush()
    }
}

impl<W: Write> Drop for Log<W> {
    fn drop(&mut self) {
        // Whoever wrote has heard of failures before, and cannot hear of this one.
        let _ = self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn logged(parts: &[&str], is_logged: bool) -> String {
        let mut out = Vec::new();
        let mut log = Log::new(&mut out, is_logged);
        for part in parts {
            log.write_all(part.as_bytes()).unwrap();
            log.flush().unwrap();
        }
        drop(log);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_command_is_broken_however_its_line_is_written() {
        let parts = ["a: ::b\n  :", ":error:", ":x\n##", "[group]y\n::", "z"];
        assert_eq!(
            logged(&parts, true),
            "a: ::b\n  \\::error::x\n##\\[group]y\n\\::z"
        );
        assert_eq!(logged(&parts, false), parts.concat());
    }
}
