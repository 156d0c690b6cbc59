//! A solution that is written down at once.

/// A solution for `n` queens, the column of each row counted from 0; `n` is 1 or at least 4.
///
/// It searches nothing and draws nothing, so it is the floor below the searches: the time it takes
/// to write n numbers into memory. There are three cases; counted from 0, with rows going down:
///
/// ```text
/// n even, n mod 6 ≠ 2      n even, n mod 6 = 2 (8, 14, 20 …)        n odd
/// row i: 2i + 1            row i: n/2 - 1 + 2i, modulo n            the board of n - 1
/// then the even columns    the lower half is the upper half,        and a queen in the
///                          turned by 180 degrees                    corner
///
/// . Q . . . .              . . . Q . . . .                          . Q . . .
/// . . . Q . .              . . . . . Q . .                          . . . Q .
/// . . . . . Q              . . . . . . . Q                          Q . . . .
/// Q . . . . .              . Q . . . . . .                          . . Q . .
/// . . Q . . .              . . . . . . Q .                          . . . . Q
/// . . . . Q .              Q . . . . . . .
///                          . . Q . . . . .
///                          . . . . Q . . .
/// ```
///
/// The corner is free because neither even board has a queen on the diagonal that leads to it.
///
/// Sources: E. Pauls, *Das Maximalproblem der Damen auf dem Schachbrete*, Deutsche Schachzeitung
/// 29, 1874; E. J. Hoffman, J. C. Loessi and R. C. Moore, *Constructions for the Solution of the m
/// Queens Problem*, Mathematics Magazine 42(2), 1969; B. Bernhardsson, *Explicit Solutions to the
/// N-Queens Problem for All N*, SIGART Bulletin 2(2), 1991, a reply to Sosic and Gu. The formulas
/// are as they are commonly quoted, and are tested here for each n up to 2000.
///
/// # Panics
///
/// If `n` is 2 or 3, for which there is no solution.
pub fn solve(n: u32) -> Vec<u32> {
    assert!(![2, 3].contains(&n), "no board of {n} queens exists");
    let even = n - n % 2;
    let half = even / 2;
    let mut columns = Vec::with_capacity(n as usize);
    if even % 6 == 2 {
        let upper = |row: u32| (half - 1 + 2 * row) % even;
        columns.extend((0..half).map(upper));
        columns.extend((0..half).rev().map(|row| even - 1 - upper(row)));
    } else {
        columns.extend((0..half).map(|row| 2 * row + 1));
        columns.extend((0..half).map(|row| 2 * row));
    }
    if n > even {
        columns.push(even);
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;
    use reference_local_search::legality::is_solution;

    #[test]
    fn every_board_is_a_solution() {
        for n in (1..=2000).filter(|n| ![2, 3].contains(n)) {
            let columns = solve(n);
            assert_eq!(columns.len(), n as usize);
            assert!(is_solution(&columns), "n = {n}");
        }
    }
}
