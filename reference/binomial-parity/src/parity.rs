//! The parity of a binomial coefficient.

/// Whether C(n, k) is odd: exactly if every bit of `k` is a bit of `n`.
///
/// Lucas: modulo a prime p, C(n, k) is the product of C(nᵢ, kᵢ) over the digits of n and k in base
/// p. For p = 2 the factors are C(0, 0) = C(1, 0) = C(1, 1) = 1 and C(0, 1) = 0; so the product is
/// 1 unless some digit of k is 1 where that of n is 0. Kummer says the same in other words: the
/// number of factors 2 in C(n, k) is the number of carries when k and n - k are added in binary.
///
/// It needs no condition on the arguments: for k > n, where C(n, k) = 0, some bit of k is not in n.
///
/// Source: É. Lucas, *Théorie des fonctions numériques simplement périodiques*, American Journal
/// of Mathematics 1, 1878; E. E. Kummer, Journal für die reine und angewandte Mathematik 44, 1852.
pub fn is_odd(n: u64, k: u64) -> bool {
    n & k == k
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_parity_is_that_of_pascals_triangle() {
        let mut row = vec![1_u8];
        for n in 0..300 {
            for (k, entry) in row.iter().enumerate() {
                assert_eq!(is_odd(n, k as u64), *entry == 1, "C({n}, {k})");
            }
            // The next row of the triangle, modulo 2.
            let inner = row.windows(2).map(|pair| pair[0] ^ pair[1]);
            row = [1].into_iter().chain(inner).chain([1]).collect();
        }
    }

    #[test]
    fn a_coefficient_outside_the_triangle_is_zero() {
        assert!((0..64).all(|n| (n + 1..64).all(|k| !is_odd(n, k))));
    }
}
