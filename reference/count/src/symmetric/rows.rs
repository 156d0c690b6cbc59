//! The search, one state at a time.

use super::State;
use super::canonical::Row;

/// Fills `rows` in all ways and shows what each leaves of the row after them.
pub(super) fn visit(rows: &[Row], state: State, visitor: &mut dyn FnMut(State)) {
    let [row, below @ ..] = rows else {
        return visitor(state);
    };
    for queen in squares(state.open(*row)) {
        visit(below, state.with(queen, *row), visitor);
    }
}

/// The number of ways to fill `rows`.
pub(super) fn count(rows: &[Row], state: State) -> u64 {
    match rows {
        [] | [_] | [_, _] => {
            let mut ways = 0;
            visit(rows, state, &mut |_| ways += 1);
            ways
        }
        &[first, second, third] => squares(state.open(first))
            .map(|queen| last_two(second, third, state.with(queen, first)))
            .sum(),
        [row, below @ ..] => squares(state.open(*row))
            .map(|queen| state.with(queen, *row))
            .filter(|state| state.free & row.taken == 0 && is_alive(below, *state))
            .map(|state| count(below, state))
            .sum(),
    }
}

/// The set bits, from the lowest on.
fn squares(mut open: u32) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let lowest = open & open.wrapping_neg();
        open ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// Whether the first of `rows` has a square for a queen, and, as far as the queens above it tell,
/// the second too.
fn is_alive(rows: &[Row], state: State) -> bool {
    let after = State {
        free: state.free,
        left: state.left << rows[0].step,
        right: state.right >> rows[0].step,
    };
    state.open(rows[0]) != 0 && after.open(rows[1]) != 0
}

/// The number of ways to fill the last two rows of the board, 0 to 2: two columns are free, and
/// their queens can stand in either order.
///
/// ```text
///   first   - L - - H -      - L - - H -
///            Q                        Q          L  the lower column, H the higher one
///   second  - L - - H -      - L - - H -
///                   Q          Q
/// ```
fn last_two(first: Row, second: Row, state: State) -> u64 {
    // The same distance between columns as between rows: a diagonal, whatever the order.
    if state.free << first.step & state.free != 0 {
        return 0;
    }
    let high = state.free & (state.free - 1);
    let low = state.free ^ high;
    let above = state.open(first);
    let after = State {
        free: state.free,
        left: state.left << first.step,
        right: state.right >> first.step,
    };
    let below = after.open(second);
    u64::from(above & low != 0 && below & high != 0)
        + u64::from(above & high != 0 && below & low != 0)
}
