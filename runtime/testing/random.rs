//! Numbers that look random and are the same everywhere.

/// xorshift64*.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Any seed will do.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }
    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }
    /// A number below `n`, which is not zero.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() >> 33) as usize % n
    }
    /// A number in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
    /// A number in [-1, 1), exact in f32 and never zero.
    pub fn signed(&mut self) -> f64 {
        let magnitude = (1 + self.below(64)) as f64 / 64.0;
        if self.bits() >> 63 == 0 {
            magnitude
        } else {
            -magnitude
        }
    }
    /// One of several.
    pub fn choose<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}
