//! Standard input, and output on its way from a pipe to a file.
//!
//! A program does not write to files directly: they would be charged to its memory, and could not be truncated exactly
//! at the limit.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use rustix::fs::Mode;

use crate::constants::MAX_PUMPED_BYTES;
use crate::error::{StepError, StepExt, quoted};
use crate::named_pipe::is_pipe;
use crate::{Layer, Request};

const LAYER: Layer = Layer::ResourceLimits;

/// Opens a run's standard input.
pub(super) fn open_input(request: &Request) -> Result<File, StepError> {
    match &request.stdin {
        // Opening must not wait for a writer: the other program may have ended.
        Some(path) if is_pipe(path) => open_pipe(path, OpenOptions::new().read(true)),
        Some(path) => File::open(path).step(LAYER, format!("open standard input {}", quoted(path))),
        None => File::open("/dev/null").step(LAYER, "open an empty standard input"),
    }
}

/// Opens a named pipe without waiting for its other end.
fn open_pipe(path: &Path, how: &mut OpenOptions) -> Result<File, StepError> {
    let step = format!("open the pipe {}", quoted(path));
    let pipe = how
        .custom_flags(libc::O_NONBLOCK)
        .open(path)
        .step(LAYER, step.clone())?;
    rustix::io::ioctl_fionbio(&pipe, false).step(LAYER, step)?;
    Ok(pipe)
}

/// State of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamState {
    /// More may follow.
    Open,
    /// It is complete.
    Ended,
    /// It exceeds the limit.
    Over,
}

/// An output of a program.
pub(super) struct OutputStream {
    pub(super) reader: io::PipeReader,
    file: File,
    /// Number of bytes written to the file.
    pub(super) written: u64,
    max: u64,
    pub(super) state: StreamState,
}

impl OutputStream {
    /// A stream to this host file, and the program's end of its pipe. No stream for a named pipe: the output goes
    /// directly to the other program.
    pub(super) fn new(
        path: &Path,
        what: &str,
        request: &Request,
    ) -> Result<(Option<Self>, OwnedFd), StepError> {
        if is_pipe(path) {
            let pipe = open_pipe(path, OpenOptions::new().write(true))?;
            return Ok((None, pipe.into()));
        }
        let file = OpenOptions::new()
            // Append, so that two descriptors on one file do not overwrite each other's output.
            .append(true)
            .create(true)
            .mode(0o600)
            .custom_flags(libc::O_NOFOLLOW | libc::O_TRUNC)
            .open(path)
            .step(LAYER, format!("create {what} {}", quoted(path)))?;
        let (reader, writer) = io::pipe().step(LAYER, "make a pipe")?;
        rustix::io::ioctl_fionbio(&reader, true).step(LAYER, "make a pipe that does not block")?;
        // The program may reopen it by name, but not for reading: a compiler told to include its own output would wait
        // for itself.
        rustix::fs::fchmod(&writer, Mode::WUSR).step(LAYER, "make a pipe for writing only")?;
        let stream = Self {
            reader,
            file,
            written: 0,
            max: request.limits.output.0,
            state: StreamState::Open,
        };
        Ok((Some(stream), writer.into()))
    }

    /// Moves available output to the file, up to a maximum.
    pub(super) fn pump(&mut self, chunk: &mut [u8]) -> io::Result<StreamState> {
        let mut moved = 0;
        while self.state == StreamState::Open && moved < MAX_PUMPED_BYTES {
            let count = match self.reader.read(chunk) {
                Ok(0) => {
                    self.state = StreamState::Ended;
                    break;
                }
                Ok(count) => count as u64,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            moved += count;
            let fits = count.min(self.max - self.written);
            self.file.write_all(&chunk[..fits as usize])?;
            self.written += fits;
            if count > fits {
                self.state = StreamState::Over;
            }
        }
        Ok(self.state)
    }

    /// Moves the rest of the output once no process writes any more.
    pub(super) fn drain(&mut self, chunk: &mut [u8]) -> io::Result<()> {
        loop {
            let before = self.written;
            if self.pump(chunk)? != StreamState::Open || self.written == before {
                return Ok(());
            }
        }
    }
}
