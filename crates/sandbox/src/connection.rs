//! The grader's connection to a launcher: a process, a pipe to it, a pipe from it.

use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{LauncherCommand, SandboxError};

/// A launcher that runs. Dropping its standard input makes it kill everything and end.
#[derive(Debug)]
pub(crate) struct Connection {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    /// What was read beyond the last line.
    rest: Vec<u8>,
}

impl Connection {
    /// Starts a launcher.
    pub(crate) fn start(command: &LauncherCommand) -> Result<Self, SandboxError> {
        // No `pre_exec` and no relative program: either would cost the standard library its posix_spawn.
        let mut child = Command::new(&command.program)
            .args(&command.arguments)
            .env_clear()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|source| SandboxError::Launcher {
                program: command.program.clone(),
                source,
            })?;
        Ok(Self {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            rest: Vec::new(),
            child,
        })
    }

    /// Sends one line.
    pub(crate) fn send<T: Serialize>(&mut self, message: &T) -> Result<(), String> {
        let mut line = serde_json::to_vec(message)
            .map_err(|error| format!("cannot write the request: {error}"))?;
        line.push(b'\n');
        let stdin = self
            .stdin
            .as_mut()
            .ok_or("its standard input is not open")?;
        match stdin.write_all(&line) {
            // It is gone; that it does not answer is the message, with its status.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(|error| format!("cannot send the request: {error}")),
        }
    }

    /// Reads one line.
    pub(crate) fn receive<T: DeserializeOwned>(&mut self, patience: Duration) -> Result<T, String> {
        let line = self.line(patience)?;
        if line.is_empty() {
            return Err("it did not answer".to_owned());
        }
        serde_json::from_slice(&line)
            .map_err(|error| format!("its answer is not understood: {error}"))
    }

    /// Reads one line; nothing was said if the launcher ends without a word.
    fn line(&mut self, patience: Duration) -> Result<Vec<u8>, String> {
        let stdout = self
            .stdout
            .as_mut()
            .ok_or("its standard output is not open")?;
        let started = Instant::now();
        let mut line = std::mem::take(&mut self.rest);
        let mut searched = 0;
        let mut chunk = [0; 4096];
        loop {
            if let Some(end) = line[searched..].iter().position(|&byte| byte == b'\n') {
                self.rest = line.split_off(searched + end + 1);
                return Ok(line);
            }
            searched = line.len();
            let left = patience.saturating_sub(started.elapsed());
            if left.is_zero() {
                // It would sleep for ever if it was stopped by a signal; this one still reaches it.
                drop(self.child.kill());
                return Err(format!("it did not answer within {} s", patience.as_secs()));
            }
            let mut polled = [PollFd::new(stdout, PollFlags::IN)];
            let left = Timespec {
                tv_sec: left.as_secs() as i64,
                tv_nsec: i64::from(left.subsec_nanos()),
            };
            match poll(&mut polled, Some(&left)) {
                Ok(1..) => {}
                Ok(0) | Err(Errno::INTR) => continue,
                Err(error) => return Err(format!("cannot wait for the answer: {error}")),
            }
            match stdout.read(&mut chunk) {
                Ok(0) => return Ok(line),
                Ok(count) => line.extend_from_slice(&chunk[..count]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(format!("cannot read the answer: {error}")),
            }
        }
    }

    /// Waits for its end; its status and what it complained of.
    pub(crate) fn end(mut self) -> (io::Result<ExitStatus>, String) {
        drop(self.stdin.take());
        let mut complaint = Vec::new();
        if let Some(stderr) = self.child.stderr.take()
            && let Err(error) = stderr.take(64 * 1024).read_to_end(&mut complaint)
        {
            complaint = error.to_string().into_bytes();
        }
        let status = self.child.wait();
        (status, grader_model::escaped(complaint.trim_ascii()))
    }

    /// The error of a launcher that did not do what it must; ends it.
    pub(crate) fn failed(self, problem: &str) -> SandboxError {
        let (status, complaint) = self.end();
        let end = match status {
            Ok(status) if !status.success() => format!(" ({status})"),
            Ok(_) => String::new(),
            Err(error) => format!(" (its status is unknown: {error})"),
        };
        let mut message = problem.to_owned() + &end;
        if !complaint.is_empty() {
            message += ": ";
            message += &complaint;
        }
        SandboxError::Protocol(message)
    }
}
