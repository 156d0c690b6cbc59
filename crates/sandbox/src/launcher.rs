//! The launcher: our own binary again, small and single-threaded; serves one worker of the grader for as long as that
//! lives.

mod direct;
mod messages;
mod run;
mod session;
mod streams;

use std::io::{self, Write};
use std::process::ExitCode;

use crate::protocol::{Answer, Command, Greeting, Progress};
use crate::{kernel, remove_tree, system};
use messages::{next_line, send};
use session::Session;
use streams::CHUNK;

/// Is the launcher, until the grader has nothing more to do or is gone.
///
/// The hidden subcommand of the grader calls this first of all, before it starts a thread or installs a handler.
pub fn launcher_main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Standard error is closed too, so this cannot be reported.
            drop(writeln!(io::stderr(), "{error}"));
            ExitCode::FAILURE
        }
    }
}

fn serve() -> io::Result<()> {
    system::close_all_but_standard_files();
    kernel::reset_signals();
    if system::block_signals(true) == -1 {
        return Err(io::Error::last_os_error());
    }
    let Some(line) = next_line()? else {
        return Ok(());
    };
    let greeting: Greeting = serde_json::from_slice(&line)?;
    let (hello, session) = Session::start(&greeting);
    send(&hello)?;
    let Some(mut session) = session else {
        return Ok(());
    };
    let (mut guarded, mut chunk) = (None, vec![0; CHUNK]);
    while let Some(line) = next_line()? {
        match serde_json::from_slice(&line)? {
            Command::End => return Ok(()),
            // Nothing waits for its turn.
            Command::Go | Command::Cancel => {}
            Command::Run(order) => {
                let answer = session.run(&order, &mut chunk);
                guarded = order.guarded;
                let Some(answer) = answer.unwrap_or_else(|failure| Some(Answer::Failed(failure)))
                else {
                    break;
                };
                if send(&Progress::Answer(answer)).is_err() {
                    // The grader is gone.
                    break;
                }
                // What the run wrote is thrown away when nobody waits for it.
                session.used = None;
            }
        }
    }
    // The grader was killed, so we remove its folder. All launchers do, and the last of them succeeds.
    if let Some(folder) = guarded {
        drop(remove_tree(&folder));
    }
    Ok(())
}
