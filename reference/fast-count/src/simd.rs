//! Which vector instructions this processor has.

/// The vector instructions that a method may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Simd {
    /// None that is not in every processor of the target
    Portable,
    /// Vectors of 256 bits
    Avx2(Avx2),
    /// Vectors of 512 bits
    Avx512(Avx512),
}

impl Simd {
    /// All that this processor has, the widest last.
    pub fn all() -> Vec<Self> {
        [
            Some(Self::Portable),
            Avx2::detect().map(Self::Avx2),
            Avx512::detect().map(Self::Avx512),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// The widest that this processor has.
    pub fn widest() -> Self {
        *Self::all().last().unwrap_or(&Self::Portable)
    }

    /// Its name: `portable`, `avx2` or `avx512`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2(_) => "avx2",
            Self::Avx512(_) => "avx512",
        }
    }
}

/// Proof that this processor has AVX2 and the bit instructions that came with it (`popcnt`, `bmi1`,
/// `bmi2`): who holds one may call functions that are compiled for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx2(());

impl Avx2 {
    /// The proof, if the processor has them.
    pub fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        let has = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2");
        #[cfg(not(target_arch = "x86_64"))]
        let has = false;
        has.then_some(Self(()))
    }
}

/// Proof that this processor has the parts of AVX-512 that Intel's Ice Lake and AMD's Zen 4 brought
/// together (`f`, `bw`, `vl`, `dq`, `vbmi2`, `vpopcntdq`) beside all of [`Avx2`]: who holds one may
/// call functions that are compiled for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Avx512(());

impl Avx512 {
    /// The proof, if the processor has them.
    pub fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        let has = Avx2::detect().is_some()
            && is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vbmi2")
            && is_x86_feature_detected!("avx512vpopcntdq");
        #[cfg(not(target_arch = "x86_64"))]
        let has = false;
        has.then_some(Self(()))
    }
}
