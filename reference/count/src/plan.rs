//! A count that is cut into parts, so that several threads can share it and a killed run can go on.

/// A way to count all solutions of one size, cut into parts that do not depend on each other.
///
/// The same size and method have the same parts with the same counts on every machine, whatever
/// its vector instructions: so a count that was begun on one machine can be finished on another.
pub trait Plan: Sync {
    /// The number of parts; they are numbered from 0.
    fn parts(&self) -> usize;

    /// What one thread needs to count parts: its working memory.
    fn worker(&self) -> Box<dyn Worker + '_>;

    /// The number of solutions, from the sum of what all parts gave.
    ///
    /// # Panics
    ///
    /// If no number of solutions gives this sum, which would be a mistake in the method.
    fn total(&self, sum: u64) -> u64;
}

/// One thread's working memory.
pub trait Worker {
    /// What the part adds to the sum; the unit is the plan's own.
    fn count(&mut self, part: usize) -> u64;
}
