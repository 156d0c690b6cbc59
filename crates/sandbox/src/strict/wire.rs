//! Messages with descriptors, between the launcher and its namespace holder: one line of JSON each, as between the
//! grader and the launcher. Descriptors travel with the beginning of a line; no line follows before it is answered.

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
const MAX_DESCRIPTORS: usize = 64;

/// So much is received at a time.
const CHUNK: usize = 64 * 1024;

/// Sends a message with descriptors.
pub(crate) fn send<T: Serialize>(
    socket: BorrowedFd<'_>,
    message: &T,
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    if descriptors.len() > MAX_DESCRIPTORS {
        return Err(io::Error::other(format!(
            "more than {MAX_DESCRIPTORS} files and folders for one run"
        )));
    }
    let mut text = serde_json::to_vec(message)?;
    text.push(b'\n');
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() {
        // It has room for the largest number.
        control.push(SendAncillaryMessage::ScmRights(descriptors));
    }
    let first = [IoSlice::new(&text)];
    let mut sent = rustix::net::sendmsg(socket, &first, &mut control, SendFlags::NOSIGNAL)?;
    while sent < text.len() {
        // The descriptors have gone with the first part.
        sent += rustix::net::send(socket, &text[sent..], SendFlags::NOSIGNAL)?;
    }
    Ok(())
}

/// A message as it arrived.
pub(crate) struct Received<T> {
    pub(crate) message: T,
    pub(crate) descriptors: Vec<OwnedFd>,
    /// Who sent it, by the number that it has for us, if the socket was told to ask for that.
    pub(crate) sender: Option<Pid>,
}

/// Receives a message; `None` if the other end is gone.
pub(crate) fn receive<T: DeserializeOwned>(
    socket: BorrowedFd<'_>,
) -> io::Result<Option<Received<T>>> {
    let mut space =
        [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS), ScmCredentials(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut text = vec![0; CHUNK];
    let got = retry(|| {
        let mut part = [IoSliceMut::new(&mut text)];
        rustix::net::recvmsg(socket, &mut part, &mut control, RecvFlags::CMSG_CLOEXEC)
    })?;
    if got.bytes == 0 {
        return Ok(None);
    }
    text.truncate(got.bytes);
    let (mut descriptors, mut sender) = (Vec::new(), None);
    for message in control.drain() {
        match message {
            RecvAncillaryMessage::ScmRights(rights) => descriptors.extend(rights),
            RecvAncillaryMessage::ScmCredentials(who) => sender = Some(who.pid),
            _ => {}
        }
    }
    while text.last() != Some(&b'\n') {
        let end = text.len();
        text.resize(end + CHUNK, 0);
        let (_, count) = retry(|| rustix::net::recv(socket, &mut text[end..], RecvFlags::empty()))?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        text.truncate(end + count);
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
