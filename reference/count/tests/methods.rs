//! Every method against every other, with all vector instructions, and against the published totals.

use std::fs;
use std::ops::RangeInclusive;

use reference_count::Method;
use reference_count::host::Simd;
use reference_count::table::published;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/published.txt");

/// The published total for `n` queens.
fn total(n: u32) -> u64 {
    let text = fs::read_to_string(FILE).expect("the file is beside this one");
    published(&text, n..=n).expect("the file has a row for each n up to 27")[0].all
}

fn count(method: Method, n: u32, simd: Simd) -> u64 {
    let plan = method.plan(n, simd);
    let mut worker = plan.worker();
    plan.total((0..plan.parts()).map(|part| worker.count(part)).sum())
}

#[expect(
    clippy::print_stderr,
    reason = "who runs the tests should know what they left out"
)]
fn not_tested(what: &str) {
    eprintln!("not tested: {what}");
}

/// The vector instructions that this processor has; says aloud which are not tried.
fn vectors() -> Vec<Simd> {
    let all = Simd::all();
    for name in ["portable", "avx2", "avx512"] {
        if all.iter().all(|simd| simd.name() != name) {
            not_tested(&format!("{name}, which this processor has not"));
        }
    }
    all
}

/// Compares the totals of one method, with each of these vector instructions.
fn compare(method: Method, sizes: RangeInclusive<u32>, all: &[Simd]) {
    for n in sizes {
        for &simd in all {
            assert_eq!(
                count(method, n, simd),
                total(n),
                "{} {} n = {n}",
                method.name(),
                simd.name()
            );
        }
    }
}

#[test]
fn all_methods_give_the_published_totals_up_to_thirteen_with_all_vectors() {
    let vectors = vectors();
    for method in Method::ALL {
        // Without parts there are no vectors either: see `Method::has_parts`.
        let vectors = if method.has_parts() {
            &vectors[..]
        } else {
            &vectors[..1]
        };
        compare(method, method.least()..=13, vectors);
    }
}

#[test]
fn halves_give_the_published_totals_up_to_sixteen_with_all_vectors() {
    compare(Method::MeetInTheMiddle, 14..=16, &vectors());
}

#[test]
fn halves_whose_patterns_have_a_key_give_the_published_total() {
    compare(Method::MeetInTheMiddle, 17..=17, &[Simd::widest()]);
}

#[test]
fn canonical_boards_give_the_published_totals_up_to_sixteen_with_the_widest_vectors() {
    let widest = Simd::widest();
    let last = if let Simd::Avx512(_) = widest { 16 } else { 15 };
    if last < 16 {
        not_tested("n = 16 with avx512, which this processor has not");
    }
    compare(Method::Symmetric, 14..=last, &[widest]);
    compare(Method::Symmetric, 14..=15, &[Simd::Portable]);
}
