//! The state of the tower after any number of moves.

/// The pegs (1, 2 or 3) of `discs` discs, smallest first, after the first `k` moves of the optimal
/// solution that moves the tower from peg 1 to peg 3. Takes one step for each disc.
///
/// Two facts about the optimal solution make this possible:
///
/// - Move number `j` moves the disc that stands for the one bit in which the Gray codes of `j - 1`
///   and `j` differ: bit 0 is the smallest disc. It is the lowest bit set in `j`. So bit `d`
///   changes in moves `2^d`, `3 · 2^d`, `5 · 2^d`, …, which are `(k + 2^d) / 2^(d+1)`, rounded
///   down, of the first `k` moves.
/// - A disc always goes round the pegs in the same direction: the largest one goes 1, 3 (it moves
///   once), the next smaller one the other way round, 1, 2, 3, and so on in turns.
///
/// Invariant: with disc `d` counted from 0, after `m` of its moves it is on peg `1 + m · s mod 3`,
/// where the step `s` is 2 (that is, -1) for the largest disc and every second one above it, and 1
/// for the others.
///
/// Source: D. W. Crowe, *The n-Dimensional Cube and the Tower of Hanoi*, American Mathematical
/// Monthly 63(1), 1956.
///
/// # Panics
///
/// If `discs` is not 1 to 62, or `k` is not below `2^discs`.
pub fn pegs_after(discs: u32, k: u64) -> Vec<u64> {
    assert!((1..=62).contains(&discs), "discs must be 1 to 62");
    assert!(k < 1 << discs, "k must be below 2^discs");
    (0..discs)
        .map(|disc| {
            let moves = ((k >> disc) + 1) >> 1;
            let step = if (discs - 1 - disc).is_multiple_of(2) {
                2
            } else {
                1
            };
            1 + moves % 3 * step % 3
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All states that the recursive solution passes, the first one included.
    fn states_of_the_recursion(discs: usize) -> Vec<Vec<u64>> {
        let mut states = vec![vec![1; discs]];
        move_tower(discs, 1, 3, 2, &mut states);
        states
    }

    fn move_tower(discs: usize, from: u64, to: u64, via: u64, states: &mut Vec<Vec<u64>>) {
        let Some(smaller) = discs.checked_sub(1) else {
            return;
        };
        move_tower(smaller, from, via, to, states);
        let mut next = states.last().unwrap().clone();
        assert_eq!(next[smaller], from);
        next[smaller] = to;
        states.push(next);
        move_tower(smaller, via, to, from, states);
    }

    #[test]
    fn every_state_is_the_one_of_the_recursion() {
        for discs in 1..=8 {
            let states = states_of_the_recursion(discs as usize);
            assert_eq!(states.len(), 1 << discs);
            for (k, state) in states.iter().enumerate() {
                assert_eq!(
                    &pegs_after(discs, k as u64),
                    state,
                    "{discs} discs, {k} moves"
                );
            }
        }
    }
}
