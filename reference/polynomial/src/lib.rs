//! One board of n queens by the local search of Sosic and Gu, in polynomial time.
//!
//! Backtracking fills the board row by row and may undo a choice after exponentially many steps.
//! The local search starts from a board on which all rows and columns are right, a permutation,
//! and exchanges pairs of queens until the diagonals are right too. Nothing proves that it must
//! succeed; it starts anew when it is stuck, and in practice rarely has to.
//!
//! Two algorithms of the family are here: [`qs1`], the first and simplest, whose time grows a
//! little faster than n, and [`qs4`], whose time is linear in n.
//!
//! Sources, and what was taken from which:
//!
//! - R. Sosic and J. Gu, *A Polynomial Time Algorithm for the N-Queens Problem*, SIGART Bulletin
//!   1(3), 1990 (`QS1`); *3,000,000 Queens in Less Than One Minute*, SIGART Bulletin 2(2), 1991,
//!   and *Efficient Local Search with Conflict Minimization*, IEEE Transactions on Knowledge and Data
//!   Engineering 6(5), 1994 (`QS4`). Their abstracts state the idea: random permutations, exchanges
//!   that lower the number of collisions, an initial search that leaves few collisions, linear
//!   time, no backtracking.
//! - The details (the order of the pairs, 3.08 n trials, 7000 tries per queen before starting anew)
//!   are not in the abstracts. They are as independent re-implementations of the papers have them.

pub mod board;
mod error;
pub mod legality;
mod line;
mod program;
pub mod qs1;
pub mod qs4;
pub mod random;

pub use error::Error;
pub use program::{Method, run};
