//! A description of this machine.

use std::collections::BTreeMap;
use std::fs;
use std::sync::Arc;
use std::thread;

use grader_language::Language;
use grader_model::{Host, LanguageId, ToolchainInfo};

/// Describes this machine and the toolchains of the given languages.
pub(crate) fn describe<'a>(languages: impl Iterator<Item = &'a Arc<Language>>) -> Host {
    let toolchains: BTreeMap<LanguageId, ToolchainInfo> = languages
        .map(|language| {
            let found = language.find().ok();
            let found = found.map(|toolchain| (toolchain.version, toolchain.flags));
            let (version, flags) = found.unzip();
            let flags = flags.unwrap_or_default();
            (language.id, ToolchainInfo { version, flags })
        })
        .collect();
    Host {
        cpu: processor(),
        cores: thread::available_parallelism().map_or(1, usize::from),
        kernel: kernel(),
        toolchains,
    }
}

/// The processor's model, or else the architecture.
pub(crate) fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    model_in(&info).unwrap_or_else(|| std::env::consts::ARCH.to_owned())
}

/// The first processor's model name; on ARM, if there is none, its implementer and part number.
fn model_in(info: &str) -> Option<String> {
    let value_of = |name: &str| {
        let mut lines = info.lines().filter_map(|line| line.split_once(':'));
        let (_, value) = lines.find(|(found, _)| found.trim() == name)?;
        Some(value.trim())
    };
    if let Some(name) = value_of("model name") {
        return Some(name.to_owned());
    }
    let (maker, part) = (value_of("CPU implementer")?, value_of("CPU part")?);
    let variant = value_of("CPU variant").unwrap_or("?");
    let arch = std::env::consts::ARCH;
    Some(format!("{arch} {maker}/{part}/{variant}"))
}

fn kernel() -> String {
    let read = |name: &str| {
        fs::read_to_string(format!("/proc/sys/kernel/{name}")).map(|text| text.trim().to_owned())
    };
    match (read("ostype"), read("osrelease")) {
        (Ok(system), Ok(release)) => format!("{system} {release}"),
        _ => std::env::consts::OS.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_without_a_name_is_known_by_its_maker_and_part() {
        let named = "processor\t: 0\nmodel name\t: A Processor @ 2 GHz\nCPU part\t: 0xd0c\n";
        assert_eq!(model_in(named).as_deref(), Some("A Processor @ 2 GHz"));
        let arm = "processor\t: 0\nBogoMIPS\t: 50.00\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU variant\t: 0x3\nCPU part\t: 0xd0c\n";
        let arch = std::env::consts::ARCH;
        assert_eq!(model_in(arm), Some(format!("{arch} 0x41/0xd0c/0x3")));
        assert_eq!(model_in("processor\t: 0\n"), None);
    }
}
