// Submits a build script beside a harmless program.
// Nobody must run it.
fn main() {
    println!("42");
}
