//! Messages with descriptors, between the launcher and its namespace holder: a packet of JSON each.

use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags,
};
use rustix::process::Pid;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::Layer;
use crate::error::Failure;
use crate::exec::Program;

/// Descriptors in one message, at most; the kernel's own bound is 253.
const MAX_DESCRIPTORS: usize = 64;
/// The largest message; the kernel's usual bound is less, so that sending fails.
const MAX_MESSAGE: usize = 256 * 1024;

/// One run. With it travel descriptors: standard input, output and error, the pipe for the [`crate::exec::Report`],
/// the start barrier, the scratch tmpfs, one for each mount; the rest are `cgroup.procs` files.
#[derive(Default, Serialize, Deserialize)]
pub(crate) struct Job {
    pub(crate) program: Program,
    /// Where the detached mounts go, in the order of their descriptors.
    pub(crate) mounts: Vec<OsString>,
    /// Whether to count CPU time by the kernel's task clock.
    pub(crate) has_clock: bool,
    /// Layers to do without.
    pub(crate) without: Vec<Layer>,
    /// Do everything but execute the program, to try the layers.
    pub(crate) is_trial: bool,
}

/// The holder's answer, once before the first job: the namespaces are ready. Then the answer to each job: the run has
/// begun, from its init, with the descriptor of its clock if it has one.
pub(crate) type Reply = Result<(), Failure>;

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
    let text = serde_json::to_vec(message)?;
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() {
        // Large enough for the largest number.
        control.push(SendAncillaryMessage::ScmRights(descriptors));
    }
    let text = [IoSlice::new(&text)];
    rustix::net::sendmsg(socket, &text, &mut control, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// A message as it arrived.
pub(crate) struct Received<T> {
    pub(crate) message: T,
    pub(crate) descriptors: Vec<OwnedFd>,
    /// Who sent it, by the number that it has for us, if the socket was set to ask for that.
    pub(crate) sender: Option<Pid>,
}

/// Receives a message; `None` if the other end is gone. No signal interrupts it: all are blocked, or end us.
pub(crate) fn receive<T: DeserializeOwned>(
    socket: BorrowedFd<'_>,
) -> io::Result<Option<Received<T>>> {
    let mut space =
        [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS), ScmCredentials(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut text = vec![0; MAX_MESSAGE];
    let mut parts = [IoSliceMut::new(&mut text)];
    let flags = RecvFlags::CMSG_CLOEXEC;
    let size = rustix::net::recvmsg(socket, &mut parts, &mut control, flags)?.bytes;
    if size == 0 {
        return Ok(None);
    }
    let (mut descriptors, mut sender) = (Vec::new(), None);
    for message in control.drain() {
        match message {
            RecvAncillaryMessage::ScmRights(rights) => descriptors.extend(rights),
            RecvAncillaryMessage::ScmCredentials(who) => sender = Some(who.pid),
            _ => {}
        }
    }
    Ok(Some(Received {
        message: serde_json::from_slice(&text[..size])?,
        descriptors,
        sender,
    }))
}
