//! Bytes that are kept once, under their hash, compressed.

use std::io::{self, Read as _, Write as _};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use rusqlite::{Connection, OptionalExtension as _, params};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::LedgerFault;

/// More than this nothing was ever written: a larger number is damage.
const MOST: i64 = 1 << 30;

/// Number of some content in the ledger.
pub(crate) type ContentId = i64;

/// Keeps bytes, unless they are kept already.
pub(crate) fn put(connection: &Connection, bytes: &[u8]) -> Result<ContentId, LedgerFault> {
    let hash = blake3::hash(bytes);
    if let Some(id) = find(connection, &hash)? {
        return Ok(id);
    }
    let packed = pack(bytes)?;
    let (zlib, kept) = if packed.len() < bytes.len() {
        (true, packed.as_slice())
    } else {
        (false, bytes)
    };
    connection.execute(
        "INSERT INTO content (hash, size, packed, bytes) VALUES (?1, ?2, ?3, ?4)",
        params![hash.as_bytes(), bytes.len() as i64, zlib, kept],
    )?;
    Ok(connection.last_insert_rowid())
}

/// Keeps a value as JSON.
pub(crate) fn put_json(
    connection: &Connection,
    value: &impl Serialize,
) -> Result<ContentId, LedgerFault> {
    put(connection, &json(value)?)
}

/// A value as JSON, always in the same way, so that its hash stands for it.
pub(crate) fn json(value: &impl Serialize) -> Result<Vec<u8>, LedgerFault> {
    serde_json::to_vec(value).map_err(|error| LedgerFault::Database(Box::new(error)))
}

/// The content of this hash, if it is kept.
pub(crate) fn find(
    connection: &Connection,
    hash: &blake3::Hash,
) -> Result<Option<ContentId>, LedgerFault> {
    let mut statement = connection.prepare("SELECT id FROM content WHERE hash = ?1")?;
    Ok(statement
        .query_row(params![hash.as_bytes()], |row| row.get(0))
        .optional()?)
}

fn pack(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

/// Content as it is kept. It is unpacked by [`Packed::bytes`], for which nobody else need wait.
pub(crate) struct Packed {
    id: ContentId,
    hash: Vec<u8>,
    size: i64,
    zlib: bool,
    bytes: Vec<u8>,
}

/// Reads content.
pub(crate) fn get(connection: &Connection, id: ContentId) -> Result<Packed, LedgerFault> {
    let mut statement =
        connection.prepare("SELECT hash, size, packed, bytes FROM content WHERE id = ?1")?;
    let packed = statement
        .query_row(params![id], |row| {
            Ok(Packed {
                id,
                hash: row.get(0)?,
                size: row.get(1)?,
                zlib: row.get(2)?,
                bytes: row.get(3)?,
            })
        })
        .optional()?;
    packed.ok_or_else(|| LedgerFault::Damaged(format!("content {id} is missing")))
}

impl Packed {
    /// The bytes that were kept.
    ///
    /// # Errors
    /// When they are not those that were kept.
    pub(crate) fn bytes(self) -> Result<Vec<u8>, LedgerFault> {
        if !(0..=MOST).contains(&self.size) {
            return Err(damaged(self.id));
        }
        let bytes = if self.zlib {
            let mut bytes = Vec::with_capacity(self.size as usize);
            let mut decoder = ZlibDecoder::new(self.bytes.as_slice()).take(self.size as u64 + 1);
            decoder
                .read_to_end(&mut bytes)
                .map_err(|_| damaged(self.id))?;
            bytes
        } else {
            self.bytes
        };
        if blake3::hash(&bytes).as_bytes().as_slice() == self.hash {
            Ok(bytes)
        } else {
            Err(damaged(self.id))
        }
    }

    /// The value that was kept; nothing where it is of a form that this version does not know.
    ///
    /// # Errors
    /// As [`Packed::bytes`].
    pub(crate) fn json<T: DeserializeOwned>(
        self,
    ) -> Result<Result<T, serde_json::Error>, LedgerFault> {
        Ok(serde_json::from_slice(&self.bytes()?))
    }
}

fn damaged(id: ContentId) -> LedgerFault {
    LedgerFault::Damaged(format!("content {id} is not what was kept"))
}
