//! What a file is by its first bytes.

use std::io;
use std::path::Path;

use grader_model::{Text, extension_of};

use crate::junk::{is_archive, is_part_of_archive};
use crate::tree::read_beginning;

/// A format of archives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A zip archive.
    Zip,
    /// A tar archive that is not compressed.
    Tar,
    /// `tar.gz`, or one file compressed by gzip.
    Gzip,
    /// Something that is not read.
    Unread(Unread),
}

/// What is not read, though its name is that of an archive, or it is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unread {
    /// An archive of another format: its name.
    Format(&'static str),
    /// One part of an archive in several files.
    Part,
    /// A file of no bytes.
    Empty,
    /// A web page: what a browser stored where it should have stored a file.
    WebPage,
    /// Something else.
    Unknown,
}

/// Bytes of the beginning that [`Kind::of`] wants to see.
pub(crate) const BEGINNING: usize = 1024;

/// Bytes of a tar header.
pub(super) const BLOCK: usize = 512;

/// How archives of formats that are not read begin.
const FORMATS: [(&[u8], &str); 9] = [
    (b"Rar!\x1a\x07", "RAR"),
    (b"7z\xbc\xaf\x27\x1c", "7z"),
    (b"\xfd7zXZ\0", "xz"),
    (b"BZh", "bzip2"),
    (b"\x28\xb5\x2f\xfd", "Zstandard"),
    (b"\x04\x22\x4d\x18", "LZ4"),
    (b"LZIP", "lzip"),
    (b"\x1f\x9d", "compress"),
    (b"MSCF", "CAB"),
];

impl Kind {
    /// What a file is of which a name (escaped or not) and the beginning are known, at least [`BEGINNING`] bytes if
    /// there are as many; nothing where it is no archive by its name, or its name has no ending and it does not begin
    /// as an archive does.
    pub(crate) fn of(name: &str, beginning: &[u8]) -> Option<Self> {
        let found = Self::begins(beginning);
        if is_archive(name) {
            return Some(found.unwrap_or_else(|| Self::nameless(name, beginning)));
        }
        if is_part_of_archive(name) {
            return Some(Self::Unread(Unread::Part));
        }
        found.filter(|_| extension_of(name).is_empty())
    }

    /// The same for a file on disk, of which only what may be an archive by its name is opened.
    pub(crate) fn of_file(name: &str, location: &Path) -> io::Result<Option<Self>> {
        if is_part_of_archive(name) || is_archive(name) || extension_of(name).is_empty() {
            let beginning = read_beginning(location, BEGINNING as u64)?;
            Ok(Self::of(name, &beginning))
        } else {
            Ok(None)
        }
    }

    /// What begins so, if that is an archive.
    fn begins(beginning: &[u8]) -> Option<Self> {
        if beginning.starts_with(b"PK\x03\x04")
            || beginning.starts_with(b"PK\x05\x06")
            || beginning.starts_with(b"PK\x06\x06")
            || beginning.starts_with(b"PK00PK")
        {
            return Some(Self::Zip);
        }
        if beginning.starts_with(b"PK\x07\x08") {
            return Some(Self::Unread(Unread::Part));
        }
        if beginning.starts_with(b"\x1f\x8b") {
            return Some(Self::Gzip);
        }
        let format = FORMATS
            .iter()
            .find(|(magic, _)| beginning.starts_with(magic));
        if let Some((_, name)) = format {
            return Some(Self::Unread(Unread::Format(name)));
        }
        is_tar(beginning).then_some(Self::Tar)
    }

    /// What is named as an archive and begins as none.
    fn nameless(name: &str, beginning: &[u8]) -> Self {
        let text = beginning.trim_ascii_start().to_ascii_lowercase();
        Self::Unread(if beginning.is_empty() {
            Unread::Empty
        } else if text.starts_with(b"<!doctype html") || text.starts_with(b"<html") {
            Unread::WebPage
        } else if extension_of(name) == "tar"
            && beginning.len() >= BLOCK
            && beginning.iter().all(|&byte| byte == 0)
        {
            // Nothing but the mark of the end: a tar archive of no files.
            return Self::Tar;
        } else {
            Unread::Unknown
        })
    }

    /// What it must be called, where its name says that it is another format.
    pub(super) fn otherwise_named(self, name: &str) -> Option<&'static str> {
        let (own, label) = match self {
            Self::Zip => (["zip", ""], "zip"),
            Self::Tar => (["tar", ""], "tar"),
            Self::Gzip => (["gz", "tgz"], "gzip"),
            Self::Unread(_) => return None,
        };
        let extension = extension_of(name);
        (!extension.is_empty() && !own.contains(&extension.as_str())).then_some(label)
    }
}

/// Whether it begins with a tar header: those have a checksum, and the older ones no other mark.
pub(super) fn is_tar(beginning: &[u8]) -> bool {
    let Some(block) = beginning.get(..BLOCK) else {
        return false;
    };
    let sum: u32 = (0..BLOCK)
        .map(|i| match i {
            // The checksum itself counts as blanks.
            148..156 => u32::from(b' '),
            _ => u32::from(block[i]),
        })
        .sum();
    block[0] != 0 && tar::Header::from_byte_slice(block).cksum().ok() == Some(sum)
}

impl Unread {
    /// Why it is not read.
    pub(super) fn text(self) -> Text {
        match self {
            Self::Format(format) => Text::new(
                format!("it is packed as {format}, which is not read: unpack it, or hand in a zip"),
                format!("它以 {format} 格式打包，不支持：请先解压，或提交 zip"),
            ),
            Self::Part => Text::new(
                "it is one part of a split archive",
                "它是分卷压缩包的一部分",
            ),
            Self::Empty => Text::new("it is empty: 0 bytes", "文件为空：0 字节"),
            Self::WebPage => Text::new("it is no archive but a web page", "它不是压缩包，而是网页"),
            Self::Unknown => Text::new(
                "it is no archive, whatever its name says",
                "它并不是压缩包，与名称不符",
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_says_what_an_archive_is_and_names_say_what_is_one() {
        let format = |name| Some(Kind::Unread(Unread::Format(name)));
        let unread = |unread| Some(Kind::Unread(unread));
        for (name, beginning, kind) in [
            ("work.zip", &b"PK\x03\x04...."[..], Some(Kind::Zip)),
            ("WORK.ZIP", b"PK\x05\x06....", Some(Kind::Zip)),
            ("work.zip", b"\x1f\x8b\x08.", Some(Kind::Gzip)),
            ("work.tgz", b"\x1f\x8b\x08.", Some(Kind::Gzip)),
            ("work.zip", b"Rar!\x1a\x07\x01\0", format("RAR")),
            ("work.7z", b"7z\xbc\xaf\x27\x1c", format("7z")),
            ("work.tar.xz", b"\xfd7zXZ\0", format("xz")),
            ("work.tar.bz2", b"BZh9", format("bzip2")),
            ("work.tar.zst", b"\x28\xb5\x2f\xfd", format("Zstandard")),
            ("work.zip", b"\n<!DOCTYPE HTML>", unread(Unread::WebPage)),
            ("work.zip", b"", unread(Unread::Empty)),
            ("work.rar", b"hello", unread(Unread::Unknown)),
            ("work.z01", b"hello", unread(Unread::Part)),
            ("work.7z.001", b"7z\xbc\xaf\x27\x1c", unread(Unread::Part)),
            ("work", b"PK\x03\x04", Some(Kind::Zip)),
            ("work", b"BZh9", format("bzip2")),
            ("report.docx", b"PK\x03\x04", None),
            ("main.jar", b"PK\x03\x04", None),
            ("count", b"int main", None),
            ("count.c", b"int main", None),
            ("", b"", None),
        ] {
            assert_eq!(Kind::of(name, beginning), kind, "{name} {beginning:?}");
        }
    }
}
