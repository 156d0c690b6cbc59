//! What readers below the decoders have to say, told past the decoders.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::rc::Rc;

use super::Caps;
use super::refusal::{Cause, Stop};

/// Why a reader failed. A decoder above it may turn its error into another.
#[derive(Clone, Default)]
pub(super) struct Watch(Rc<RefCell<Option<Stop>>>);

impl Watch {
    /// Why reading failed: as a reader below said, or else this.
    pub(super) fn stop(&self, otherwise: Cause) -> Stop {
        let said = self.0.borrow_mut().take();
        said.unwrap_or(Stop::Refused(otherwise))
    }

    fn say(&self, stop: Stop) -> io::Error {
        self.0.borrow_mut().get_or_insert(stop);
        io::Error::other("stopped")
    }
}

/// The file of an archive.
pub(super) struct Source {
    file: File,
    watch: Watch,
}

impl Source {
    pub(super) fn new(file: File, watch: Watch) -> Self {
        Self { file, watch }
    }
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.file.read(buffer) {
            Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                Err(self.watch.say(Stop::Ours(error)))
            }
            result => result,
        }
    }
}

impl Seek for Source {
    /// Places come from the archive: that one makes no sense is its fault.
    fn seek(&mut self, place: SeekFrom) -> io::Result<u64> {
        self.file.seek(place)
    }
}

/// What is behind a compression, held to its caps.
pub(super) struct Metered<R> {
    inner: R,
    watch: Watch,
    caps: Caps,
    /// Bytes of what it is read from; nothing where it is not compressed.
    packed: Option<u64>,
    read: u64,
    /// Whether its end was met.
    pub(super) ended: bool,
}

impl<R> Metered<R> {
    pub(super) fn new(inner: R, packed: Option<u64>, caps: &Caps, watch: Watch) -> Self {
        Self {
            inner,
            watch,
            caps: *caps,
            packed,
            read: 0,
            ended: false,
        }
    }

    pub(super) fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(buffer)?;
        self.ended |= count == 0 && !buffer.is_empty();
        self.read += count as u64;
        let Some(packed) = self.packed else {
            return Ok(count);
        };
        let ratio = self.caps.ratio;
        if self.read > Caps::FREE_OF_RATIO && self.read > packed.saturating_mul(ratio) {
            return Err(self.watch.say(Stop::Refused(Cause::StreamBomb(ratio))));
        }
        if self.read > self.caps.stream {
            let cause = Cause::Stream(self.caps.stream);
            return Err(self.watch.say(Stop::Refused(cause)));
        }
        Ok(count)
    }
}
