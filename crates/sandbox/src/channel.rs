//! Messages with descriptors over a Unix socket: between the grader and a launcher, and between a launcher and its
//! namespace holder.
//!
//! A message is a header, its text, and a byte for each further group of descriptors. A receiver reads no byte beyond
//! it, so a socket that has nothing to read has no message either.

use std::io::{self, ErrorKind, IoSlice, IoSliceMut};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::{Errno, retry_on_intr};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, ReturnFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::Pid;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::constants::MAX_MESSAGE_BYTES;

/// Maximum number of descriptors that one call passes; the kernel's own limit is 253.
const MAX_DESCRIPTORS: usize = 64;
/// Size of the header, a number: the low half of its bits is the size of the text, the high half the number of
/// descriptors.
const HEADER: usize = 8;

/// One end of a stream socket.
#[derive(Debug)]
pub(crate) struct Channel<S>(pub(crate) S);

/// A received message.
pub(crate) struct Received<T> {
    pub(crate) message: T,
    pub(crate) descriptors: Vec<OwnedFd>,
    /// The sender's process id in our pid namespace, if the socket asks for it.
    pub(crate) sender: Option<Pid>,
}

impl<S: AsFd> Channel<S> {
    /// Sends a message with any number of descriptors.
    ///
    /// # Errors
    /// Among others [`ErrorKind::BrokenPipe`] if the other end is closed.
    pub(crate) fn send<T: Serialize>(
        &self,
        message: &T,
        descriptors: &[BorrowedFd<'_>],
    ) -> io::Result<()> {
        let mut bytes = vec![0; HEADER];
        serde_json::to_writer(&mut bytes, message)?;
        let length = bytes.len() - HEADER;
        if length > MAX_MESSAGE_BYTES {
            return Err(too_large(length));
        }
        let header = length as u64 | (descriptors.len() as u64) << 32;
        bytes[..HEADER].copy_from_slice(&header.to_le_bytes());
        let (first, more) = descriptors.split_at(descriptors.len().min(MAX_DESCRIPTORS));
        self.write(&bytes, first)?;
        // Descriptors travel only with a byte.
        more.chunks(MAX_DESCRIPTORS)
            .try_for_each(|group| self.write(b"+", group))
    }

    fn write(&self, mut bytes: &[u8], mut descriptors: &[BorrowedFd<'_>]) -> io::Result<()> {
        while !bytes.is_empty() {
            let mut space =
                [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS))];
            let mut control = SendAncillaryBuffer::new(&mut space);
            if !descriptors.is_empty() {
                // Large enough for the largest number.
                control.push(SendAncillaryMessage::ScmRights(descriptors));
            }
            let part = [IoSlice::new(bytes)];
            let sent =
                retry_on_intr(|| sendmsg(&self.0, &part, &mut control, SendFlags::NOSIGNAL))?;
            bytes = &bytes[sent..];
            // The first byte has taken them along.
            descriptors = &[];
        }
        Ok(())
    }

    /// Receives a message; `None` if the other end is closed.
    ///
    /// # Errors
    /// Among others [`ErrorKind::UnexpectedEof`] if the other end is closed in the middle of a message, because its
    /// sender was killed, and [`ErrorKind::InvalidData`] if this is no message, or one that is not understood.
    pub(crate) fn receive<T: DeserializeOwned>(&self) -> io::Result<Option<Received<T>>> {
        let (mut descriptors, mut sender) = (Vec::new(), None);
        let mut header = [0; HEADER];
        match self.read(&mut header, &mut descriptors, &mut sender)? {
            0 => return Ok(None),
            HEADER => {}
            _ => return Err(cut_off()),
        }
        let header = u64::from_le_bytes(header);
        let (length, count) = (header as u32 as usize, (header >> 32) as usize);
        if length > MAX_MESSAGE_BYTES {
            return Err(too_large(length));
        }
        let mut text = vec![0; length];
        if self.read(&mut text, &mut descriptors, &mut sender)? < length {
            return Err(cut_off());
        }
        while descriptors.len() < count {
            if self.read(&mut [0], &mut descriptors, &mut sender)? == 0 {
                return Err(cut_off());
            }
        }
        let message = serde_json::from_slice(&text)
            .map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?;
        Ok(Some(Received {
            message,
            descriptors,
            sender,
        }))
    }

    /// Fills a buffer, unless the other end is closed; returns the number of bytes.
    fn read(
        &self,
        bytes: &mut [u8],
        descriptors: &mut Vec<OwnedFd>,
        sender: &mut Option<Pid>,
    ) -> io::Result<usize> {
        let mut filled = 0;
        while filled < bytes.len() {
            let mut space = [MaybeUninit::uninit();
                rustix::cmsg_space!(ScmRights(MAX_DESCRIPTORS), ScmCredentials(1))];
            let mut control = RecvAncillaryBuffer::new(&mut space);
            let mut part = [IoSliceMut::new(&mut bytes[filled..])];
            let flags = RecvFlags::CMSG_CLOEXEC;
            let received = retry_on_intr(|| recvmsg(&self.0, &mut part, &mut control, flags));
            let received = match received {
                // The other end was closed before it had read all that we sent.
                Err(Errno::CONNRESET) => break,
                received => received?,
            };
            for message in control.drain() {
                match message {
                    RecvAncillaryMessage::ScmRights(rights) => descriptors.extend(rights),
                    RecvAncillaryMessage::ScmCredentials(who) => *sender = Some(who.pid),
                    _ => {}
                }
            }
            // The kernel drops descriptors above our limit.
            if received.flags.contains(ReturnFlags::CTRUNC) {
                return Err(io::Error::from_raw_os_error(libc::EMFILE));
            }
            if received.bytes == 0 {
                break;
            }
            filled += received.bytes;
        }
        Ok(filled)
    }
}

impl<S: AsFd> AsFd for Channel<S> {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

fn cut_off() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "a message is cut off")
}

fn too_large(length: usize) -> io::Error {
    let text = format!("a message of {length} bytes, and at most {MAX_MESSAGE_BYTES} are allowed");
    io::Error::new(ErrorKind::InvalidData, text)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::Write as _;
    use std::os::unix::net::UnixStream;
    use std::thread;

    use super::*;

    fn pair() -> (Channel<UnixStream>, Channel<UnixStream>) {
        let (ours, theirs) = UnixStream::pair().unwrap();
        (Channel(ours), Channel(theirs))
    }

    fn bytes_of(message: &str) -> Vec<u8> {
        let (ours, mut theirs) = pair();
        ours.send(&message, &[]).unwrap();
        drop(ours);
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut theirs.0, &mut bytes).unwrap();
        bytes
    }

    /// What somebody receives to whom these bytes are sent before the socket is closed.
    fn received(bytes: &[u8]) -> Result<Option<String>, String> {
        let (ours, theirs) = pair();
        (&ours.0).write_all(bytes).unwrap();
        drop(ours);
        match theirs.receive() {
            Ok(received) => Ok(received.map(|it| it.message)),
            Err(error) => Err(format!("{:?}: {error}", error.kind())),
        }
    }

    #[test]
    fn messages_of_every_size_arrive_whole_and_one_by_one() {
        let (ours, theirs) = pair();
        let sizes = [
            (0, 0),
            (1, MAX_DESCRIPTORS),
            (32 << 10, MAX_DESCRIPTORS + 1),
            (300, 300),
            (4 << 20, 1),
            (2, 0),
        ];
        let text = |bytes| "x".repeat(bytes);
        thread::scope(|scope| {
            scope.spawn(|| {
                let null = File::open("/dev/null").unwrap();
                for (bytes, count) in sizes {
                    ours.send(&text(bytes), &vec![null.as_fd(); count]).unwrap();
                }
            });
            for (bytes, count) in sizes {
                let received = theirs.receive::<String>().unwrap().unwrap();
                assert_eq!(received.descriptors.len(), count);
                assert!(received.message == text(bytes), "{bytes} bytes");
            }
        });
        drop(ours);
        assert!(theirs.receive::<String>().unwrap().is_none());
    }

    #[test]
    fn each_descriptor_arrives_with_its_own_message_and_is_closed_on_exec() {
        let (ours, theirs) = pair();
        let files: Vec<File> = (0..3).map(|_| tempfile::tempfile().unwrap()).collect();
        for file in &files {
            ours.send(&(), &[file.as_fd()]).unwrap();
        }
        for file in &files {
            let received = theirs.receive::<()>().unwrap().unwrap();
            let inode = |file: BorrowedFd<'_>| rustix::fs::fstat(file).unwrap().st_ino;
            let arrived: Vec<_> = received.descriptors.iter().map(AsFd::as_fd).collect();
            assert_eq!(arrived.len(), 1);
            assert_eq!(inode(arrived[0]), inode(file.as_fd()));
            let flags = rustix::io::fcntl_getfd(arrived[0]).unwrap();
            assert!(flags.contains(rustix::io::FdFlags::CLOEXEC));
        }
    }

    #[test]
    fn what_is_no_message_is_an_error_and_the_end_is_not() {
        let message = bytes_of("text");
        assert_eq!(received(&message), Ok(Some("text".to_owned())));
        assert_eq!(received(b""), Ok(None));
        for end in 1..message.len() {
            let error = "UnexpectedEof: a message is cut off".to_owned();
            assert_eq!(received(&message[..end]), Err(error), "{end} bytes");
        }
        // It promises a descriptor.
        let mut more = message.clone();
        more[HEADER / 2] = 1;
        let error = "UnexpectedEof: a message is cut off".to_owned();
        assert_eq!(received(&more), Err(error));

        let error = "InvalidData: a message of 1819043176 bytes, and at most 67108864 are allowed";
        assert_eq!(received(b"hello, grader\n"), Err(error.to_owned()));
        let error = "InvalidData: expected value at line 1 column 1";
        assert_eq!(received(b"\x05\0\0\0\0\0\0\0hello"), Err(error.to_owned()));
        // JSON that ends too early is not a message that is cut off.
        let error = "InvalidData: EOF while parsing a string at line 1 column 3";
        assert_eq!(received(b"\x03\0\0\0\0\0\0\0\"he"), Err(error.to_owned()));
    }

    #[test]
    fn a_message_that_is_too_large_is_not_sent() {
        let (ours, theirs) = pair();
        let error = ours.send(&"x".repeat(MAX_MESSAGE_BYTES - 1), &[]);
        assert_eq!(
            error.unwrap_err().to_string(),
            "a message of 67108865 bytes, and at most 67108864 are allowed"
        );
        ours.send(&"next", &[]).unwrap();
        let received = theirs.receive::<String>().unwrap().unwrap();
        assert_eq!(received.message, "next");
    }

    #[test]
    fn the_other_end_may_end_without_reading() {
        let (ours, theirs) = pair();
        ours.send(&"unread", &[]).unwrap();
        drop(theirs);
        assert!(ours.receive::<String>().unwrap().is_none());
        let error = ours.send(&"too late", &[]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::BrokenPipe);
    }

    #[test]
    fn a_socket_that_asks_for_senders_learns_them() {
        let (ours, theirs) = pair();
        rustix::net::sockopt::set_socket_passcred(&theirs, true).unwrap();
        ours.send(&"text", &[]).unwrap();
        let received = theirs.receive::<String>().unwrap().unwrap();
        assert_eq!(received.sender, Some(rustix::process::getpid()));
    }
}
