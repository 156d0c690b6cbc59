//! Sinks that show a run while it goes on.

mod pace;
mod progress;
mod test_view;

pub use progress::{AboveBar, Progress};
pub use test_view::{TestCase, TestView};
