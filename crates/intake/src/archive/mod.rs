//! What students hand in packed, unpacked with care.
//!
//! Formats are read entry by entry, and nothing of an archive decides more than what its bytes are: names are
//! checked before anything is made of them, permissions, owners and times are ignored, and only regular files and
//! folders come into being, all below one fresh folder. Since this code alone writes there and makes no links, a
//! path that holds no `..` cannot lead out of it.
//!
//! Sizes that an archive states are believed only where they are too large. What counts is what was read: each
//! file, all files, all bytes behind a compressed stream, each against its cap in [`Caps`].
//!
//! What is harmless and of no use (links, devices, what compilers and editors leave) is passed over and listed.
//! What is hostile, ambiguous or damaged refuses the archive as a whole, in one sentence that says what and where,
//! and nothing of it stays on disk. That the disk is full is neither: [`Failure::Ours`].

mod caps;
mod kind;
mod name;
mod place;
mod refusal;
mod survey;
mod tar;
mod unpack;
mod watch;
mod zip;

pub(crate) use caps::Caps;
pub(crate) use kind::Kind;
pub(crate) use refusal::Failure;
pub(crate) use unpack::{Refused, Unpacked, unpack};

#[cfg(test)]
mod tests;
