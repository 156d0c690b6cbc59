//! Tar archives, and compressed files.

use std::cell::{Cell, RefCell};
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Cursor, ErrorKind, Read};

use bzip2::bufread::BzDecoder;
use flate2::bufread::MultiGzDecoder;
use grader_model::Bytes;
use lzma_rust2::XzReader;
use tar::{Archive, EntryType};

use super::caps::Caps;
use super::format::{BEGINNING, Compression, Format, format_of};
use super::target::{Entry, Failure, Target};
use crate::reason;

/// Most bytes of what precedes an entry: `tar` holds long names in memory, whatever size they state.
const MAX_HEADERS: u64 = 1 << 20;

/// Most streams after the first of a file that bzip2 compressed. Tools that compress in parallel make one for 900 kB.
const MAX_BZIP2_STREAMS: u32 = 10_000;

pub(super) fn unpack(file: File, target: &mut Target<'_>) -> Result<(), Failure> {
    let stream = Stream::new(Box::new(BufReader::new(file)), target.caps.stream);
    let unpacked = unpack_tar(&stream, &stream, target);
    stream.explain(unpacked)
}

/// Unpacks a compressed tar archive, or one compressed file, which gets this `name`.
pub(super) fn unpack_compressed(
    file: File,
    by: Compression,
    name: &[u8],
    target: &mut Target<'_>,
) -> Result<(), Failure> {
    let packed = file.metadata().map_err(Failure::Machine)?.len();
    let most = target.caps.stream.min(target.caps.unpacked(packed));
    let file = BufReader::new(file);
    let inner: Box<dyn Read> = match by {
        Compression::Gzip => Box::new(MultiGzDecoder::new(file)),
        Compression::Bzip2 => Box::new(Bzip2::new(file)),
        Compression::Xz => Box::new(XzReader::new_mem_limit(file, true, Caps::XZ_KIB)),
    };
    let stream = Stream::new(inner, most);
    let unpacked = unpack_stream(&stream, name, target);
    stream.explain(unpacked)
}

fn unpack_stream(stream: &Stream, name: &[u8], target: &mut Target<'_>) -> Result<(), Failure> {
    let mut beginning = Vec::new();
    let read = stream.take(BEGINNING).read_to_end(&mut beginning);
    read.map_err(Failure::copying)?;
    let format = format_of(&beginning);
    let mut whole = Cursor::new(beginning).chain(stream);
    if matches!(format, Some(Format::Tar)) {
        return unpack_tar(whole, stream, target);
    }
    let Some(entry) = target.admit(name)? else {
        return Ok(());
    };
    let written = target.write(&entry, None, None, &mut whole);
    target.settle(entry, stream.explain(written))
}

/// Unpacks the `whole` of an archive, of which all but the beginning comes from `stream`.
fn unpack_tar(whole: impl Read, stream: &Stream, target: &mut Target<'_>) -> Result<(), Failure> {
    let mut archive = Archive::new(whole);
    let mut entries = archive.entries().map_err(Failure::copying)?;
    loop {
        stream.headers.set(MAX_HEADERS);
        let next = entries.next();
        stream.headers.set(u64::MAX);
        let Some(packed) = next else {
            break;
        };
        let mut packed = packed.map_err(Failure::copying)?;
        if !packed.header().entry_type().is_pax_global_extensions()
            && let Some(entry) = target.admit(&packed.path_bytes())?
        {
            let unpacked = unpack_entry(&entry, &mut packed, target);
            target.settle(entry, unpacked)?;
        }
        // What is left of it must not count as headers of the next.
        io::copy(&mut packed, &mut io::sink()).map_err(Failure::copying)?;
    }
    // An archive ends with two blocks of zeros, of which one was read; a compressed one ends with a checksum.
    match io::copy(&mut &*stream, &mut io::sink()) {
        Ok(0) => Err(Failure::damaged()),
        rest => rest.map(drop).map_err(Failure::copying),
    }
}

fn unpack_entry<R: Read>(
    entry: &Entry,
    packed: &mut tar::Entry<'_, R>,
    target: &mut Target<'_>,
) -> Result<(), Failure> {
    match packed.header().entry_type() {
        EntryType::Directory => target.make_folder(entry),
        EntryType::Regular | EntryType::Continuous if entry.is_folder => target.make_folder(entry),
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
            let size = packed.size();
            target.write(entry, Some(size), None, packed)
        }
        // It may be a second name of the program.
        EntryType::Link | EntryType::Symlink => Err(Failure::Archive(reason::link())),
        _ => Err(Failure::Archive(reason::special())),
    }
}

/// What bzip2 compressed, in streams that follow one another.
struct Bzip2 {
    /// The current stream; `None` after the last.
    decoder: Option<BzDecoder<BufReader<File>>>,
    /// How many streams may follow: each takes time, however small it is.
    left: u32,
}

impl Bzip2 {
    fn new(file: BufReader<File>) -> Self {
        Self {
            decoder: Some(BzDecoder::new(file)),
            left: MAX_BZIP2_STREAMS,
        }
    }
}

impl Read for Bzip2 {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(decoder) = &mut self.decoder {
            let count = decoder.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let rest = self.decoder.take().map(BzDecoder::into_inner);
            if let Some(mut rest) = rest
                && !rest.fill_buf()?.is_empty()
            {
                self.left = self.left.checked_sub(1).ok_or(ErrorKind::InvalidData)?;
                self.decoder = Some(BzDecoder::new(rest));
            }
        }
        Ok(0)
    }
}

/// A stream of which at most so many bytes are read.
struct Stream {
    inner: RefCell<Box<dyn Read>>,
    most: u64,
    /// How many bytes may still be read.
    left: Cell<u64>,
    /// How many of them until the next entry.
    headers: Cell<u64>,
    /// Whether it failed: a decoder may panic if it is read on.
    is_broken: Cell<bool>,
}

impl Stream {
    fn new(inner: Box<dyn Read>, most: u64) -> Self {
        Self {
            inner: RefCell::new(inner),
            most,
            left: Cell::new(most),
            headers: Cell::new(u64::MAX),
            is_broken: Cell::new(false),
        }
    }

    /// A stream that was too long looks damaged to its decoder.
    fn explain(&self, result: Result<(), Failure>) -> Result<(), Failure> {
        match result {
            Err(Failure::Archive(_)) if self.left.get() == 0 => {
                Err(Failure::Archive(reason::too_long(Bytes(self.most))))
            }
            result => result,
        }
    }
}

impl Read for &Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let room = self.left.get().min(self.headers.get());
        if room == 0 && !buffer.is_empty() {
            return Err(io::Error::other("too long"));
        }
        if self.is_broken.get() {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let room = room.min(buffer.len() as u64) as usize;
        let read = self.inner.borrow_mut().read(&mut buffer[..room]);
        let count = read.inspect_err(|error| {
            let is_broken = error.kind() != io::ErrorKind::Interrupted;
            self.is_broken.set(is_broken);
        })?;
        self.left.set(self.left.get() - count as u64);
        self.headers.set(self.headers.get() - count as u64);
        Ok(count)
    }
}
