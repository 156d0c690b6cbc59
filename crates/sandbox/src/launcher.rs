//! The launcher: our own binary in a small, single-threaded process that runs programs, one after the other.

mod direct;
mod limits;
mod messages;
mod run;
mod session;
mod streams;

use std::io::{self, Write};
use std::process::ExitCode;

use crate::constants::CHUNK_BYTES;
use crate::protocol::{GraderMessage, LauncherMessage, RunAnswer};
use crate::{kernel, remove_tree, system};
pub use limits::few_processes;
use messages::{receive, send};
use session::Session;

/// Runs the launcher until the grader dismisses it or dies.
///
/// The grader's hidden subcommand calls this first, before it starts a thread or installs a handler.
pub fn launcher_main() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // If standard error is closed too, this cannot be reported.
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
    let Some(greeting) = receive()? else {
        return Ok(());
    };
    let (hello, session) = Session::start(&greeting);
    send(&hello)?;
    let Some(mut session) = session else {
        return Ok(());
    };
    let (mut guarded, mut chunk) = (None, vec![0; CHUNK_BYTES]);
    while let Some(message) = receive()? {
        match message {
            GraderMessage::End => return Ok(()),
            // No program is prepared or running.
            GraderMessage::Go | GraderMessage::Cancel => {}
            GraderMessage::Run(order) => {
                let answer = session.run(&order, &mut chunk);
                guarded = order.guarded;
                let Some(answer) =
                    answer.unwrap_or_else(|failure| Some(RunAnswer::Failed(failure)))
                else {
                    break;
                };
                if send(&LauncherMessage::RunAnswer(answer)).is_err() {
                    // The grader has ended.
                    break;
                }
                // The run's tmpfs is removed only now, while the grader is not waiting.
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
