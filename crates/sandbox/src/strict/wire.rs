//! Messages with descriptors between the launcher and its namespace holder: JSON, split into packets.

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

use crate::error::StepError;

/// Maximum number of descriptors in a packet; the kernel's own limit is 253.
const MAX_DESCRIPTORS: usize = 64;
/// Maximum number of bytes of text in a packet: far below a socket's buffer.
const MAX_TEXT: usize = 32 * 1024;
/// Size of the header of the first packet: the numbers of bytes of text and of descriptors in the whole message.
const HEADER: usize = 16;

/// An answer from the holder. The first one reports that the namespaces are ready. Then one per run reports that it has
/// started; it comes from the run's init, with the descriptor of its clock if it has one.
pub(crate) type Reply = Result<(), StepError>;

/// Sends a message with descriptors. Neither its size nor their number is limited: it contains an author's arguments
/// and the names of a student's files.
pub(crate) fn send<T: Serialize>(
    socket: BorrowedFd<'_>,
    message: &T,
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let text = serde_json::to_vec(message)?;
    let (first_text, more_text) = text.split_at(text.len().min(MAX_TEXT));
    let (first, more) = descriptors.split_at(descriptors.len().min(MAX_DESCRIPTORS));
    let mut header = (text.len() as u64).to_le_bytes().to_vec();
    header.extend((descriptors.len() as u64).to_le_bytes());
    send_packet(socket, &[&header, first_text], first)?;
    for chunk in more.chunks(MAX_DESCRIPTORS) {
        // An empty packet would look like end of file.
        send_packet(socket, &[b"+"], chunk)?;
    }
    for chunk in more_text.chunks(MAX_TEXT) {
        send_packet(socket, &[chunk], &[])?;
    }
    Ok(())
}

fn send_packet(
    socket: BorrowedFd<'_>,
    text: &[&[u8]],
    descriptors: &[BorrowedFd<'_>],
) -> io::Result<()> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if !descriptors.is_empty() {
        // Large enough for the largest number.
        control.push(SendAncillaryMessage::ScmRights(descriptors));
    }
    let text: Vec<_> = text.iter().map(|part| IoSlice::new(part)).collect();
    rustix::net::sendmsg(socket, &text, &mut control, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// A received message.
pub(crate) struct ReceivedMessage<T> {
    pub(crate) message: T,
    pub(crate) descriptors: Vec<OwnedFd>,
    /// The sender's process id in our pid namespace, if the socket asks for it.
    pub(crate) sender: Option<Pid>,
}

/// Receives a message; `None` if the other end is closed. No signal interrupts it: all are blocked or fatal.
pub(crate) fn receive<T: DeserializeOwned>(
    socket: BorrowedFd<'_>,
) -> io::Result<Option<ReceivedMessage<T>>> {
    let mut packet = vec![0; HEADER + MAX_TEXT];
    let (mut descriptors, mut sender) = (Vec::new(), None);
    let mut size = receive_packet(socket, &mut packet, &mut descriptors, &mut sender)?;
    if size == 0 {
        return Ok(None);
    }
    let (header, first) = packet[..size]
        .split_first_chunk::<HEADER>()
        .ok_or(io::ErrorKind::InvalidData)?;
    let (length, count) = header.split_at(HEADER / 2);
    let number = |bytes: &[u8]| {
        bytes
            .iter()
            .rfold(0, |sum, byte| sum << 8 | usize::from(*byte))
    };
    let (length, count) = (number(length), number(count));
    let mut text = first.to_vec();
    while descriptors.len() < count || text.len() < length {
        let are_descriptors = descriptors.len() < count;
        size = receive_packet(socket, &mut packet, &mut descriptors, &mut sender)?;
        if size == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if !are_descriptors {
            text.extend_from_slice(&packet[..size]);
        }
    }
    Ok(Some(ReceivedMessage {
        message: serde_json::from_slice(&text)?,
        descriptors,
        sender,
    }))
}

/// Receives one packet into a buffer; returns its size.
fn receive_packet(
    socket: BorrowedFd<'_>,
    packet: &mut [u8],
    descriptors: &mut Vec<OwnedFd>,
    sender: &mut Option<Pid>,
) -> io::Result<usize> {
    let mut space =
        [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS), ScmCredentials(1))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let mut parts = [IoSliceMut::new(packet)];
    let flags = RecvFlags::CMSG_CLOEXEC;
    let received = rustix::net::recvmsg(socket, &mut parts, &mut control, flags)?;
    for message in control.drain() {
        match message {
            RecvAncillaryMessage::ScmRights(rights) => descriptors.extend(rights),
            RecvAncillaryMessage::ScmCredentials(who) => *sender = Some(who.pid),
            _ => {}
        }
    }
    // The kernel drops descriptors above our limit.
    if received.flags.contains(rustix::net::ReturnFlags::CTRUNC) {
        return Err(io::Error::from_raw_os_error(libc::EMFILE));
    }
    Ok(received.bytes)
}

#[cfg(test)]
mod tests {
    use std::os::fd::AsFd as _;
    use std::thread;

    use rustix::net::{AddressFamily, SocketFlags, SocketType, socketpair};

    use super::*;

    #[test]
    fn messages_of_every_size_arrive_whole() {
        let pair = socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        );
        let (ours, theirs) = pair.unwrap();
        for (bytes, count) in [
            (0, 0),
            (1, MAX_DESCRIPTORS),
            (MAX_TEXT - 2, MAX_DESCRIPTORS + 1),
            (MAX_TEXT - 1, 300),
            (4 << 20, 1),
        ] {
            let text = "x".repeat(bytes);
            thread::scope(|scope| {
                scope.spawn(|| {
                    let null = std::fs::File::open("/dev/null").unwrap();
                    send(ours.as_fd(), &text, &vec![null.as_fd(); count]).unwrap();
                });
                let received = receive::<String>(theirs.as_fd()).unwrap().unwrap();
                assert_eq!(received.descriptors.len(), count);
                assert!(received.message == text, "{bytes} bytes");
            });
        }
        drop(ours);
        assert!(receive::<String>(theirs.as_fd()).unwrap().is_none());
    }
}
