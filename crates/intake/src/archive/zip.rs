//! Zip archives, by their central directory.

use std::fs::File;
use std::io::{BufReader, Read as _};

use zip::read::{ArchiveOffset, Config, ZipFileEntry};
use zip::result::ZipError;
// Unlike `ZipArchive` it holds one entry at a time, and keeps those of equal names.
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, ZipReadOptions};

use super::target::{Entry, Failure, Target};
use crate::reason;

/// The bits of a mode that hold the file type.
const KIND_OF_FILE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;
const LINK: u32 = 0o120_000;

/// How an entry of the central directory begins.
const CENTRAL_HEADER: &[u8; 4] = b"PK\x01\x02";

type Zip = ZipIterable<BufReader<File>>;
type Found = (Entry, ZipFileEntry<'static>);

pub(super) fn unpack(file: File, target: &mut Target<'_>) -> Result<(), Failure> {
    // The archive begins where its file begins: nothing is searched for.
    let config = Config {
        archive_offset: ArchiveOffset::Known(0),
    };
    let mut zip = Zip::try_new(BufReader::new(file), config).map_err(failure)?;
    let mut found = Vec::new();
    let listed = list(&mut zip, target, &mut found);
    let source = zip.files().map_err(failure)?.reader_mut();
    for (entry, packed) in found {
        let result = unpack_entry(&entry, packed, source, target);
        target.settle(entry, result)?;
    }
    listed
}

/// Lists the entries that are wanted, as far as the directory can be read.
fn list(zip: &mut Zip, target: &mut Target<'_>, found: &mut Vec<Found>) -> Result<(), Failure> {
    let files = zip.files().map_err(failure)?;
    for packed in files.by_ref() {
        let packed = packed.map_err(failure)?;
        if let Some(entry) = target.admit(packed.name_raw())? {
            found.push((entry, packed));
        }
    }
    // An archive may state fewer entries than it has.
    let mut next = [0; CENTRAL_HEADER.len()];
    let is_more = files.reader_mut().read_exact(&mut next).is_ok() && next == *CENTRAL_HEADER;
    if is_more {
        Err(Failure::damaged())
    } else {
        Ok(())
    }
}

fn unpack_entry(
    entry: &Entry,
    packed: ZipFileEntry<'static>,
    source: &mut BufReader<File>,
    target: &mut Target<'_>,
) -> Result<(), Failure> {
    // What was packed on Windows has no mode.
    match packed.unix_mode().map_or(0, |mode| mode & KIND_OF_FILE) {
        FOLDER => return target.make_folder(entry),
        0 | REGULAR if entry.is_folder => return target.make_folder(entry),
        0 | REGULAR => {}
        LINK => return Err(Failure::Archive(reason::link())),
        _ => return Err(Failure::Archive(reason::special())),
    }
    if packed.encrypted() {
        return Err(Failure::Archive(reason::encrypted()));
    }
    let method = packed.compression();
    if method != CompressionMethod::Stored && method != CompressionMethod::Deflated {
        return Err(Failure::Archive(reason::unsupported_compression()));
    }
    let (size, stored) = (packed.size(), packed.compressed_size());
    let mut reader = packed
        .with_reader(source, ZipReadOptions::new())
        .map_err(failure)?;
    target.write(entry, Some(size), Some(stored), &mut reader)
}

fn failure(error: ZipError) -> Failure {
    match error {
        ZipError::Io(error) => Failure::copying(error),
        _ => Failure::damaged(),
    }
}
