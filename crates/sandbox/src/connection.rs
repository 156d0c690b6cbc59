//! The grader's connection to a launcher: the process, and a socket that is its standard input and output.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::constants::MAX_LAUNCHER_END;
use crate::{LauncherCommand, SandboxError, kernel};

/// A running launcher. When the socket is closed, it kills its run and exits.
#[derive(Debug)]
pub(crate) struct Connection {
    child: Child,
    socket: BufReader<UnixStream>,
}

impl Connection {
    /// Starts a launcher.
    pub(crate) fn start(command: &LauncherCommand) -> Result<Self, SandboxError> {
        let start = || {
            let (ours, theirs) = UnixStream::pair()?;
            // No `pre_exec` and no relative program: with either, the standard library would not use posix_spawn.
            let child = Command::new(&command.program)
                .args(&command.arguments)
                .env_clear()
                .stdin(OwnedFd::from(theirs.try_clone()?))
                .stdout(OwnedFd::from(theirs))
                .stderr(Stdio::piped())
                .spawn()?;
            let socket = BufReader::new(ours);
            Ok(Self { child, socket })
        };
        start().map_err(|source| SandboxError::Launcher {
            program: command.program.clone(),
            source,
        })
    }

    /// Sends one line.
    pub(crate) fn send<T: Serialize>(&mut self, message: &T) -> Result<(), String> {
        let mut line = serde_json::to_vec(message)
            .map_err(|error| format!("cannot write the request: {error}"))?;
        line.push(b'\n');
        match self.socket.get_mut().write_all(&line) {
            // It has ended. The missing answer will be reported with its exit status.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(|error| format!("cannot send the request: {error}")),
        }
    }

    /// Reads one line; an error if it takes longer than `patience`.
    pub(crate) fn receive<T: DeserializeOwned>(&mut self, patience: Duration) -> Result<T, String> {
        self.receive_or(patience, patience, || None::<()>)
    }

    /// The same. After each `pause`, sends the message that `idle` returns, if any.
    pub(crate) fn receive_or<T: DeserializeOwned, M: Serialize>(
        &mut self,
        patience: Duration,
        pause: Duration,
        idle: impl Fn() -> Option<M>,
    ) -> Result<T, String> {
        let (began, mut line) = (Instant::now(), Vec::new());
        let read = loop {
            let timeout = self.socket.get_mut().set_read_timeout(Some(pause));
            let read = timeout.and_then(|()| self.socket.read_until(b'\n', &mut line));
            match read {
                Err(error)
                    if error.kind() == ErrorKind::WouldBlock && began.elapsed() < patience =>
                {
                    if let Some(message) = idle() {
                        self.send(&message)?;
                    }
                }
                read => break read,
            }
        };
        match read {
            Ok(1..) => serde_json::from_slice(&line)
                .map_err(|error| format!("its answer is not understood: {error}")),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                // SIGKILL also ends a launcher that was stopped by a signal.
                drop(self.child.kill());
                Err(format!("it did not answer within {} s", patience.as_secs()))
            }
            // `ECONNRESET` if it left unread data.
            Err(error) if error.kind() != ErrorKind::ConnectionReset => {
                Err(format!("cannot read the answer: {error}"))
            }
            Ok(0) | Err(_) => Err("it did not answer".to_owned()),
        }
    }

    /// Waits for its end; returns its status and error messages.
    pub(crate) fn end(self) -> (io::Result<ExitStatus>, String) {
        self.end_within(MAX_LAUNCHER_END)
    }

    fn end_within(self, patience: Duration) -> (io::Result<ExitStatus>, String) {
        let Self { mut child, socket } = self;
        drop(socket);
        let process = pidfd_open(Pid::from_child(&child), PidfdFlags::empty());
        let ended = process.map(|process| kernel::ends_within(process.as_fd(), patience));
        if !matches!(ended, Ok(Ok(true))) {
            // It was stopped by a signal: a program at level `basic` may have the same user.
            drop(child.kill());
        }
        let mut complaint = Vec::new();
        if let Some(stderr) = child.stderr.take()
            && let Err(error) = stderr.take(64 * 1024).read_to_end(&mut complaint)
        {
            complaint = error.to_string().into_bytes();
        }
        (child.wait(), grader_model::escaped(complaint.trim_ascii()))
    }

    /// Ends a failed launcher; returns the error.
    pub(crate) fn failed(self, problem: &str) -> SandboxError {
        let (status, complaint) = self.end();
        let end = match status {
            Ok(status) if status.success() => String::new(),
            Ok(status) => format!(" ({status})"),
            Err(error) => format!(" (its status is unknown: {error})"),
        };
        let colon = if complaint.is_empty() { "" } else { ": " };
        SandboxError::Protocol(format!("{problem}{end}{colon}{complaint}"))
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn a_launcher_that_is_stopped_is_killed() {
        let command = LauncherCommand {
            program: "/bin/sh".into(),
            arguments: ["-c", "kill -STOP $$"].map(Into::into).to_vec(),
        };
        let launcher = Connection::start(&command).unwrap();
        let (status, _) = launcher.end_within(Duration::from_millis(100));
        assert_eq!(status.unwrap().signal(), Some(libc::SIGKILL));
    }
}
