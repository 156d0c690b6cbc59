//! The launcher's end of the pipes to the grader.

use std::io::{self, BufRead, Write};

use serde::Serialize;

/// The next line; `None` if the grader is gone.
///
/// The grader sends nothing after an order but commands to kill the program, one of which it repeats until it is heard. So
/// it does not matter if the buffer holds one while a program runs.
pub(super) fn next_line() -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    io::stdin().lock().read_until(b'\n', &mut line)?;
    // A line that is cut off was cut off with its writer.
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
