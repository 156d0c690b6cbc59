//! One board of n queens by the local search of Sosic and Gu, in polynomial time.
//!
//! Backtracking fills the board row by row and may undo a choice after exponentially many steps.
//! The local search starts from a board on which all rows and columns are right, a permutation,
//! and exchanges pairs of queens until the diagonals are right too. Nothing proves that it must
//! succeed; it starts anew when it is stuck, and in practice rarely has to.
//!
//! The algorithms of the family, from the first to the fastest:
//!
//! - [`qs1`] tries all pairs of queens. Its time grows a little faster than n.
//! - [`qs2`] tries queens that are attacked, and is almost linear.
//! - [`qs4`] begins with a board that has hardly any collisions, and is linear.
//! - [`qs4c`] does what `qs4` does as the memory of a computer likes it. It is not from the papers.
//! - [`closed_form`] searches nothing: a formula, the floor below them all.
//!
//! The same seed and method give the same board on every platform, whatever its word size and byte
//! order: the random numbers are the program's own (`reference_local_search::random`), the searches reckon in integers
//! only, in one thread, and what may be beyond 32 bits has 64.
//!
//! Sources, and what was taken from which:
//!
//! - R. Sosic and J. Gu, *A Polynomial Time Algorithm for the N-Queens Problem*, SIGART Bulletin
//!   1(3), 1990 (`QS1`); *Fast Search Algorithms for the N-Queens Problem*, IEEE Transactions on
//!   Systems, Man, and Cybernetics 21(6), 1991 (`QS2`); *3,000,000 Queens in Less Than One Minute*,
//!   SIGART Bulletin 2(2), 1991, and *Efficient Local Search with Conflict Minimization*, IEEE
//!   Transactions on Knowledge and Data Engineering 6(5), 1994 (`QS4`). Their abstracts state the
//!   idea: random permutations, exchanges that lower the number of collisions, an initial search
//!   that leaves few collisions, linear time, no backtracking. (`QS3`, which is `QS2` from a better
//!   start, is left out: `QS4` has that start and a simpler search behind it.)
//! - The details (the order of the pairs, the list of attacked queens with C1 = 0.45 and C2 = 32,
//!   3.08 n trials, 7000 tries per queen before starting anew) are not in the abstracts. They are
//!   as independent re-implementations of the papers have them.

pub mod closed_form;
pub mod diagonals;
mod method;
mod program;
pub mod qs1;
pub mod qs2;
pub mod qs4;
pub mod qs4c;
mod statistics;
mod step;

pub use method::Method;
pub use program::run;
pub use statistics::Statistics;
pub use step::Step;
