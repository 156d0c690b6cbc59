//! Tar archives, and files compressed by gzip.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};

use flate2::bufread::MultiGzDecoder;
use grader_model::Bytes;
use tar::{Archive, EntryType};

use super::caps::Caps;
use super::place::{Entry, Failure, Place};
use crate::reason;

/// Most bytes of what precedes an entry: `tar` holds long names in memory, whatever size they state.
const MAX_HEADERS: u64 = 1 << 20;

/// Bytes that tell whether it is one.
pub(super) const BEGINNING: u64 = 512;

/// Whether a tar archive begins so.
pub(super) fn is_tar(beginning: &[u8]) -> bool {
    beginning.get(257..262) == Some(b"ustar")
}

pub(super) fn unpack_plain(file: File, place: &mut Place<'_>) -> Result<(), Failure> {
    let budget = Budget::new(place.caps.stream);
    let mut stream = budget.limit(BufReader::new(file));
    let unpacked = unpack_tar(&mut stream, &budget, place);
    budget.explain(unpacked)
}

/// Unpacks a compressed tar archive, or one compressed file, which gets the archive's `name` without its extension.
pub(super) fn unpack_gzip(file: File, name: &[u8], place: &mut Place<'_>) -> Result<(), Failure> {
    let packed = file.metadata().map_err(Failure::Machine)?.len();
    let budget = Budget::new(place.caps.stream.min(Caps::unpacked(packed)));
    let mut stream = budget.limit(MultiGzDecoder::new(BufReader::new(file)));
    let unpacked = unpack_compressed(&mut stream, &budget, name, place);
    budget.explain(unpacked)
}

fn unpack_compressed(
    stream: &mut dyn Read,
    budget: &Budget,
    name: &[u8],
    place: &mut Place<'_>,
) -> Result<(), Failure> {
    let mut beginning = Vec::new();
    stream
        .take(BEGINNING)
        .read_to_end(&mut beginning)
        .map_err(Failure::reading)?;
    let is_tar = is_tar(&beginning);
    let mut whole = Cursor::new(beginning).chain(&mut *stream);
    if is_tar {
        unpack_tar(&mut whole, budget, place)?;
        // The checksum comes last.
        io::copy(stream, &mut io::sink()).map_err(Failure::reading)?;
        return Ok(());
    }
    let end = name.iter().rposition(|&byte| byte == b'.');
    let Some(entry) = place.admit(&name[..end.unwrap_or(name.len())])? else {
        return Ok(());
    };
    let written = place.write(&entry, None, None, &mut whole);
    place.settle(entry, budget.explain(written))
}

fn unpack_tar(
    stream: &mut dyn Read,
    budget: &Budget,
    place: &mut Place<'_>,
) -> Result<(), Failure> {
    let mut archive = Archive::new(stream);
    let mut entries = archive.entries().map_err(Failure::reading)?;
    loop {
        budget.headers.set(MAX_HEADERS);
        let next = entries.next();
        budget.headers.set(u64::MAX);
        let Some(packed) = next else {
            break;
        };
        let mut packed = packed.map_err(Failure::reading)?;
        if !packed.header().entry_type().is_pax_global_extensions()
            && let Some(entry) = place.admit(&packed.path_bytes())?
        {
            let unpacked = unpack_entry(&entry, &mut packed, place);
            place.settle(entry, unpacked)?;
        }
        // What is left of it must not count as headers of the next.
        io::copy(&mut packed, &mut io::sink()).map_err(Failure::reading)?;
    }
    // An archive ends with blocks of zeros; one that just ends was cut off.
    if budget.has_ended.get() {
        return Err(Failure::damaged());
    }
    Ok(())
}

fn unpack_entry<R: Read>(
    entry: &Entry,
    packed: &mut tar::Entry<'_, R>,
    place: &mut Place<'_>,
) -> Result<(), Failure> {
    match packed.header().entry_type() {
        EntryType::Directory => place.make_folder(entry),
        EntryType::Regular | EntryType::Continuous if entry.is_folder => place.make_folder(entry),
        EntryType::Regular | EntryType::Continuous | EntryType::GNUSparse => {
            let size = packed.size();
            place.write(entry, Some(size), None, packed)
        }
        // It may be a second name of the program.
        EntryType::Link => Err(Failure::Archive(reason::hard_link())),
        EntryType::Symlink => {
            place.unused(entry, reason::link());
            Ok(())
        }
        _ => {
            place.unused(entry, reason::special());
            Ok(())
        }
    }
}

/// How many bytes may still be read.
struct Budget {
    /// Of the whole stream, and how many that were.
    stream: Cell<u64>,
    most: u64,
    /// Until the next entry.
    headers: Cell<u64>,
    /// Whether the end of the stream was met.
    has_ended: Cell<bool>,
}

impl Budget {
    fn new(most: u64) -> Self {
        Self {
            stream: Cell::new(most),
            most,
            headers: Cell::new(u64::MAX),
            has_ended: Cell::new(false),
        }
    }

    fn limit<R>(&self, inner: R) -> Limited<'_, R> {
        Limited {
            inner,
            budget: self,
        }
    }

    /// A stream that was too long looks damaged to its decoder.
    fn explain(&self, result: Result<(), Failure>) -> Result<(), Failure> {
        match result {
            Err(Failure::Archive(_)) if self.stream.get() == 0 => {
                Err(Failure::Archive(reason::too_long(Bytes(self.most))))
            }
            result => result,
        }
    }
}

struct Limited<'b, R> {
    inner: R,
    budget: &'b Budget,
}

impl<R: Read> Read for Limited<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Budget {
            stream, headers, ..
        } = self.budget;
        let room = stream.get().min(headers.get());
        if room == 0 && !buffer.is_empty() {
            return Err(io::Error::other("too long"));
        }
        let room = room.min(buffer.len() as u64) as usize;
        let count = self.inner.read(&mut buffer[..room])?;
        let is_end = count == 0 && !buffer.is_empty();
        self.budget
            .has_ended
            .set(self.budget.has_ended.get() || is_end);
        stream.set(stream.get() - count as u64);
        headers.set(headers.get() - count as u64);
        Ok(count)
    }
}
