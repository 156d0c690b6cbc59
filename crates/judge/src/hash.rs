//! Hashes of what things are.

/// A hash of words, each preceded by its length, so that different lists have different hashes.
pub(crate) fn hash_bytes<'a>(words: impl IntoIterator<Item = &'a [u8]>) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    for word in words {
        hasher.update(&(word.len() as u64).to_le_bytes());
        hasher.update(word);
    }
    hasher.finalize()
}

/// The same in hexadecimal digits.
pub(crate) fn hash<'a>(words: impl IntoIterator<Item = &'a [u8]>) -> String {
    hash_bytes(words).to_hex().to_string()
}
