use std::env;

fn main() {
    let n: usize = env::args().nth(1).expect("n").parse().expect("a number");
    let mut code = 0u32;
    for i in 1..=(1u32 << n) {
        println!("{code:0n$b}");
        // The bit that changes is the lowest one that is set in the step's number.
        code ^= i & i.wrapping_neg();
    }
}
