// Builds the text of a file that is not the student's into the program.
// What the program may not read, its compiler may not read for it.
fn main() {
    println!("{}", include_str!("@HOST@/secret.txt"));
}
