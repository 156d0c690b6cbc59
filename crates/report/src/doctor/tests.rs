use std::fs;
use std::path::Path;

use grader_model::{Lang, Text};
use serde_json::json;

use super::*;
use crate::json::write_value;
use crate::style::Style;

fn layer(name: &str, hold: LayerHold) -> LayerFinding {
    LayerFinding {
        name: name.to_owned(),
        required: name != "proc",
        hold,
        purpose: Text::new("Keeps something apart.", "把某样东西隔开。"),
        detail: None,
        mends: Vec::new(),
    }
}

fn mends() -> Vec<Mend> {
    vec![
        Mend {
            why: Text::new("root may do it", "root 可以做到"),
            commands: vec!["sudo grader doctor".to_owned()],
        },
        Mend {
            why: Text::new("the system allows it to nobody", "系统不允许任何人这样做"),
            commands: vec!["one line \\\n  and another".to_owned(), "reload".to_owned()],
        },
    ]
}

fn timing(name: &str, value: Option<&str>, disturbs: bool) -> TimingFinding {
    TimingFinding {
        name: name.to_owned(),
        label: Text::new(name, "某因素"),
        value: value.map(str::to_owned),
        disturbs,
        effect: Text::new("times vary from run to run", "每次运行的时间不同"),
        commands: vec!["sudo swapoff -a".to_owned()],
    }
}

fn sick() -> Diagnosis {
    Diagnosis {
        layers: vec![
            LayerFinding {
                detail: Some("clone3 gave EPERM\u{1b}[2J".to_owned()),
                mends: mends(),
                ..layer("user-namespace", LayerHold::Missing)
            },
            LayerFinding {
                mends: mends(),
                ..layer("pid-namespace", LayerHold::Missing)
            },
            layer("proc", LayerHold::Missing),
            LayerFinding {
                detail: Some("ABI 1".to_owned()),
                ..layer("landlock", LayerHold::Weaker)
            },
            layer("seccomp", LayerHold::Held),
        ],
        escapes: Escapes::NotTried,
        toolchains: vec![
            ToolchainFinding {
                language: "cpp".to_owned(),
                name: "C++".to_owned(),
                found: Ok("g++ 12.2.0".to_owned()),
            },
            ToolchainFinding {
                language: "pascal".to_owned(),
                name: "Pascal".to_owned(),
                found: Err(Lacking {
                    problem: Text::new("not installed: fpc", "没有安装 fpc"),
                    install: "apt-get install fpc".to_owned(),
                }),
            },
        ],
        timing: vec![
            timing("swap", Some("on"), true),
            timing("cores", Some("2"), false),
            timing("governor", None, false),
        ],
    }
}

fn well() -> Diagnosis {
    Diagnosis {
        layers: vec![
            layer("seccomp", LayerHold::Held),
            layer("proc", LayerHold::Missing),
        ],
        escapes: Escapes::Tried(vec![escape("mount a tmpfs", true)]),
        toolchains: Vec::new(),
        timing: Vec::new(),
    }
}

fn escape(what: &str, denied: bool) -> Escape {
    Escape {
        what: what.to_owned(),
        denied,
        found: if denied { "EPERM" } else { "a file system" }.to_owned(),
    }
}

#[test]
fn what_is_missing_is_told_with_its_mends_and_the_same_mends_only_once() {
    assert_eq!(
        doctor(&sick(), &Style::default()),
        "Layers of strict isolation
  ✗ user-namespace  missing  Keeps something apart.
                             tried: clone3 gave EPERM\\x1b[2J
      mend: root may do it
          sudo grader doctor
      or: the system allows it to nobody
          one line \\
            and another
          reload
  ✗ pid-namespace   missing  Keeps something apart.
      mend: as for `user-namespace`
  - proc            missing  Keeps something apart.
      mend: none is known for this machine
  ~ landlock        weaker   Keeps something apart.
                             by: ABI 1
  ✓ seccomp         held     Keeps something apart.

Attempts to get out
  not tried: there is no sandbox to get out of

Compilers and interpreters
  ✓ C++     g++ 12.2.0
  - Pascal  not installed: fpc

What disturbs timing
  ~ swap      on
      times vary from run to run
          sudo swapoff -a
  ✓ cores     2
      times vary from run to run
  ? governor  unknown
      times vary from run to run

Strict isolation cannot be had here.
",
    );
}

#[test]
fn a_diagnosis_in_chinese_speaks_chinese_throughout() {
    let style = Style {
        lang: Lang::Zh,
        ..Style::default()
    };
    assert_eq!(
        doctor(&sick(), &style),
        "严格隔离的各层
  ✗ user-namespace  缺失  把某样东西隔开。
                          尝试：clone3 gave EPERM\\x1b[2J
      办法：root 可以做到
          sudo grader doctor
      或者：系统不允许任何人这样做
          one line \\
            and another
          reload
  ✗ pid-namespace   缺失  把某样东西隔开。
      办法：同 `user-namespace`
  - proc            缺失  把某样东西隔开。
      办法：没有已知的办法适用于这台机器
  ~ landlock        较弱  把某样东西隔开。
                          方式：ABI 1
  ✓ seccomp         有效  把某样东西隔开。

逃逸试验
  没有试验：没有可供逃逸的沙箱

编译器和解释器
  ✓ C++     g++ 12.2.0
  - Pascal  没有安装 fpc

影响计时的因素
  ~ 某因素  on
      每次运行的时间不同
          sudo swapoff -a
  ✓ 某因素  2
      每次运行的时间不同
  ? 某因素  未知
      每次运行的时间不同

这台机器无法提供严格隔离。
"
    );
}

#[test]
fn only_a_machine_that_lets_nothing_out_holds() {
    assert!(well().holds());
    let with = |escapes| Diagnosis { escapes, ..well() };
    for escapes in [
        Escapes::NotTried,
        Escapes::Failed("the launcher failed".to_owned()),
        Escapes::Tried(Vec::new()),
        Escapes::Tried(vec![escape("a", true), escape("b", false)]),
    ] {
        assert!(!with(escapes.clone()).holds(), "{escapes:?}");
    }
    let mut weaker = well();
    weaker.layers[0].hold = LayerHold::Weaker;
    assert!(weaker.holds());
    weaker.layers[0].hold = LayerHold::Missing;
    assert!(!weaker.holds());
}

#[test]
fn what_got_out_is_named_and_the_verdict_follows() {
    let diagnosis = Diagnosis {
        escapes: Escapes::Tried(vec![escape("mount a tmpfs", false), escape("ptrace", true)]),
        ..well()
    };
    assert_eq!(
        doctor(&diagnosis, &Style::default()),
        "Layers of strict isolation
  ✓ seccomp  held     Keeps something apart.
  - proc     missing  Keeps something apart.
      mend: none is known for this machine

Attempts to get out
  ✗ 1 of 2 escape attempts denied
      mount a tmpfs: a file system

Compilers and interpreters

What disturbs timing

Strict isolation cannot be had here.
",
    );
}

#[test]
fn a_refusal_names_each_layer_its_mend_and_the_ways_to_go_on() {
    let layers = sick().layers;
    assert_eq!(
        refusal(&layers, &[], true, "error: ", &Style::default()),
        "error: strict isolation cannot be had here: 2 layers are missing

  user-namespace: Keeps something apart.
    tried: clone3 gave EPERM\\x1b[2J
    mend: root may do it
        sudo grader doctor
    or: the system allows it to nobody
        one line \\
          and another
        reload

  pid-namespace: Keeps something apart.
    mend: as for `user-namespace`

to continue anyway:
  --allow-missing user-namespace --allow-missing pid-namespace
      strict isolation without these layers; every report says so
  --isolation auto
      use the layers this machine has, and print what is missing
  --isolation basic
      not a sandbox: only for programs that you trust
`grader doctor` tries every layer and says more.
",
    );
    let style = Style {
        lang: Lang::Zh,
        ..Style::default()
    };
    assert_eq!(
        refusal(&layers, &["user-namespace"], true, "错误：", &style),
        "错误：这台机器无法提供严格隔离：缺少 1 层

  pid-namespace：把某样东西隔开。
    办法：root 可以做到
        sudo grader doctor
    或者：系统不允许任何人这样做
        one line \\
          and another
        reload

如果仍要继续：
  --allow-missing pid-namespace
      没有这些层的严格隔离；每份报告都会说明
  --isolation auto
      使用这台机器具备的隔离层，并说明缺少什么
  --isolation basic
      不是沙箱：只用于可以信任的程序
`grader doctor` 会逐层试验，并给出更多说明。
"
    );
}

/// Without its namespaces nothing else could be tried.
fn stuck() -> Vec<LayerFinding> {
    vec![
        LayerFinding {
            detail: Some("ENOSPC".to_owned()),
            mends: mends()[..1].to_vec(),
            ..layer("user-namespace", LayerHold::Missing)
        },
        layer("outer-uid", LayerHold::Untried),
        layer("proc", LayerHold::Untried),
        layer("seccomp", LayerHold::Untried),
    ]
}

#[test]
fn where_the_rest_could_not_be_tried_a_refusal_does_not_offer_to_waive() {
    assert_eq!(
        refusal(&stuck(), &[], true, "error: ", &Style::default()),
        "error: strict isolation cannot be had here: 1 layer is missing

  user-namespace: Keeps something apart.
    tried: ENOSPC
    mend: root may do it
        sudo grader doctor

  could not be tried because of that: outer-uid, seccomp

to continue anyway:
  --isolation auto
      use the layers this machine has, and print what is missing
  --isolation basic
      not a sandbox: only for programs that you trust
`grader doctor` tries every layer and says more.
",
    );
    let style = Style {
        lang: Lang::Zh,
        ..Style::default()
    };
    let waived = ["user-namespace", "outer-uid", "seccomp"];
    assert_eq!(
        refusal(&stuck(), &waived, true, "错误：", &style),
        "错误：这台机器无法提供严格隔离：缺少 1 层

  user-namespace：把某样东西隔开。
    尝试：ENOSPC
    办法：root 可以做到
        sudo grader doctor

  因此无法试验：outer-uid、seccomp

`--allow-missing` 在这里无济于事：缺少的层是在沙箱中运行任何程序所必需的。
如果仍要继续：
  --isolation auto
      使用这台机器具备的隔离层，并说明缺少什么
  --isolation basic
      不是沙箱：只用于可以信任的程序
`grader doctor` 会逐层试验，并给出更多说明。
",
    );
}

#[test]
fn a_layer_that_could_not_be_tried_has_no_mend_and_holds_nothing() {
    let diagnosis = Diagnosis {
        layers: stuck(),
        ..well()
    };
    assert!(!diagnosis.holds());
    let told = doctor(&diagnosis, &Style::default());
    let layers: Vec<&str> = told.lines().take_while(|line| !line.is_empty()).collect();
    assert_eq!(
        layers.join("\n"),
        "Layers of strict isolation
  ✗ user-namespace  missing  Keeps something apart.
                             tried: ENOSPC
      mend: root may do it
          sudo grader doctor
  ? outer-uid       untried  Keeps something apart.
  ? proc            untried  Keeps something apart.
  ? seccomp         untried  Keeps something apart."
    );
    let mut untried = well();
    untried.layers[0].hold = LayerHold::Untried;
    assert!(!untried.holds());
}

/// Set `BITCRAFT_BLESS` to write the schema anew after a change of the types.
#[test]
fn the_committed_schema_is_the_one_that_the_types_give() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema/doctor.schema.json");
    let mut generated = Vec::new();
    write_value(&doctor_schema(), &mut generated).unwrap();
    let generated = String::from_utf8(generated).unwrap();
    if std::env::var_os("BITCRAFT_BLESS").is_some() {
        fs::write(&path, &generated).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), generated);
}

#[test]
fn a_diagnosis_is_written_with_every_key_and_keeps_to_the_schema() {
    let validator = jsonschema::draft202012::new(&doctor_schema()).unwrap();
    for diagnosis in [sick(), well()] {
        let value = serde_json::to_value(doctor_document(&diagnosis)).unwrap();
        assert!(validator.is_valid(&value), "{value}");
    }
    let mut small = sick();
    small.layers.truncate(1);
    small.layers[0].mends.truncate(1);
    small.timing.truncate(1);
    small.escapes = Escapes::Tried(vec![escape("ptrace", true), escape("mount a tmpfs", false)]);
    assert_eq!(
        serde_json::to_value(doctor_document(&small)).unwrap(),
        json!({
            "format": "bitcraft-doctor/1",
            "holds": false,
            "layers": [{
                "name": "user-namespace",
                "required": true,
                "hold": "missing",
                "purpose": "Keeps something apart.",
                "detail": "clone3 gave EPERM\u{1b}[2J",
                "mends": [{ "why": "root may do it", "commands": ["sudo grader doctor"] }]
            }],
            "escapes": {
                "tried": 2,
                "denied": 1,
                "error": null,
                "attempts": [
                    { "what": "ptrace", "denied": true, "found": "EPERM" },
                    { "what": "mount a tmpfs", "denied": false, "found": "a file system" }
                ]
            },
            "toolchains": [
                { "language": "cpp", "version": "g++ 12.2.0", "problem": null, "install": null },
                {
                    "language": "pascal",
                    "version": null,
                    "problem": "not installed: fpc",
                    "install": "apt-get install fpc"
                }
            ],
            "timing": [{
                "name": "swap",
                "value": "on",
                "disturbs": true,
                "effect": "times vary from run to run",
                "commands": ["sudo swapoff -a"]
            }]
        })
    );
}
