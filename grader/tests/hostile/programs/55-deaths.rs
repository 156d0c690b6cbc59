// Dies in the way that its argument names.
// The report must tell how.
extern "C" {
    fn raise(signal: i32) -> i32;
    fn kill(process: i32, signal: i32) -> i32;
}
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    match &*arguments[2] {
        "abort" => std::process::abort(),
        "panic" => panic!("as asked"),
        "term" => unsafe {
            raise(15);
        },
        "kill" => unsafe {
            kill(std::process::id() as i32, 9);
        },
        "null" => unsafe { (8 as *mut u64).write_volatile(1) },
        _ => std::process::exit(arguments[3].parse().unwrap()),
    }
}
