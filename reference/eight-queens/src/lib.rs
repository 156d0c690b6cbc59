//! The number of ways to place eight queens.
