//! Content-addressed storage: bytes stored once, under their hash, compressed.

use std::io;
use std::sync::{LazyLock, Mutex, PoisonError};

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::LedgerFault;

/// No content is larger: what unpacks to more is damage.
const MAX_CONTENT_BYTES: usize = 1 << 30;

/// What is no longer gains nothing when it is compressed.
const MAX_TINY_BYTES: usize = 96;

/// The compressor, 268 kB, of all that this process stores: one transaction runs at a time. With one for each content, an
/// allocator takes new memory for each, as what is allocated meanwhile and stays lies in the hole of the last.
static COMPRESSOR: LazyLock<Mutex<Compress>> =
    LazyLock::new(|| Mutex::new(Compress::new(Compression::default(), true)));

/// Writes what is tiny as it is, as zlib data too.
static TINY: LazyLock<Mutex<Compress>> =
    LazyLock::new(|| Mutex::new(Compress::new(Compression::none(), true)));

/// The decompressor of all that it reads, for the same reason.
static DECOMPRESSOR: LazyLock<Mutex<Decompress>> =
    LazyLock::new(|| Mutex::new(Decompress::new(true)));

/// BLAKE3 of some content.
pub(crate) type Hash = [u8; 32];

/// Stores bytes, unless they are stored already.
pub(crate) fn put(connection: &Connection, bytes: &[u8]) -> Result<Hash, LedgerFault> {
    let hash = *blake3::hash(bytes).as_bytes();
    let mut known = connection.prepare("SELECT 1 FROM content WHERE hash = ?1")?;
    if !known.exists([hash])? {
        let mut insert = connection.prepare("INSERT INTO content (hash, zlib) VALUES (?1, ?2)")?;
        insert.execute(params![hash, packed(bytes)?])?;
    }
    Ok(hash)
}

/// Stores a value as JSON.
pub(crate) fn put_json(
    connection: &Connection,
    value: &impl Serialize,
) -> Result<Hash, LedgerFault> {
    put(connection, json(value)?.as_bytes())
}

/// The bytes that were stored under this hash.
pub(crate) fn get(connection: &Connection, hash: &Hash) -> Result<Vec<u8>, LedgerFault> {
    let mut statement = connection.prepare("SELECT zlib FROM content WHERE hash = ?1")?;
    let found = statement.query_row([hash], |row| row.get::<_, Vec<u8>>(0));
    let bytes = unpacked(&found.optional()?.unwrap_or_default());
    if let Some(bytes) = bytes.filter(|bytes| blake3::hash(bytes).as_bytes() == hash) {
        return Ok(bytes);
    }
    let reason = "stored content does not match its hash";
    Err(LedgerFault::Damaged(reason.to_owned()))
}

/// The bytes as zlib data.
fn packed(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let compressor = match bytes.len() {
        0..=MAX_TINY_BYTES => &TINY,
        _ => &COMPRESSOR,
    };
    // What a thread that panicked left is reset.
    let mut compressor = compressor.lock().unwrap_or_else(PoisonError::into_inner);
    compressor.reset();
    let mut zlib = Vec::with_capacity(bytes.len() / 2 + 64);
    loop {
        let rest = &bytes[compressor.total_in() as usize..];
        if compressor.compress_vec(rest, &mut zlib, FlushCompress::Finish)? == Status::StreamEnd {
            return Ok(zlib);
        }
        zlib.reserve(zlib.len().max(64));
    }
}

/// The content of zlib data; `None` if it is damaged, or there is too much.
fn unpacked(zlib: &[u8]) -> Option<Vec<u8>> {
    // As above.
    let mut decompressor = DECOMPRESSOR.lock().unwrap_or_else(PoisonError::into_inner);
    decompressor.reset(true);
    let mut bytes = Vec::with_capacity(zlib.len() * 2 + 64);
    loop {
        let rest = &zlib[decompressor.total_in() as usize..];
        let before = bytes.len();
        let status = decompressor.decompress_vec(rest, &mut bytes, FlushDecompress::None);
        if status.ok()? == Status::StreamEnd {
            return Some(bytes);
        }
        // With room for more, what gives nothing more has lost its end.
        let is_cut = bytes.len() == before && bytes.len() < bytes.capacity();
        if is_cut || bytes.len() > MAX_CONTENT_BYTES {
            return None;
        }
        bytes.reserve(bytes.len().max(64));
    }
}

/// The value that was stored under this hash.
pub(crate) fn get_json<T: DeserializeOwned>(
    connection: &Connection,
    hash: &Hash,
) -> Result<T, LedgerFault> {
    Ok(serde_json::from_slice(&get(connection, hash)?)?)
}

/// A value as JSON; equal values give equal text.
pub(crate) fn json(value: &impl Serialize) -> Result<String, LedgerFault> {
    Ok(serde_json::to_string(value)?)
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::ZlibDecoder;

    use super::*;

    fn sample(length: usize) -> Vec<u8> {
        let numbers = (0..length).map(|at| at.wrapping_mul(2_654_435_761) >> 7);
        numbers.map(|it| it as u8 % 61).collect()
    }

    /// Earlier versions read it with a decoder for zlib data.
    #[test]
    fn what_is_stored_is_zlib_data_of_any_length() {
        for length in [0, 1, 95, 96, 97, 98, 1000, 70_000, 3_000_000] {
            let bytes = sample(length);
            let zlib = packed(&bytes).unwrap();
            let mut decoded = Vec::new();
            ZlibDecoder::new(&zlib[..])
                .read_to_end(&mut decoded)
                .unwrap();
            assert!(decoded == bytes, "{length}");
            assert!(unpacked(&zlib).unwrap() == bytes, "{length}");
            assert!(zlib.len() <= length + 11, "{length}: {}", zlib.len());
        }
    }

    #[test]
    fn what_is_cut_or_changed_is_not_read() {
        for length in [1, 90, 1000, 70_000] {
            let zlib = packed(&sample(length)).unwrap();
            for cut in [0, 1, 2, 6, zlib.len() / 2, zlib.len() - 4, zlib.len() - 1] {
                assert_eq!(unpacked(&zlib[..cut]), None, "{length}: {cut}");
            }
            for at in [0, 2, zlib.len() - 1] {
                let mut changed = zlib.clone();
                changed[at] ^= 0x06;
                assert_eq!(unpacked(&changed), None, "{length}: {at}");
            }
        }
    }
}
