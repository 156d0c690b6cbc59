//! `assignment.toml`.

use super::{Format, Id, RawTitle, Worth};
use crate::reader::{At, table};

table! {
    /// An assignment: an ordered set of problems with their points.
    RawAssignment: UnknownKey {
        /// Version of this format: 1.
        required format: Format,
        /// Name of the assignment, made of `a-z`, `0-9` and `-`.
        required id: Id,
        /// Its title in both languages.
        required title: RawTitle,
        /// Its problems, in order.
        required problem: Vec<At<RawEntry>>,
    }
}

table! {
    /// A problem of the assignment. Exactly one of `points` and `bonus` must be given, equal to the sum of
    /// its subtasks' points.
    RawEntry: UnknownKey {
        /// The problem's folder, relative to the folder of this file. It holds `problem.toml`.
        required path: String,
        /// What the problem is worth; at most three decimals.
        optional points: Worth,
        /// What the problem is worth on top of the assignment's total; at most three decimals.
        optional bonus: Worth,
    }
}
