//! The course of a search as a table, to be plotted.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::anneal::Sweep;

/// The columns of the table: those of [`Sweep`], in this order.
const HEADER: &str = "attempt,sweep,temperature,energy,best,proposals,accepted,uphill";

/// A table of comma-separated values, one row for each sweep.
///
/// It is written under its own name while the search goes on, not renamed at the end, so that a
/// search without success has a trace too, and one that is stopped has what it had got to. Its last
/// row may then be cut off. The last row of a search that ended by itself shows it: the energy is
/// 0, or attempt and sweep are the last ones that the schedule allows.
#[derive(Debug)]
pub struct Trace(BufWriter<File>);

impl Trace {
    /// Creates the file, or empties it, and writes the header to it: what stands in the way of a
    /// trace is found before the search.
    pub fn create(path: &Path) -> io::Result<Self> {
        let mut output = BufWriter::new(File::create(path)?);
        writeln!(output, "{HEADER}")?;
        output.flush()?;
        Ok(Self(output))
    }

    /// Writes the row of a sweep.
    pub fn write(&mut self, sweep: &Sweep) -> io::Result<()> {
        let Sweep {
            attempt,
            sweep,
            temperature,
            energy,
            best,
            tally,
        } = sweep;
        writeln!(
            self.0,
            "{attempt},{sweep},{temperature},{energy},{best},{},{},{}",
            tally.proposals, tally.accepted, tally.uphill
        )
    }

    /// Writes what is still held back.
    pub fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}
