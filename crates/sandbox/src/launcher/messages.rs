//! The launcher's end of the socket to the grader.

use std::io::{self, BufRead, Write};

use serde::Serialize;

/// The next line; `None` if the grader has ended.
///
/// After an order, the grader sends only commands about that program, and repeats the command to kill it. So a command
/// may stay in the buffer while a program runs.
pub(super) fn next_line() -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    io::stdin().lock().read_until(b'\n', &mut line)?;
    // An incomplete line means that its writer was killed.
    Ok(line.ends_with(b"\n").then_some(line))
}

/// Sends one line.
pub(super) fn send<T: Serialize>(message: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&line)?;
    stdout.flush()
}
