// Does nothing wrong, with a thread.
// Its neighbours must not take its share of processes.
fn main() {
    let answer = std::thread::spawn(|| 42).join().unwrap();
    println!("{answer}");
}
