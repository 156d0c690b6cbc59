//! Tar archives, and files compressed by gzip.
//!
//! The crate `tar` finds headers; what they say of each other (long names, extensions) is read here, since there it
//! would be held in memory at whatever size it states.
//! <https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html> (Extended Description),
//! <https://www.gnu.org/software/tar/manual/html_node/Standard.html>

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Cursor, Read};

use flate2::bufread::GzDecoder;
use grader_model::{Text, extension_of};
use tar::{Archive, PaxExtensions};

use super::kind::{BLOCK, is_tar};
use super::name::{EntryPath, decode, shown};
use super::place::{Entry, Place, Stated};
use super::refusal::{Cause, Stop};
use super::watch::{Metered, Source, Watch};
use crate::reason;

/// Bytes of an extension: names of that length are too long anyway.
const MOST_EXTENSION: u64 = 1 << 20;

/// Members of a gzip file, which take 20 bytes each when they are empty and then only time.
const MOST_MEMBERS: u32 = 100_000;

/// Unpacks a tar archive below `base`; whether something that is not zeros follows its end.
pub(super) fn unpack_tar<R: Read>(
    stream: &mut Metered<R>,
    place: &mut Place<'_>,
    base: &[String],
    watch: &Watch,
) -> Result<bool, Stop> {
    let damaged = || watch.stop(Cause::Damaged(None));
    let mut archive = Archive::new(&mut *stream);
    let mut about = About::default();
    let mut listed = 0;
    for entry in archive.entries().map_err(|_| damaged())?.raw(true) {
        let mut entry = entry.map_err(|_| damaged())?;
        listed += 1;
        if listed > place.caps.listed {
            return Err(Stop::Refused(Cause::Lists {
                entries: listed,
                most: place.caps.listed,
            }));
        }
        match entry.header().entry_type().as_byte() {
            b'K' => about.link = Some(extension(&mut entry, watch)?),
            b'L' => about.name = Some(extension(&mut entry, watch)?),
            b'x' | b'X' => about.read(&extension(&mut entry, watch)?, watch)?,
            // Extensions of all entries, the name of the volume.
            b'g' | b'V' => {}
            _ => unpack_member(&mut entry, std::mem::take(&mut about), place, base, watch)?,
        }
    }
    // An archive ends with blocks of zeros; one that just ends was cut off, or something after it.
    if stream.ended || !about.is_empty() {
        return Err(damaged());
    }
    let mut buffer = [0; 16 * 1024];
    let mut follows = false;
    loop {
        let count = match stream.read(&mut buffer) {
            Ok(0) => return Ok(follows),
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return Err(damaged()),
        };
        follows |= buffer[..count].iter().any(|&byte| byte != 0);
    }
}

/// What headers say about the entry that comes next.
#[derive(Default)]
struct About {
    name: Option<Vec<u8>>,
    pax_name: Option<Vec<u8>>,
    /// What it is a link to, as GNU writes that where it is long, and as pax does.
    link: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    size: Option<u64>,
    is_sparse: bool,
}

impl About {
    fn is_empty(&self) -> bool {
        let texts = [&self.name, &self.pax_name, &self.link, &self.target];
        texts.iter().all(|text| text.is_none()) && self.size.is_none() && !self.is_sparse
    }

    fn read(&mut self, extensions: &[u8], watch: &Watch) -> Result<(), Stop> {
        let damaged = || watch.stop(Cause::Damaged(None));
        for extension in PaxExtensions::new(extensions) {
            let extension = extension.map_err(|_| damaged())?;
            match extension.key_bytes() {
                b"linkpath" => self.target = Some(extension.value_bytes().to_vec()),
                b"path" => self.pax_name = Some(extension.value_bytes().to_vec()),
                b"size" => {
                    let size = extension.value().ok().and_then(|text| text.parse().ok());
                    self.size = Some(size.ok_or_else(damaged)?);
                }
                key if key.starts_with(b"GNU.sparse.") => self.is_sparse = true,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The bytes of an extension, without the null bytes that end a name.
fn extension<R: Read>(entry: &mut tar::Entry<'_, R>, watch: &Watch) -> Result<Vec<u8>, Stop> {
    let damaged = || watch.stop(Cause::Damaged(None));
    let size = entry.header().entry_size().map_err(|_| damaged())?;
    if size > MOST_EXTENSION {
        return Err(damaged());
    }
    let mut bytes = Vec::new();
    entry.read_to_end(&mut bytes).map_err(|_| damaged())?;
    if bytes.len() as u64 != size {
        return Err(damaged());
    }
    while bytes.last() == Some(&0) {
        bytes.pop();
    }
    Ok(bytes)
}

fn unpack_member<R: Read>(
    entry: &mut tar::Entry<'_, R>,
    about: About,
    place: &mut Place<'_>,
    base: &[String],
    watch: &Watch,
) -> Result<(), Stop> {
    let header = entry.header();
    let name = about.pax_name.or(about.name);
    let name = name.unwrap_or_else(|| header.path_bytes().into_owned());
    let Some(path) = place.path_of(&decode(&name))? else {
        return Ok(());
    };
    let shown = || shown(&[base, &path.parts].concat().join("/"));
    let kind = match header.entry_type().as_byte() {
        b'5' => Entry::Folder,
        // In the oldest archives only its name tells a folder.
        b'0' | 0 | b'7' if path.is_folder => Entry::Folder,
        // What a hard link becomes, what it is a link to decides.
        b'0' | 0 | b'7' | b'1' => Entry::File,
        b'2' => Entry::Passed(reason::link()),
        // What follows it is no header.
        b'S' => return Err(Stop::Refused(Cause::Sparse(shown()))),
        b'M' => return Err(Stop::Refused(Cause::Split)),
        _ => Entry::Passed(reason::special()),
    };
    let size = header
        .entry_size()
        .map_err(|_| watch.stop(Cause::Damaged(Some(shown()))))?;
    // Only what is larger than any cap needs to say its size twice; where it says two, readers differ on where
    // the next header is.
    if about.size.is_some_and(|stated| stated != size) {
        return Err(Stop::Refused(Cause::Mismatch {
            path: shown(),
            stated: size,
        }));
    }
    if about.is_sparse {
        return Err(Stop::Refused(Cause::Sparse(shown())));
    }
    if matches!(kind, Entry::Folder) && size > 0 && place.is_wanted(base, &path, true) {
        return Err(Stop::Refused(Cause::FileAndFolder(shown())));
    }
    if header.entry_type().is_hard_link() {
        let target = about.target.or(about.link);
        let target = target.or_else(|| header.link_name_bytes().map(Cow::into_owned));
        let target = decode(&target.unwrap_or_default());
        return unpack_hard_link(&target, &path, place, base, watch);
    }
    let stated = Stated {
        size: Some(size),
        packed: None,
    };
    let written = match place.enter(base, &path, kind) {
        Ok(None) => return Ok(()),
        Ok(Some(file)) => place
            .state(base, &path, size)
            .and_then(|()| place.write(&file, stated, entry, watch)),
        Err(stop) => Err(stop),
    };
    place.contain(&path, written)
}

/// A second name of a file that was unpacked already becomes a copy of it. Of any other nothing is known, and it may be
/// what was to be handed in.
fn unpack_hard_link(
    target: &str,
    path: &EntryPath,
    place: &mut Place<'_>,
    base: &[String],
    watch: &Watch,
) -> Result<(), Stop> {
    let of = EntryPath::read(target, place.caps).ok().flatten();
    let of = of.map(|of| [base, &of.parts].concat());
    let Some(mut file) = of.and_then(|parts| place.open_written(&parts)) else {
        let lost = place.lose(base, path, |name| hard_link(name, &shown(target)));
        return place.contain(path, lost);
    };
    let written = match place.enter(base, path, Entry::File) {
        Ok(None) => return Ok(()),
        Ok(Some(copy)) => file.metadata().map_err(Stop::Ours).and_then(|data| {
            let stated = Stated {
                size: Some(data.len()),
                packed: None,
            };
            place.state(base, path, data.len())?;
            place.write(&copy, stated, &mut file, watch)
        }),
        Err(stop) => Err(stop),
    };
    place.contain(path, written)
}

fn hard_link(name: &str, target: &str) -> Text {
    Text::new(
        format!(
            "`{name}` is not unpacked: it is a hard link to `{target}`, which is not in the archive before it"
        ),
        format!("`{name}` 未解压：它是指向 `{target}` 的硬链接，而压缩包中此前没有该文件"),
    )
}

/// Unpacks what gzip compressed: a tar archive, or one file, which gets the archive's name without its ending.
/// Whether something follows its end.
pub(super) fn unpack_gzip(
    source: Source,
    packed: u64,
    name: &str,
    place: &mut Place<'_>,
    base: &[String],
    watch: &Watch,
) -> Result<bool, Stop> {
    let damaged = || watch.stop(Cause::Damaged(None));
    let members = Members::new(BufReader::new(source));
    let mut stream = Metered::new(members, Some(packed), place.caps, watch.clone());
    let mut beginning = Vec::new();
    stream
        .by_ref()
        .take(BLOCK as u64)
        .read_to_end(&mut beginning)
        .map_err(|_| damaged())?;
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let is_tar_by_name = extension_of(name) == "tgz" || extension_of(stem) == "tar";
    let is_empty_tar =
        is_tar_by_name && beginning.len() == BLOCK && beginning.iter().all(|&byte| byte == 0);
    if is_tar(&beginning) || is_empty_tar {
        let whole = Cursor::new(beginning).chain(stream);
        // What is behind the chain is metered already.
        let mut whole = Metered::new(whole, None, place.caps, watch.clone());
        let is_followed = unpack_tar(&mut whole, place, base, watch)?;
        let (_, stream) = whole.into_inner().into_inner();
        return Ok(is_followed || stream.into_inner().is_followed);
    }
    if is_tar_by_name {
        return Err(Stop::Refused(Cause::NoTar));
    }
    let Some(path) = EntryPath::read(stem, place.caps)? else {
        return Err(Stop::Refused(Cause::NoName));
    };
    let mut whole = Cursor::new(beginning).chain(stream);
    if let Some(file) = place.enter(base, &path, Entry::File)? {
        place.write(&file, Stated::default(), &mut whole, watch)?;
    }
    let (_, stream) = whole.into_inner();
    Ok(stream.into_inner().is_followed)
}

/// The members of a gzip file, one after the other: together they are one stream (RFC 1952, 2.2).
struct Members<R> {
    /// Nothing once the end was met.
    member: Option<GzDecoder<R>>,
    /// How many were begun.
    count: u32,
    /// Whether something that is no member, and not zeros, follows the last.
    is_followed: bool,
}

impl<R: BufRead> Members<R> {
    fn new(inner: R) -> Self {
        Self {
            member: Some(GzDecoder::new(inner)),
            count: 1,
            is_followed: false,
        }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        while let Some(member) = &mut self.member {
            let count = member.read(buffer)?;
            if count > 0 {
                return Ok(count);
            }
            let Some(mut inner) = self.member.take().map(GzDecoder::into_inner) else {
                break;
            };
            let rest = inner.fill_buf()?;
            // One byte decides: what is cut off after it is damaged, and told as such.
            if rest.first() == Some(&0x1f) {
                self.count += 1;
                if self.count > MOST_MEMBERS {
                    return Err(io::Error::other("too many members"));
                }
                self.member = Some(GzDecoder::new(inner));
            } else {
                self.is_followed = rest.iter().any(|&byte| byte != 0);
            }
        }
        Ok(0)
    }
}
