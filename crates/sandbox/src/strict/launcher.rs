//! The launcher: serves one worker of the grader for as long as that lives.

use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;

use serde::Serialize;

use super::run::CHUNK;
use super::session::Session;
use crate::launcher::Stop;
use crate::protocol::{Answer, Greeting, Hello, Said, Word};
use crate::system;

/// Is the launcher, until the grader has nothing more to do or is gone.
pub(crate) fn serve() -> io::Result<()> {
    system::close_all_but_standard_files();
    system::block_signals()?;
    // Line by line, and nothing follows an order: nothing is ever left in the buffer while a program runs.
    let mut grader = BufReader::new(io::stdin());
    let Some(line) = next_line(&mut grader)? else {
        return Ok(());
    };
    let greeting: Greeting = serde_json::from_slice(&line)?;
    let hidden: Vec<PathBuf> = greeting.hidden.into_iter().map(PathBuf::from).collect();
    let (findings, session) = Session::start(greeting.number, &hidden);
    say(&Hello {
        findings,
        ready: session.is_some(),
    })?;
    let Some(mut session) = session else {
        return Ok(());
    };
    let (mut guarded, mut chunk) = (None, vec![0; CHUNK]);
    while let Some(line) = next_line(&mut grader)? {
        match serde_json::from_slice(&line)? {
            Word::Guard(folder) => guarded = Some(PathBuf::from(folder)),
            Word::End => return Ok(()),
            // Nothing waits for its turn.
            Word::Go | Word::Skip => {}
            Word::Run(order) => {
                let answer = match session.run(&order, &mut grader, &mut chunk) {
                    Ok(answer) => answer,
                    Err(Stop::Failed(failed)) => Answer::Setup {
                        errno: failed.source.raw_os_error().unwrap_or(libc::EIO),
                        step: failed.step,
                    },
                    Err(Stop::Execute(error)) => Answer::Execute {
                        errno: error.raw_os_error().unwrap_or(libc::EIO),
                    },
                    Err(Stop::Abandoned) => break,
                };
                if say(&Said::Answer(answer)).is_err() {
                    // Nobody hears us.
                    break;
                }
                session.tidy();
            }
        }
    }
    // The grader was killed: what it would have removed is ours to remove. All launchers do, and one of them is
    // the last; what is not there any more has been removed by another.
    if let Some(folder) = guarded {
        for _ in 0..2 {
            if std::fs::remove_dir_all(&folder).is_ok() {
                break;
            }
        }
    }
    Ok(())
}

pub(super) fn next_line(grader: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    grader.read_until(b'\n', &mut line)?;
    // A line that is cut off was cut off with its writer.
    Ok(line.ends_with(b"\n").then_some(line))
}

pub(super) fn say<T: Serialize>(word: &T) -> io::Result<()> {
    let mut line = serde_json::to_vec(word)?;
    line.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&line)?;
    stdout.flush()
}
