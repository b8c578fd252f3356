//! What `#[derive(Differentiable)]` does not read.
use mooncake::Differentiable;

#[derive(Clone, Copy, Differentiable)]
union Bits {
    float: f64,
    bits: u64,
}

#[derive(Differentiable)]
struct Guard<'a>(&'a mut f64);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        *self.0 = 0.0;
    }
}

#[derive(Differentiable)]
struct Flow<I>
where
    I: IntoIterator,
{
    rates: I,
}

fn main() {}
