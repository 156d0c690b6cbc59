//! The launcher's end of the channel to the grader.

use std::io::{self, ErrorKind, Stdin};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::channel::Channel;

/// The channel, which is standard input. After an order, the grader sends only commands about that program.
pub(super) fn grader() -> Channel<Stdin> {
    Channel(io::stdin())
}

/// The next message; `None` if the grader has ended.
pub(super) fn receive<T: DeserializeOwned>() -> io::Result<Option<T>> {
    match grader().receive() {
        // It was killed while it wrote.
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        received => Ok(received?.map(|it| it.message)),
    }
}

/// Sends a message.
pub(super) fn send<T: Serialize>(message: &T) -> io::Result<()> {
    grader().send(message, &[])
}
