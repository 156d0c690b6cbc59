//! Boards with queens: attacks, and drawings of them.
//!
//! Rows and columns are numbered from 0 in code and from 1 in messages. The first attack is found in linear time and
//! memory: one bit for each column and each diagonal, besides the board.
//!
//! ```
//! use grader_queens::{AttackLine, Board, Cell};
//!
//! let columns = [0, 2, 1, 3];
//! let queens = (0..).zip(columns).map(|(row, column)| Cell { row, column });
//! let board = Board::new(4, queens.collect()).map_err(|cell| format!("outside: {cell:?}"))?;
//! let attack = board.first_attack().ok_or("legal")?;
//! assert_eq!((attack.earlier.row, attack.later.row), (1, 2));
//! assert_eq!(attack.line, AttackLine::Rising);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attack;
mod board;
mod drawing;

pub use attack::{Attack, AttackLine, Cell};
pub use board::Board;
pub use drawing::{draw, figure};
