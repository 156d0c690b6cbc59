//! One board of n queens by simulated annealing.
//!
//! A board is a permutation, the column of each row, so that only diagonals can go wrong; its
//! *energy* is the number of collisions on them. The search proposes to exchange the columns of two
//! random rows (`reference_local_search::board`), accepts what lowers the energy or leaves it, and what raises it with a
//! probability ([`acceptance`]) that falls with the *temperature*, which falls after each sweep of
//! n proposals ([`anneal`]). At high temperature it wanders over the hills; at low temperature it
//! goes down into a valley, hopefully one of energy 0. How much of this is needed for queens, and
//! what happens without it, is said in [`schedule`].
//!
//! The same seed gives the same board on every platform: the random numbers are the program's own
//! (`reference_local_search::random`), temperatures are only multiplied and divided, which IEEE 754 rounds alike
//! everywhere, with no sum behind a product that a processor could take in one step, probabilities
//! are computed in integers, and all of it happens in one thread, in one order. Neither word size
//! nor byte order matters.

pub mod acceptance;
pub mod anneal;
mod exponential;
mod program;
pub mod schedule;
pub mod statistics;
pub mod trace;

pub use program::run;
