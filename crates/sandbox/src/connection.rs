//! The grader's connection to a launcher: the process, and a socket that is its standard input.

use std::io::{self, ErrorKind, Read};
use std::os::fd::{AsFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, PidfdFlags, pidfd_open};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::channel::Channel;
use crate::constants::{MAX_LAUNCHER_DELAY, MAX_LAUNCHER_END};
use crate::{LauncherCommand, SandboxError, kernel};

/// A running launcher. When the socket is closed, it kills its run and exits.
#[derive(Debug)]
pub(crate) struct Connection {
    child: Child,
    channel: Channel<UnixStream>,
}

impl Connection {
    /// Starts a launcher.
    pub(crate) fn start(command: &LauncherCommand) -> Result<Self, SandboxError> {
        let start = || {
            let (ours, theirs) = UnixStream::pair()?;
            // Of a message that has begun to arrive.
            ours.set_read_timeout(Some(MAX_LAUNCHER_DELAY))?;
            // No `pre_exec` and no relative program: with either, the standard library would not use posix_spawn.
            let child = Command::new(&command.program)
                .args(&command.arguments)
                .env_clear()
                .stdin(OwnedFd::from(theirs))
                .stdout(Stdio::null())
                .stderr(Stdio::piped())
                .spawn()?;
            let channel = Channel(ours);
            Ok(Self { child, channel })
        };
        start().map_err(|source| SandboxError::Launcher {
            program: command.program.clone(),
            source,
        })
    }

    /// Sends a message.
    pub(crate) fn send<T: Serialize>(&self, message: &T) -> Result<(), String> {
        match self.channel.send(message, &[]) {
            // It has ended. The missing answer will be reported with its exit status.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            sent => sent.map_err(|error| format!("cannot send the request: {error}")),
        }
    }

    /// Receives a message; an error if it takes longer than `patience`.
    pub(crate) fn receive<T: DeserializeOwned>(&mut self, patience: Duration) -> Result<T, String> {
        self.receive_or(patience, patience, || None::<()>)
    }

    /// The same. After each `pause`, sends the message that `idle` returns, if any.
    pub(crate) fn receive_or<T: DeserializeOwned, M: Serialize>(
        &mut self,
        patience: Duration,
        pause: Duration,
        mut idle: impl FnMut() -> Option<M>,
    ) -> Result<T, String> {
        let began = Instant::now();
        let received = loop {
            match kernel::is_ready_within(self.channel.as_fd(), pause) {
                Ok(true) => break self.channel.receive(),
                Ok(false) if began.elapsed() >= patience => {
                    break Err(ErrorKind::WouldBlock.into());
                }
                Ok(false) => {
                    if let Some(message) = idle() {
                        self.send(&message)?;
                    }
                }
                Err(error) => break Err(error),
            }
        };
        match received {
            Ok(Some(received)) => Ok(received.message),
            Ok(None) => Err("it did not answer".to_owned()),
            Err(error) if error.kind() == ErrorKind::WouldBlock => {
                // SIGKILL also ends a launcher that was stopped by a signal.
                drop(self.child.kill());
                Err(format!("it did not answer within {} s", patience.as_secs()))
            }
            Err(error) => Err(format!("cannot read its answer: {error}")),
        }
    }

    /// Waits for its end; returns its status and error messages.
    pub(crate) fn end(self) -> (io::Result<ExitStatus>, String) {
        self.end_within(MAX_LAUNCHER_END)
    }

    fn end_within(self, patience: Duration) -> (io::Result<ExitStatus>, String) {
        let Self { mut child, channel } = self;
        drop(channel);
        let process = pidfd_open(Pid::from_child(&child), PidfdFlags::empty());
        let ended = process.map(|process| kernel::is_ready_within(process.as_fd(), patience));
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
