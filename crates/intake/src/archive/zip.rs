//! Zip archives, by their central directory.
//!
//! The crate `zip` reads entries and decompresses them. Before it sees an archive, the record at its end is read
//! here: how many entries there are decides whether the directory is looked at at all, and that only one at a time.
//! <https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT> (4.3.16, 4.3.15, 4.3.14)

use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};

use zip::read::{ArchiveOffset, Config, ZipFileEntry};
// Of the crate's readers the one that holds one entry at a time, and keeps those of equal names.
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, ZipReadOptions};

use super::name::{EntryPath, decode, shown};
use super::place::{Entry, Place, Stated};
use super::refusal::{Cause, Stop};
use super::watch::{Source, Watch};
use crate::reason;

/// Bytes of the record at the end of an archive, without its comment.
const END: usize = 22;
/// Bytes of a local header without names.
const LOCAL_HEADER: u64 = 30;
/// Which of the bits of a mode say what a file is.
const KIND_OF_FILE: u32 = 0o170_000;
const REGULAR: u32 = 0o100_000;
const FOLDER: u32 = 0o040_000;
const LINK: u32 = 0o120_000;

/// Unpacks a zip archive below `base`.
pub(super) fn unpack_zip(file: File, place: &mut Place<'_>, base: &[String]) -> Result<(), Stop> {
    let watch = Watch::default();
    let damaged = || watch.stop(Cause::Damaged(None));
    let mut source = Source::new(file, watch.clone());
    let most = place.caps.listed;
    let entries = stated_entries(&mut source, &watch)?;
    if entries > most {
        return Err(Stop::Refused(Cause::Lists { entries, most }));
    }
    // The archive begins where its file begins: nothing is searched for.
    let config = Config {
        archive_offset: ArchiveOffset::Known(0),
    };
    let mut zip = ZipIterable::try_new(BufReader::new(source), config).map_err(|_| damaged())?;
    // It takes another record for the end: there are two, and other programs would see one archive or the other.
    if zip.len() as u64 != entries {
        return Err(damaged());
    }
    check(&mut zip, place, base, &watch)?;
    let files = zip.files().map_err(|_| damaged())?;
    while let Some(entry) = files.next() {
        let entry = entry.map_err(|_| damaged())?;
        let Some(path) = place.path_of(&decode(entry.name_raw()))? else {
            continue;
        };
        let written = unpack_entry(entry, &path, files.reader_mut(), place, base, &watch);
        place.contain(&path, written)?;
    }
    Ok(())
}

type Zip = ZipIterable<BufReader<Source>>;

/// Looks at all entries before anything is written: at their paths, the sizes they state, and whether any two
/// share bytes, by which a small archive could hold without end.
fn check(zip: &mut Zip, place: &mut Place<'_>, base: &[String], watch: &Watch) -> Result<(), Stop> {
    let damaged = || watch.stop(Cause::Damaged(None));
    let files = zip.files().map_err(|_| damaged())?;
    let mut directory = None;
    let mut ranges = Vec::new();
    for entry in files.by_ref() {
        let entry = entry.map_err(|_| damaged())?;
        directory.get_or_insert(entry.central_header_start());
        let start = entry.header_start();
        // At least: the local header may hold more.
        let header = LOCAL_HEADER + entry.name_raw().len() as u64;
        let end = start
            .checked_add(header)
            .and_then(|end| end.checked_add(entry.compressed_size()))
            .ok_or_else(damaged)?;
        ranges.push(start..end);
        let Some(path) = place.path_of(&decode(entry.name_raw()))? else {
            continue;
        };
        if matches!(kind_of(&entry, &path), Entry::File) && place.is_wanted(base, &path, false) {
            let stated = place.state(base, &path, entry.size());
            place.contain(&path, stated)?;
        }
    }
    // An archive may state fewer entries than it has; nothing is lost in silence.
    let mut next = [0; 4];
    if directory.is_some()
        && files.reader_mut().read_exact(&mut next).is_ok()
        && &next == b"PK\x01\x02"
    {
        return Err(damaged());
    }
    if ranges.iter().any(|range| Some(range.end) > directory) {
        return Err(damaged());
    }
    ranges.sort_unstable_by_key(|range| (range.start, range.end));
    if ranges.windows(2).any(|two| two[0].end > two[1].start) {
        return Err(Stop::Refused(Cause::Overlap));
    }
    Ok(())
}

fn unpack_entry(
    entry: ZipFileEntry<'static>,
    path: &EntryPath,
    source: &mut BufReader<Source>,
    place: &mut Place<'_>,
    base: &[String],
    watch: &Watch,
) -> Result<(), Stop> {
    let kind = kind_of(&entry, path);
    let is_folder = matches!(kind, Entry::Folder);
    let shown = || shown(&[base, &path.parts].concat().join("/"));
    if is_folder && entry.size() > 0 && place.is_wanted(base, path, true) {
        return Err(Stop::Refused(Cause::FileAndFolder(shown())));
    }
    let Some(file) = place.enter(base, path, kind)? else {
        return Ok(());
    };
    if entry.encrypted() {
        return Err(Stop::Refused(Cause::Encrypted(shown())));
    }
    let method = entry.compression();
    if method != CompressionMethod::Stored && method != CompressionMethod::Deflated {
        return Err(Stop::Refused(Cause::Method(shown())));
    }
    let stated = Stated {
        size: Some(entry.size()),
        packed: Some(entry.compressed_size()),
    };
    let mut reader = entry
        .with_reader(source, ZipReadOptions::new())
        .map_err(|_| watch.stop(Cause::Damaged(Some(shown()))))?;
    place.write(&file, stated, &mut reader, watch)
}

/// What an entry is by its name and its mode, where it was packed on a system that has modes.
fn kind_of(entry: &ZipFileEntry<'_>, path: &EntryPath) -> Entry {
    match entry.unix_mode().map(|mode| mode & KIND_OF_FILE) {
        Some(LINK) => Entry::Passed(reason::link()),
        Some(FOLDER) => Entry::Folder,
        Some(0 | REGULAR) | None if path.is_folder => Entry::Folder,
        Some(0 | REGULAR) | None => Entry::File,
        Some(_) => Entry::Passed(reason::special()),
    }
}

/// How many entries an archive states in the record at its end.
fn stated_entries(source: &mut Source, watch: &Watch) -> Result<u64, Stop> {
    let damaged = || watch.stop(Cause::Damaged(None));
    let length = source.seek(SeekFrom::End(0)).map_err(Stop::Ours)?;
    let tail = length.min((END + usize::from(u16::MAX) + LOCATOR) as u64);
    let mut bytes = vec![0; tail as usize];
    source
        .seek(SeekFrom::Start(length - tail))
        .map_err(Stop::Ours)?;
    source.read_exact(&mut bytes).map_err(|_| damaged())?;
    let ends = |at: usize| {
        let comment = number(&bytes, at + 20, 2)? as usize;
        bytes[at..]
            .starts_with(b"PK\x05\x06")
            .then_some(at + END + comment)
    };
    // The one whose comment ends the file, for a comment may hold what looks like one; else, where something was
    // appended, the last that is whole.
    let mut places = (0..=bytes.len().saturating_sub(END)).rev();
    let at = places
        .clone()
        .find(|&at| ends(at) == Some(bytes.len()))
        .or_else(|| places.find(|&at| ends(at).is_some_and(|end| end <= bytes.len())))
        .ok_or_else(damaged)?;
    let field = |offset, size| number(&bytes, at + offset, size).ok_or_else(damaged);
    // This disk, the disk of the directory, and entries on this disk and on all.
    let (disk, first, here, all) = (field(4, 2)?, field(6, 2)?, field(8, 2)?, field(10, 2)?);
    let locator = at.checked_sub(LOCATOR).map(|at| &bytes[at..at + LOCATOR]);
    let Some(locator) = locator.filter(|bytes| bytes.starts_with(b"PK\x06\x07")) else {
        return if disk != 0 || first != 0 || here != all {
            Err(Stop::Refused(Cause::Split))
        } else if all == 0 && at as u64 + length > tail {
            // Something lies before the end, and it is not listed.
            Err(damaged())
        } else {
            Ok(all)
        };
    };
    if number(locator, 16, 4).is_some_and(|disks| disks > 1) {
        return Err(Stop::Refused(Cause::Split));
    }
    let place = number(locator, 8, 8).ok_or_else(damaged)?;
    let mut record = [0; 56];
    source
        .seek(SeekFrom::Start(place))
        .and_then(|_| source.read_exact(&mut record))
        .map_err(|_| damaged())?;
    if !record.starts_with(b"PK\x06\x06") {
        return Err(damaged());
    }
    number(&record, 32, 8).ok_or_else(damaged)
}

/// Bytes of the record that says where the 64-bit record is.
const LOCATOR: usize = 20;

/// A number of so many bytes, the lowest first.
fn number(bytes: &[u8], at: usize, size: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + size)?;
    let digits = bytes.iter().rev();
    Some(digits.fold(0, |number, &byte| number << 8 | u64::from(byte)))
}
