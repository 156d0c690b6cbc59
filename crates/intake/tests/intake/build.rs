//! Archives byte by byte: the crates do not write most of these.

use std::io::Write;

use bzip2::write::BzEncoder;
use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};
use lzma_rust2::{XzOptions, XzWriter};

/// An entry of a zip archive, with everything that may lie.
#[derive(Clone)]
pub(crate) struct ZipEntry {
    name: Vec<u8>,
    flags: u16,
    method: u16,
    crc: u32,
    packed: Vec<u8>,
    stated_packed: u64,
    stated_size: u64,
    /// The mode of a file on Unix; `None` for one from Windows.
    mode: Option<u32>,
    /// Where the directory says that the local header is, if not where it is.
    at: Option<u64>,
}

/// A stored file.
pub(crate) fn stored(name: impl AsRef<[u8]>, bytes: &[u8]) -> ZipEntry {
    let mut crc = Crc::new();
    crc.update(bytes);
    ZipEntry {
        name: name.as_ref().to_vec(),
        flags: 0,
        method: 0,
        crc: crc.sum(),
        packed: bytes.to_vec(),
        stated_packed: bytes.len() as u64,
        stated_size: bytes.len() as u64,
        mode: None,
        at: None,
    }
}

/// A deflated file.
pub(crate) fn deflated(name: impl AsRef<[u8]>, bytes: &[u8]) -> ZipEntry {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    let packed = encoder.finish().unwrap();
    ZipEntry {
        method: 8,
        stated_packed: packed.len() as u64,
        packed,
        ..stored(name, bytes)
    }
}

impl ZipEntry {
    pub(crate) fn mode(self, mode: u32) -> Self {
        let mode = Some(mode);
        Self { mode, ..self }
    }

    pub(crate) fn flags(self, flags: u16) -> Self {
        Self { flags, ..self }
    }

    pub(crate) fn method(self, method: u16) -> Self {
        Self { method, ..self }
    }

    pub(crate) fn stated_size(self, stated_size: u64) -> Self {
        Self {
            stated_size,
            ..self
        }
    }

    pub(crate) fn stated_packed(self, stated_packed: u64) -> Self {
        Self {
            stated_packed,
            ..self
        }
    }

    pub(crate) fn crc(self, crc: u32) -> Self {
        Self { crc, ..self }
    }

    pub(crate) fn at(self, at: u64) -> Self {
        let at = Some(at);
        Self { at, ..self }
    }

    /// What both headers hold alike: flags, method, time, checksum, sizes, lengths.
    fn common(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(20_u16.to_le_bytes());
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(self.method.to_le_bytes());
        bytes.extend([0, 0, 0x21, 0]);
        bytes.extend(self.crc.to_le_bytes());
        bytes.extend((self.stated_packed as u32).to_le_bytes());
        bytes.extend((self.stated_size as u32).to_le_bytes());
        bytes.extend((self.name.len() as u16).to_le_bytes());
        bytes.extend([0, 0]);
        bytes
    }

    fn local(&self) -> Vec<u8> {
        let header = [b"PK\x03\x04".to_vec(), self.common(), self.name.clone()];
        [header.concat(), self.packed.clone()].concat()
    }

    /// Its header in the directory.
    pub(crate) fn central(&self, at: u64) -> Vec<u8> {
        let system = if self.mode.is_some() { 3 } else { 0 };
        let mut bytes = [b"PK\x01\x02".to_vec(), vec![20, system], self.common()].concat();
        bytes.extend([0; 6]);
        bytes.extend((self.mode.unwrap_or(0) << 16).to_le_bytes());
        bytes.extend((self.at.unwrap_or(at) as u32).to_le_bytes());
        bytes.extend(&self.name);
        bytes
    }
}

/// The record at the end.
pub(crate) fn zip_end(entries: u16, directory: &[u8], at: u64) -> Vec<u8> {
    let mut bytes = b"PK\x05\x06\0\0\0\0".to_vec();
    bytes.extend(entries.to_le_bytes());
    bytes.extend(entries.to_le_bytes());
    bytes.extend((directory.len() as u32).to_le_bytes());
    bytes.extend((at as u32).to_le_bytes());
    bytes.extend([0, 0]);
    bytes
}

/// The records at the end of an archive of 64-bit numbers, whatever they state.
pub(crate) fn zip64_end(entries: u64, size: u64, at: u64, here: u64) -> Vec<u8> {
    let mut bytes = b"PK\x06\x06".to_vec();
    bytes.extend(44_u64.to_le_bytes());
    bytes.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    bytes.extend(entries.to_le_bytes());
    bytes.extend(entries.to_le_bytes());
    bytes.extend(size.to_le_bytes());
    bytes.extend(at.to_le_bytes());
    bytes.extend(b"PK\x06\x07\0\0\0\0");
    bytes.extend(here.to_le_bytes());
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend(b"PK\x05\x06\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\0\0");
    bytes
}

/// Local files, and the directory for them.
pub(crate) fn zip_parts(entries: &[ZipEntry]) -> (Vec<u8>, Vec<u8>) {
    let (mut bytes, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        directory.extend(entry.central(bytes.len() as u64));
        bytes.extend(entry.local());
    }
    (bytes, directory)
}

/// A whole zip archive.
pub(crate) fn zip(entries: &[ZipEntry]) -> Vec<u8> {
    let (mut bytes, directory) = zip_parts(entries);
    let end = zip_end(entries.len() as u16, &directory, bytes.len() as u64);
    bytes.extend(directory);
    bytes.extend(end);
    bytes
}

/// A zip archive of one stored file.
pub(crate) fn zip_of(name: &str, bytes: &[u8]) -> Vec<u8> {
    zip(&[stored(name, bytes)])
}

/// An entry of a tar archive: its header, what follows it, and padding.
pub(crate) fn tar_entry(kind: u8, name: &[u8], bytes: &[u8]) -> Vec<u8> {
    tar_entry_that_states(kind, name, bytes, bytes.len() as u64)
}

/// An entry of a tar archive that states a size of its own.
pub(crate) fn tar_entry_that_states(kind: u8, name: &[u8], bytes: &[u8], size: u64) -> Vec<u8> {
    let mut header = [0; 512];
    header[..name.len().min(100)].copy_from_slice(&name[..name.len().min(100)]);
    header[100..108].copy_from_slice(b"0006755\0");
    header[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    header[136..148].copy_from_slice(b"00000000000\0");
    header[148..156].copy_from_slice(b"        ");
    header[156] = kind;
    if kind == b'1' || kind == b'2' {
        header[157..168].copy_from_slice(b"/etc/passwd");
    }
    header[257..265].copy_from_slice(b"ustar\x0000");
    let sum: u32 = header.iter().map(|&byte| u32::from(byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    let mut entry = [&header, bytes].concat();
    entry.resize(entry.len().next_multiple_of(512), 0);
    entry
}

/// An extension of the entry that follows.
pub(crate) fn pax(key: &str, value: &str) -> Vec<u8> {
    let rest = format!(" {key}={value}\n");
    let mut length = rest.len();
    while length != format!("{length}{rest}").len() {
        length = format!("{length}{rest}").len();
    }
    tar_entry(b'x', b"pax", format!("{length}{rest}").as_bytes())
}

/// A whole tar archive.
pub(crate) fn tar(entries: &[Vec<u8>]) -> Vec<u8> {
    [entries.concat(), vec![0; 1024]].concat()
}

/// What gzip makes of it.
pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What bzip2 makes of it.
pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = BzEncoder::new(Vec::new(), bzip2::Compression::best());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What xz makes of it.
pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = XzWriter::new(Vec::new(), XzOptions::with_preset(6)).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// The same, with a header that asks for a dictionary of 4 GiB.
pub(crate) fn xz_of_4_gib(bytes: &[u8]) -> Vec<u8> {
    let mut packed = xz(bytes);
    // Its size in words, its flags, the filter LZMA2 with one byte of properties; at the end its checksum.
    let end = 12 + usize::from(packed[12]) * 4;
    assert_eq!(packed[13..16], [0, 0x21, 1]);
    packed[16] = 40;
    let mut crc = Crc::new();
    crc.update(&packed[12..end]);
    packed[end..end + 4].copy_from_slice(&crc.sum().to_le_bytes());
    packed
}
