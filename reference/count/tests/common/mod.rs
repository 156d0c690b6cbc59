//! What several tests need.

use std::io;

use reference_count::{Error, run};

/// What the program prints.
pub(crate) fn count(arguments: &[&str]) -> Result<String, Error> {
    let mut output = Vec::new();
    run(
        arguments.iter().map(Into::into),
        &mut io::empty(),
        &mut output,
    )?;
    Ok(String::from_utf8_lossy(&output).into_owned())
}
