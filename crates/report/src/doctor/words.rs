//! Every text that the diagnosis says by itself, in English and Chinese.

use crate::words::Words;

/// A word or phrase that takes no values.
#[derive(Clone, Copy)]
pub(super) enum Say {
    AutoInstead,
    BasicInstead,
    Cannot,
    Can,
    Colon,
    Detail,
    DoctorKnowsMore,
    EscapesHead,
    Held,
    LayersHead,
    Mend,
    MendUnknown,
    Missing,
    NotTried,
    NothingTried,
    Or,
    TimingHead,
    ToGoOn,
    ToolchainsHead,
    Tried,
    Unknown,
    Untried,
    UntriedLayers,
    WaivedInstead,
    WaivingIsNoHelp,
    Weaker,
}

impl Say {
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::AutoInstead => (
                "use the layers this machine has, and print what is missing",
                "使用这台机器具备的隔离层，并说明缺少什么",
            ),
            Self::BasicInstead => (
                "not a sandbox: only for programs that you trust",
                "不是沙箱：只用于可以信任的程序",
            ),
            Self::Cannot => (
                "Strict isolation cannot be had here.",
                "这台机器无法提供严格隔离。",
            ),
            Self::Can => (
                "Strict isolation can be had here.",
                "这台机器可以提供严格隔离。",
            ),
            Self::Colon => (": ", "："),
            Self::Detail => ("by", "方式"),
            Self::DoctorKnowsMore => (
                "`grader doctor` tries every layer and says more.",
                "`grader doctor` 会逐层试验，并给出更多说明。",
            ),
            Self::EscapesHead => ("Attempts to get out", "逃逸试验"),
            Self::Held => ("held", "有效"),
            Self::LayersHead => ("Layers of strict isolation", "严格隔离的各层"),
            Self::Mend => ("mend", "办法"),
            Self::MendUnknown => (
                "none is known for this machine",
                "没有已知的办法适用于这台机器",
            ),
            Self::Missing => ("missing", "缺失"),
            Self::NotTried => (
                "not tried: there is no sandbox to get out of",
                "没有试验：没有可供逃逸的沙箱",
            ),
            Self::NothingTried => ("no attempt was made", "没有进行任何试验"),
            Self::Or => ("or", "或者"),
            Self::TimingHead => ("What disturbs timing", "影响计时的因素"),
            Self::ToGoOn => ("to continue anyway:", "如果仍要继续："),
            Self::ToolchainsHead => ("Compilers and interpreters", "编译器和解释器"),
            Self::Tried => ("tried", "尝试"),
            Self::Unknown => ("unknown", "未知"),
            Self::Untried => ("untried", "未试"),
            Self::UntriedLayers => ("could not be tried because of that", "因此无法试验"),
            Self::WaivedInstead => (
                "strict isolation without these layers; every report says so",
                "没有这些层的严格隔离；每份报告都会说明",
            ),
            Self::WaivingIsNoHelp => (
                "Waiving does not help: what is missing here is needed to run any program in a sandbox.",
                "`--allow-missing` 在这里无济于事：缺少的层是在沙箱中运行任何程序所必需的。",
            ),
            Self::Weaker => ("weaker", "较弱"),
        }
    }
}

impl Words {
    pub(super) const fn doctor(self, say: Say) -> &'static str {
        let (en, zh) = say.words();
        match self.0 {
            grader_model::Lang::En => en,
            grader_model::Lang::Zh => zh,
        }
    }

    /// `31 of 32 escape attempts denied`.
    pub(super) fn denied(self, denied: usize, tried: usize) -> String {
        self.0.pick(
            format!("{denied} of {tried} escape attempts denied"),
            format!("{tried} 次逃逸试验中有 {denied} 次被拒绝"),
        )
    }

    /// What refuses to start.
    pub(super) fn refused(self, missing: usize) -> String {
        let layers = if missing == 1 {
            "1 layer is"
        } else {
            &format!("{missing} layers are")
        };
        self.0.pick(
            format!("strict isolation cannot be had here: {layers} missing"),
            format!("这台机器无法提供严格隔离：缺少 {missing} 层"),
        )
    }

    /// The same mend as that of another layer.
    pub(super) fn as_for(self, layer: &str) -> String {
        self.0
            .pick(format!("as for `{layer}`"), format!("同 `{layer}`"))
    }
}
