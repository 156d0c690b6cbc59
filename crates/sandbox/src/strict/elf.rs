//! What a program says that it needs: the dynamic loader and libraries, by its ELF headers.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::os::unix::fs::FileExt;
use std::path::Path;

/// What a program or a library says that it needs.
#[derive(Debug, Default)]
pub(super) struct Needs {
    pub(super) machine: u16,
    /// The dynamic loader; none for a library, and for a program that is linked statically.
    pub(super) loader: Option<Vec<u8>>,
    pub(super) libraries: Vec<Vec<u8>>,
    /// Whether it says where its libraries are.
    pub(super) has_path: bool,
}

/// Kinds of segments.
const LOAD: u32 = 1;
const DYNAMIC: u32 = 2;
const INTERPRETER: u32 = 3;
/// Kinds of dynamic entries.
const NEEDED: u64 = 1;
const STRINGS: u64 = 5;
const RPATH: u64 = 15;
const RUNPATH: u64 = 29;
/// Bounds of what is read: programs come from students.
const MAX_SEGMENTS: u16 = 64;
const MAX_DYNAMIC: u64 = 64 << 10;
const MAX_NEEDED: usize = 64;
const LONGEST_NAME: u64 = 256;

/// A segment of a file, as far as it matters here.
struct Segment {
    kind: u32,
    offset: u64,
    address: u64,
    size: u64,
}

impl Needs {
    /// Reads an ELF file of 64 bits, little-endian.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let head = read(&file, 0, 64)?;
        if head[..6] != *b"\x7fELF\x02\x01" {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let (offset, size, count) = (u64_at(&head, 32), u16_at(&head, 54), u16_at(&head, 56));
        if size != 56 || count > MAX_SEGMENTS {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let table = read(&file, offset, u64::from(size) * u64::from(count))?;
        let segments: Vec<Segment> = table
            .chunks_exact(usize::from(size))
            .map(|entry| Segment {
                kind: u32::from_le_bytes([entry[0], entry[1], entry[2], entry[3]]),
                offset: u64_at(entry, 8),
                address: u64_at(entry, 16),
                size: u64_at(entry, 32),
            })
            .collect();
        let mut needs = Self {
            machine: u16_at(&head, 18),
            ..Self::default()
        };
        for segment in &segments {
            match segment.kind {
                INTERPRETER => {
                    let bytes = read(&file, segment.offset, segment.size.min(LONGEST_NAME))?;
                    needs.loader = Some(until_nul(&bytes));
                }
                DYNAMIC => needs.read_dynamic(&file, segment, &segments)?,
                _ => {}
            }
        }
        Ok(needs)
    }

    fn read_dynamic(
        &mut self,
        file: &File,
        segment: &Segment,
        segments: &[Segment],
    ) -> io::Result<()> {
        let bytes = read(file, segment.offset, segment.size.min(MAX_DYNAMIC))?;
        let entries: Vec<(u64, u64)> = bytes
            .chunks_exact(16)
            .map(|entry| (u64_at(entry, 0), u64_at(entry, 8)))
            .take_while(|&(kind, _)| kind != 0)
            .collect();
        let strings = entries.iter().find(|&&(kind, _)| kind == STRINGS);
        let strings = strings.and_then(|&(_, address)| {
            segments.iter().find_map(|segment| {
                let inside = address.checked_sub(segment.address)?;
                (segment.kind == LOAD && inside < segment.size)
                    .then(|| segment.offset.checked_add(inside))?
            })
        });
        for &(kind, value) in &entries {
            match kind {
                NEEDED if self.libraries.len() < MAX_NEEDED => {
                    let place = strings.and_then(|strings| strings.checked_add(value));
                    let place = place.ok_or(io::ErrorKind::InvalidData)?;
                    self.libraries.push(until_nul(&read_up_to(file, place)?));
                }
                NEEDED => return Err(io::ErrorKind::InvalidData.into()),
                RPATH | RUNPATH => self.has_path = true,
                _ => {}
            }
        }
        Ok(())
    }
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    (0..8).fold(0, |value, index| {
        value | u64::from(bytes[at + index]) << (8 * index)
    })
}

/// The bytes before the first that is zero.
pub(super) fn until_nul(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().copied().take_while(|&it| it != 0).collect()
}

/// Exactly so many bytes.
fn read(file: &File, offset: u64, size: u64) -> io::Result<Vec<u8>> {
    let size = usize::try_from(size).map_err(io::Error::other)?;
    let mut bytes = vec![0; size];
    file.read_exact_at(&mut bytes, offset)?;
    Ok(bytes)
}

/// As many bytes as a name may have, or as there are.
fn read_up_to(file: &File, offset: u64) -> io::Result<Vec<u8>> {
    let (mut bytes, mut file) = (Vec::new(), file);
    file.seek(SeekFrom::Start(offset))?;
    file.take(LONGEST_NAME).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const LOADER: &[u8] = b"/lib/loader.so\0";
    const STRINGS_TABLE: &[u8] = b"\0libone.so.1\0libtwo.so\0/opt/lib\0";

    /// A program of three segments that needs two libraries; with a path to them or without.
    fn program(has_path: bool) -> Vec<u8> {
        const HEAD: u64 = 64;
        const SEGMENT: u64 = 56;
        // Where the segments begin, in the file and, so much higher, in memory.
        const ADDRESS: u64 = 0x40_0000;
        let loader = HEAD + 3 * SEGMENT;
        let strings = loader + LOADER.len() as u64;
        let dynamic = strings + STRINGS_TABLE.len() as u64;
        let mut entries = vec![(NEEDED, 1), (NEEDED, 13), (STRINGS, ADDRESS + strings)];
        entries.extend(has_path.then_some((RUNPATH, 23)));
        entries.push((0, 0));
        let end = dynamic + 16 * entries.len() as u64;

        let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
        bytes.resize(HEAD as usize, 0);
        bytes[18] = 62;
        bytes[32] = HEAD as u8;
        bytes[54] = SEGMENT as u8;
        bytes[56] = 3;
        for (kind, offset, size) in [
            (INTERPRETER, loader, LOADER.len() as u64),
            (LOAD, 0, end),
            (DYNAMIC, dynamic, end - dynamic),
        ] {
            bytes.extend(u64::from(kind).to_le_bytes());
            for word in [offset, ADDRESS + offset, ADDRESS + offset, size, size, 8] {
                bytes.extend(word.to_le_bytes());
            }
        }
        bytes.extend(LOADER);
        bytes.extend(STRINGS_TABLE);
        for (kind, value) in entries {
            bytes.extend(kind.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        bytes
    }

    fn needs(bytes: &[u8]) -> io::Result<Needs> {
        let file = tempfile::NamedTempFile::new()?;
        fs::write(file.path(), bytes)?;
        Needs::of(file.path())
    }

    #[test]
    fn what_a_program_needs_is_read() {
        for has_path in [false, true] {
            let found = needs(&program(has_path)).unwrap();
            assert_eq!(found.machine, 62);
            assert_eq!(found.loader.as_deref(), Some(&b"/lib/loader.so"[..]));
            assert_eq!(found.libraries, [&b"libone.so.1"[..], b"libtwo.so"]);
            assert_eq!(found.has_path, has_path);
        }
    }

    #[test]
    fn a_broken_program_is_refused_or_read_within_bounds() {
        let whole = program(true);
        let mut refused = 0;
        for at in 0..whole.len() {
            let mut broken = whole.clone();
            broken[at] ^= 0xff;
            // Whatever stands where tables are: an answer, and no panic.
            match needs(&broken) {
                Ok(found) => {
                    assert!(found.libraries.len() <= 3, "{at}: {found:?}");
                    for name in found.libraries.iter().chain(&found.loader) {
                        assert!(name.len() <= LONGEST_NAME as usize, "{at}: {found:?}");
                    }
                }
                Err(_) => refused += 1,
            }
            assert!(needs(&whole[..at]).is_err(), "{at}");
        }
        // The magic number, at least.
        assert!(refused >= 6, "{refused}");
    }
}
