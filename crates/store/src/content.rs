//! Content-addressed storage: bytes stored once, under their hash, compressed.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::LedgerFault;

/// No content is larger: what unpacks to more is damage.
const MAX_CONTENT_BYTES: u64 = 1 << 30;

/// BLAKE3 of some content.
pub(crate) type Hash = [u8; 32];

/// Stores bytes, unless they are stored already.
pub(crate) fn put(connection: &Connection, bytes: &[u8]) -> Result<Hash, LedgerFault> {
    let hash = *blake3::hash(bytes).as_bytes();
    let mut known = connection.prepare("SELECT 1 FROM content WHERE hash = ?1")?;
    if !known.exists([hash])? {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(bytes)?;
        connection.execute(
            "INSERT INTO content (hash, zlib) VALUES (?1, ?2)",
            params![hash, encoder.finish()?],
        )?;
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
    let zlib = found.optional()?.unwrap_or_default();
    let mut bytes = Vec::new();
    let unpacked = ZlibDecoder::new(zlib.as_slice())
        .take(MAX_CONTENT_BYTES)
        .read_to_end(&mut bytes);
    if unpacked.is_ok() && blake3::hash(&bytes).as_bytes() == hash {
        Ok(bytes)
    } else {
        let reason = "stored content does not match its hash";
        Err(LedgerFault::Damaged(reason.to_owned()))
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
