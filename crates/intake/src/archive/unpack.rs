//! An archive to a folder.

use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek};
use std::path::Path;

use grader_model::{Text, UnusedFile};

use super::Caps;
use super::kind::{BEGINNING, Kind, Unread};
use super::name::{EntryPath, decode, shown};
use super::place::{Entry, Place};
use super::refusal::{Cause, Failure, Stop};
use super::tar::{unpack_gzip, unpack_tar};
use super::watch::{Metered, Source, Watch};
use super::zip::unpack_zip;

/// What came of an archive.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Unpacked {
    /// What was passed over and why; paths are below the folder, escaped.
    pub(crate) passed: Vec<UnusedFile>,
    /// Parts that were refused and of which nothing is on disk: archives inside, and with
    /// [`Caps::apart`] entries at the top.
    pub(crate) refused: Vec<Refused>,
    /// What is to be known of the archive: that it is another format than its name says.
    pub(crate) notes: Vec<Text>,
    /// How many files were written.
    pub(crate) files: u64,
    /// Their bytes.
    pub(crate) bytes: u64,
}

/// A part of an archive that was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refused {
    /// The parts of its path below the folder, as they are.
    pub(crate) parts: Vec<String>,
    /// Its path, as it may be shown.
    pub(crate) path: String,
    /// Why, in a sentence that names it.
    pub(crate) text: Text,
}

/// Unpacks an archive into `into`, a folder that is made for it; `shown_name` is the archive's name, escaped.
///
/// An archive inside is unpacked into a folder beside it, of its name without the ending (with it, where that is
/// taken), and then removed.
///
/// # Errors
/// Of the archive, or of this machine; `into` is removed again then.
pub(crate) fn unpack(
    archive: &Path,
    shown_name: &str,
    into: &Path,
    caps: &Caps,
) -> Result<Unpacked, Failure> {
    let ours = |error| Stop::Ours(error).failure(shown_name);
    let file = open(archive).map_err(ours)?;
    let mut place = Place::new(into, shown_name, caps).map_err(ours)?;
    let name = archive.file_name().unwrap_or_default();
    let name = decode(name.as_encoded_bytes());
    if caps.apart {
        let file = open(archive).map_err(ours)?;
        place.begin_survey();
        // What is wrong with it is found again, and told, when it is unpacked.
        let _ = unpack_file(file, &name, shown_name, &mut place, &[]);
        place.end_survey();
    }
    let unpacked = unpack_file(file, &name, shown_name, &mut place, &[])
        .and_then(|()| unpack_inside(&mut place, 1))
        .map_err(|stop| stop.failure(shown_name));
    match unpacked {
        Ok(()) => {
            if place.is_empty() {
                place.unpacked.passed.push(holds_nothing(shown_name));
            }
            Ok(place.unpacked)
        }
        Err(failure) => {
            fs::remove_dir_all(into).map_err(ours)?;
            Err(failure)
        }
    }
}

/// The same sentence with the archive's name, which is escaped, before it.
pub(super) fn in_archive(sentence: &Text, archive: &str) -> Text {
    Text::new(
        format!("in `{archive}`: {}", sentence.en),
        format!("`{archive}` 中：{}", sentence.zh),
    )
}

/// Opens a regular file: to open a pipe would wait for its other end.
fn open(archive: &Path) -> io::Result<File> {
    if !fs::symlink_metadata(archive)?.is_file() {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            "not a regular file",
        ));
    }
    File::open(archive)
}

fn holds_nothing(name: &str) -> UnusedFile {
    UnusedFile {
        path: name.to_owned(),
        reason: Text::new("an archive that holds no files", "压缩包中没有文件"),
        notable: true,
    }
}

/// Unpacks one archive, not what is in it, below `base`.
fn unpack_file(
    mut file: File,
    name: &str,
    shown_name: &str,
    place: &mut Place<'_>,
    base: &[String],
) -> Result<(), Stop> {
    let mut beginning = Vec::new();
    Read::by_ref(&mut file)
        .take(BEGINNING as u64)
        .read_to_end(&mut beginning)
        .and_then(|_| file.rewind())
        .map_err(Stop::Ours)?;
    let length = file.metadata().map_err(Stop::Ours)?.len();
    // A caller may hold anything for an archive.
    let kind = Kind::of(name, &beginning).unwrap_or(Kind::Unread(Unread::Unknown));
    let watch = Watch::default();
    let is_followed = match kind {
        Kind::Zip => {
            unpack_zip(file, place, base)?;
            false
        }
        Kind::Tar => {
            let source = BufReader::new(Source::new(file, watch.clone()));
            let mut stream = Metered::new(source, None, place.caps, watch.clone());
            unpack_tar(&mut stream, place, base, &watch)?
        }
        Kind::Gzip => {
            let source = Source::new(file, watch.clone());
            unpack_gzip(source, length, name, place, base, &watch)?
        }
        Kind::Unread(unread) => return Err(Stop::Refused(Cause::Unread(unread))),
    };
    if let Some(format) = kind.otherwise_named(name) {
        place.unpacked.notes.push(Text::new(
            format!("`{shown_name}` is really {format}"),
            format!("`{shown_name}` 实为 {format}"),
        ));
    }
    if is_followed {
        place.unpacked.notes.push(Text::new(
            format!("`{shown_name}` goes on after its end; what follows was passed over"),
            format!("`{shown_name}` 结尾之后还有内容，已略过"),
        ));
    }
    Ok(())
}

/// Unpacks the archives that are in what was unpacked so far.
fn unpack_inside(place: &mut Place<'_>, level: usize) -> Result<(), Stop> {
    let most = place.caps.nested.unwrap_or(0);
    for parts in std::mem::take(&mut place.inside) {
        let file = place.take_out(&parts)?;
        if level > most {
            let path = shown(&parts.join("/"));
            let text = nested_too_deep(&path);
            place.unpacked.refused.push(Refused { parts, path, text });
            continue;
        }
        let before = place.unpacked.counts();
        let stated = *place.stated(&parts);
        let folder = folder_for(place, &parts);
        let name = parts.last().map_or("", String::as_str);
        let shown_name = shown(&parts.join("/"));
        let unpacked = enter_folder(place, &folder)
            .and_then(|()| unpack_file(file, name, &shown_name, place, &folder))
            .and_then(|()| unpack_inside(place, level + 1));
        match unpacked {
            Ok(()) => {}
            Err(Stop::Refused(cause)) => {
                place.inside.clear();
                place.remove(&folder)?;
                place.unpacked.back_to(&before);
                // What it took of the other caps was taken: that bounds the time.
                *place.stated(&parts) = stated;
                place.unpacked.refused.push(Refused {
                    text: cause.sentence(&shown_name),
                    path: shown_name,
                    parts,
                });
            }
            Err(stop) => return Err(stop),
        }
    }
    Ok(())
}

fn nested_too_deep(path: &str) -> Text {
    Text::new(
        format!("`{path}` is not unpacked: it is an archive inside other archives, too deep"),
        format!("`{path}` 未解压：位于多层压缩包之内，层数过多"),
    )
}

/// The folder for an archive inside: its name without the ending, or with it where that is taken.
fn folder_for(place: &Place<'_>, parts: &[String]) -> Vec<String> {
    let mut folder = parts.to_vec();
    if let Some(name) = folder.last_mut() {
        let stem = name
            .rsplit_once('.')
            .map_or(name.as_str(), |(stem, _)| stem);
        let stem = stem.strip_suffix(".tar").unwrap_or(stem);
        if !stem.is_empty() && stem != "." && stem != ".." {
            *name = stem.to_owned();
        }
    }
    if place.is_free(&folder) {
        folder
    } else {
        parts.to_vec()
    }
}

fn enter_folder(place: &mut Place<'_>, folder: &[String]) -> Result<(), Stop> {
    let path = EntryPath {
        parts: folder.to_vec(),
        is_folder: true,
    };
    place.enter(&[], &path, Entry::Folder).map(|_| ())
}

/// How far lists and counts were.
struct Before {
    passed: usize,
    refused: usize,
    notes: usize,
    files: u64,
    bytes: u64,
}

impl Unpacked {
    fn counts(&self) -> Before {
        Before {
            passed: self.passed.len(),
            refused: self.refused.len(),
            notes: self.notes.len(),
            files: self.files,
            bytes: self.bytes,
        }
    }

    fn back_to(&mut self, before: &Before) {
        self.passed.truncate(before.passed);
        self.refused.truncate(before.refused);
        self.notes.truncate(before.notes);
        self.files = before.files;
        self.bytes = before.bytes;
    }
}
