//! Messages with descriptors, between the launcher and the keeper of its namespaces.
//!
//! A message is a length (8 bytes, native order) and so many bytes of JSON; descriptors travel with the
//! length. Both ends are ours, of the same binary.

use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags,
};
use rustix::process::Pid;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Descriptors in one message, at most; the kernel's own bound is 253.
const MOST: usize = 64;

/// Sends a message with descriptors.
pub(super) fn send<T: Serialize>(
    socket: BorrowedFd<'_>,
    message: &T,
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    if descriptors.len() > MOST {
        return Err(io::Error::other(format!(
            "more than {MOST} files and folders for one run"
        )));
    }
    let text = serde_json::to_vec(message)?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() {
        // It has room for the largest number.
        control.push(SendAncillaryMessage::ScmRights(descriptors));
    }
    let length = (text.len() as u64).to_ne_bytes();
    let parts = [IoSlice::new(&length), IoSlice::new(&text)];
    let total = length.len() + text.len();
    let mut sent = rustix::net::sendmsg(socket, &parts, &mut control, SendFlags::NOSIGNAL)?;
    while sent < total {
        // The descriptors have gone with the first part.
        let rest = &text[sent.saturating_sub(length.len())..];
        sent += rustix::net::send(socket, rest, SendFlags::NOSIGNAL)?;
    }
    Ok(())
}

/// A message as it arrived.
pub(super) struct Received<T> {
    pub(super) message: T,
    pub(super) descriptors: Vec<OwnedFd>,
    /// Who sent it, by the number that it has for us, where the socket was told to ask for that.
    pub(super) sender: Option<Pid>,
}

/// Receives a message; nothing when the other end is gone.
pub(super) fn receive<T: DeserializeOwned>(
    socket: BorrowedFd<'_>,
) -> io::Result<Option<Received<T>>> {
    let mut space =
        [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST), ScmCredentials(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut length = [0; 8];
    let got = retry(|| {
        let mut part = [IoSliceMut::new(&mut length)];
        rustix::net::recvmsg(socket, &mut part, &mut control, RecvFlags::CMSG_CLOEXEC)
    })?;
    if got.bytes == 0 {
        return Ok(None);
    }
    if got.bytes != length.len() {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    let (mut descriptors, mut sender) = (Vec::new(), None);
    for message in control.drain() {
        match message {
            RecvAncillaryMessage::ScmRights(rights) => descriptors.extend(rights),
            RecvAncillaryMessage::ScmCredentials(who) => sender = Some(who.pid),
            _ => {}
        }
    }
    let mut text = vec![0; usize::try_from(u64::from_ne_bytes(length)).unwrap_or(usize::MAX)];
    let mut read = 0;
    while read < text.len() {
        let rest = &mut text[read..];
        match retry(|| rustix::net::recv(socket, &mut *rest, RecvFlags::empty()))? {
            (_, 0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            (_, count) => read += count,
        }
    }
    Ok(Some(Received {
        message: serde_json::from_slice(&text)?,
        descriptors,
        sender,
    }))
}

fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> rustix::io::Result<T> {
    loop {
        match call() {
            Err(rustix::io::Errno::INTR) => {}
            result => return result,
        }
    }
}
