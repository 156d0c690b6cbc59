//! What holds for the boards and the figures of every method.

use reference_local_search::random::Random;
use reference_polynomial::{Method, Statistics};

const SEARCHES: [Method; 4] = [Method::Qs1, Method::Qs2, Method::Qs4, Method::Qs4c];

fn solve(method: Method, n: u32, seed: u64) -> (Vec<u32>, Statistics) {
    let mut statistics = Statistics::default();
    let columns = method.solve(n, &mut Random::new(seed), &mut statistics);
    (columns, statistics)
}

/// Whether `n` queens stand in these columns and none attacks another, by sorting: apart from the
/// program's own check.
fn is_board(columns: &[u32], n: u32) -> bool {
    let all_differ = |line: fn((i64, i64)) -> i64| {
        let mut lines: Vec<i64> = (0..)
            .zip(columns)
            .map(|(row, &column)| line((row, i64::from(column))))
            .collect();
        lines.sort_unstable();
        lines.windows(2).all(|pair| pair[0] != pair[1])
    };
    columns.len() == n as usize
        && columns.iter().all(|&column| column < n)
        && all_differ(|(_, column)| column)
        && all_differ(|(row, column)| row - column)
        && all_differ(|(row, column)| row + column)
}

#[test]
fn every_board_of_every_search_is_a_solution() {
    for method in SEARCHES {
        assert_eq!(solve(method, 1, 0).0, [0], "{method:?}");
        for n in 4..=300 {
            for seed in [1, u64::from(n), u64::MAX - u64::from(n)] {
                let (columns, _) = solve(method, n, seed);
                assert!(is_board(&columns, n), "{method:?}, n = {n}, seed {seed}");
            }
        }
    }
}

#[test]
fn every_large_board_is_a_solution() {
    // The linear method draws from strips from 262144 queens on.
    for (method, n) in [
        (Method::Qs1, 5000),
        (Method::Qs2, 50_000),
        (Method::Qs4, 300_000),
        (Method::Qs4c, 262_143),
        (Method::Qs4c, 262_144),
        (Method::Qs4c, 262_145),
        (Method::Qs4c, 500_001),
        (Method::ClosedForm, 1_000_001),
    ] {
        let (columns, _) = solve(method, n, 3);
        assert!(is_board(&columns, n), "{method:?}, n = {n}");
    }
}

#[test]
fn another_seed_gives_another_board() {
    for method in SEARCHES {
        assert_eq!(solve(method, 500, 3), solve(method, 500, 3), "{method:?}");
        let [one, other] = [3, 4].map(|seed| solve(method, 500, seed).0);
        assert_ne!(one, other, "{method:?}");
    }
}
