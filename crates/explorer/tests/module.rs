//! The checked-in WebAssembly module is what the references are now, and does what they do.
#![expect(
    clippy::unwrap_used,
    reason = "a panic in a test, and in what serves it, is its report"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use grader_explorer_wasm::{self as native, Course, Method};
use sha2::{Digest, Sha256};
use wasmi::{Engine, Instance, Linker, Module, Store, WasmParams};

const MODULE: &[u8] = include_bytes!("../explorer.wasm");

#[test]
fn the_module_was_built_from_the_sources_that_are_here() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut sources = BTreeMap::new();
    add_sources(&root, "crates/explorer-wasm/src", &mut sources);
    for name in [
        "annealing",
        "count",
        "gray-code",
        "hanoi",
        "local-search",
        "polynomial",
    ] {
        add_sources(&root, &format!("reference/{name}/src"), &mut sources);
    }
    let recorded = fs::read_to_string(root.join("crates/explorer/explorer.wasm.sources")).unwrap();
    let recorded: BTreeMap<String, String> = recorded
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(hash, path)| (path.to_owned(), hash.to_owned()))
        .collect();
    let changed: Vec<&String> = sources
        .keys()
        .chain(recorded.keys())
        .filter(|path| sources.get(*path) != recorded.get(*path))
        .collect();
    assert!(
        changed.is_empty(),
        "`explorer.wasm` is older than {changed:?}: run `crates/explorer/build-wasm.sh`"
    );
}

/// Adds the hash of each source below a folder, but for the command lines, which are not in the module.
fn add_sources(root: &Path, folder: &str, sources: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(root.join(folder)).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        let path = format!("{folder}/{name}");
        let is_source = entry
            .path()
            .extension()
            .is_some_and(|extension| extension == "rs");
        if entry.file_type().unwrap().is_dir() {
            add_sources(root, &path, sources);
        } else if is_source && !["main.rs", "program.rs"].contains(&name.as_str()) {
            sources.insert(path, sha256(&entry.path()));
        }
    }
}

fn sha256(path: &PathBuf) -> String {
    let digest = Sha256::digest(fs::read(path).unwrap());
    digest.iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

/// The module as a machine runs it that knows nothing of this one.
struct Machine {
    store: Store<()>,
    instance: Instance,
}

impl Machine {
    fn new() -> Self {
        let engine = Engine::default();
        let module = Module::new(&engine, MODULE).unwrap();
        assert_eq!(module.imports().count(), 0, "the module needs nothing");
        let mut store = Store::new(&engine, ());
        let linker = Linker::new(&engine);
        let instance = linker.instantiate_and_start(&mut store, &module).unwrap();
        Self { store, instance }
    }

    fn call<R: wasmi::WasmResults>(&mut self, name: &str, parameters: impl WasmParams) -> R {
        let function = self.instance.get_typed_func(&self.store, name).unwrap();
        function.call(&mut self.store, parameters).unwrap()
    }

    /// The list that a function records.
    fn list(&mut self, name: &str, parameters: impl WasmParams) -> Vec<u32> {
        let length: u32 = self.call(name, parameters);
        let start: u32 = self.call("list", ());
        let memory = self.instance.get_memory(&self.store, "memory").unwrap();
        memory.data(&self.store)[start as usize..][..4 * length as usize]
            .chunks_exact(4)
            .map(|word| u32::from_le_bytes(word.try_into().unwrap()))
            .collect()
    }
}

#[test]
fn the_module_does_what_the_references_do() {
    let mut machine = Machine::new();
    let mut compared = 0;
    for n in 1..=8 {
        assert_eq!(machine.list("backtracking", n), native::backtracking(n));
        assert_eq!(u64::from(machine.call::<u32>("count", n)), native::count(n));
        compared += 1;
    }
    // `QS4` tries each queen 7000 times before it starts anew, and on small boards often does.
    for (number, method, seeds) in [
        (1, Method::Qs1, 120),
        (2, Method::Qs2, 120),
        (4, Method::Qs4, 20),
    ] {
        for seed in 0..seeds {
            for n in [4 + seed % 5, 9 + seed % 24] {
                let found = machine.list("local_search", (number, n, seed));
                let expected = native::local_search(method, n, seed.into());
                assert_eq!(found, expected, "{method:?}, n = {n}, seed {seed}");
                compared += 1;
            }
        }
    }
    for seed in 0..236 {
        for (n, start_temperature, cooling) in [(4 + seed % 30, 1.0, 0.9), (8, 0.37, 0.83)] {
            let course = Course {
                start_temperature,
                cooling,
                final_temperature: 0.3,
                sweeps: 20,
            };
            let parameters = (n, start_temperature, cooling, 0.3, 20, seed);
            let found = machine.list("annealing", parameters);
            assert_eq!(
                found,
                native::annealing(n, course, seed.into()),
                "n = {n}, seed {seed}"
            );
            let sweeps: i32 = machine.call("sweeps_to_solve", parameters);
            let expected = native::sweeps_to_solve(n, course, seed.into());
            assert_eq!(u64::try_from(sweeps).ok(), expected, "n = {n}, seed {seed}");
            compared += 1;
        }
    }
    for index in 0..64 {
        assert_eq!(machine.call::<u32>("gray", index), native::gray(index));
        assert_eq!(machine.list("hanoi", (6, index)), native::hanoi(6, index));
    }
    assert_eq!(compared, 1000);
}

#[test]
fn a_search_of_twelve_queens_fits_in_the_list() {
    assert!(native::backtracking(12).len() < native::MAX_WORDS);
}

#[test]
fn the_page_is_one_file_within_its_budget() {
    let page = grader_explorer::page();
    assert!(page.len() <= 160_000, "{} bytes", page.len());
    assert!(MODULE.len() <= 40_000, "{} bytes", MODULE.len());
    assert!(!page.contains("{{"), "everything is filled in");
    let script = page.rsplit_once("<script type=\"module\">").unwrap().1;
    assert!(script.len() <= 46_000, "{} bytes", script.len());
}
