//! Boards with queens: which queens attack each other, and how to show it.
//!
//! Rows and columns are numbered from 0 in the code and from 1 wherever a person reads them. Finding the
//! first attack is linear in time and memory: one bit for each column and each diagonal, so that 10⁷ queens
//! need 6 MiB besides the placement itself.
//!
//! A [`Placement`] has one queen in each row; a [`Board`] holds any set of queens, as a program may have
//! drawn it. [`Drawing`] shows either as lines of text.
//!
//! ```
//! use grader_queens::{AttackLine, Placement, Queens};
//!
//! let placement = Placement::new(vec![0, 2, 1, 3])?;
//! let attack = placement.first_attack().ok_or("legal")?;
//! assert_eq!((attack.earlier.row, attack.later.row), (1, 2));
//! assert_eq!(attack.line, AttackLine::Rising);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod attack;
mod bits;
mod board;
mod cell;
mod drawing;
mod placement;
mod queens;
mod view;

pub use attack::{Attack, AttackLine};
pub use board::Board;
pub use cell::{Cell, OutsideBoard};
pub use drawing::Drawing;
pub use placement::Placement;
pub use queens::Queens;
