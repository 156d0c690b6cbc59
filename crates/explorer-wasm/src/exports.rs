//! What the WebAssembly module exports.
#![expect(
    unsafe_code,
    reason = "the attribute that keeps a function's name; the functions are safe"
)]

use std::sync::{Mutex, PoisonError};

use crate::{Course, Method};

/// The list that was recorded last.
static LIST: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// Keeps a list for the page, and returns how long it is.
fn keep(words: Vec<u32>) -> usize {
    let length = words.len();
    *LIST.lock().unwrap_or_else(PoisonError::into_inner) = words;
    length
}

/// Where the list is that was recorded last.
#[unsafe(no_mangle)]
extern "C" fn list() -> *const u32 {
    let list = LIST.lock().unwrap_or_else(PoisonError::into_inner);
    list.as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn backtracking(n: u32) -> usize {
    keep(crate::backtracking(n))
}

#[unsafe(no_mangle)]
extern "C" fn count(n: u32) -> u32 {
    crate::count(n) as u32
}

/// `method` is 1, 2 or 4.
#[unsafe(no_mangle)]
extern "C" fn local_search(method: u32, n: u32, seed: u32) -> usize {
    let method = match method {
        1 => Method::Qs1,
        2 => Method::Qs2,
        _ => Method::Qs4,
    };
    keep(crate::local_search(method, n, seed.into()))
}

#[unsafe(no_mangle)]
extern "C" fn annealing(
    n: u32,
    start_temperature: f64,
    cooling: f64,
    final_temperature: f64,
    sweeps: u32,
    seed: u32,
) -> usize {
    let course = Course {
        start_temperature,
        cooling,
        final_temperature,
        sweeps,
    };
    keep(crate::annealing(n, course, seed.into()))
}

/// -1 if the board is not solved.
#[unsafe(no_mangle)]
extern "C" fn sweeps_to_solve(
    n: u32,
    start_temperature: f64,
    cooling: f64,
    final_temperature: f64,
    sweeps: u32,
    seed: u32,
) -> i32 {
    let course = Course {
        start_temperature,
        cooling,
        final_temperature,
        sweeps,
    };
    crate::sweeps_to_solve(n, course, seed.into()).map_or(-1, |sweeps| sweeps as i32)
}

#[unsafe(no_mangle)]
extern "C" fn gray(index: u32) -> u32 {
    crate::gray(index)
}

#[unsafe(no_mangle)]
extern "C" fn hanoi(discs: u32, moves: u32) -> usize {
    keep(crate::hanoi(discs, moves))
}
