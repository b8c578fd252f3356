//! What the functions of `mooncake::parallel` are in derived code: the iterations in order.

use mooncake_macros::library;

#[library]
pub mod functions {
    fn par_map(x: _, f: _) -> Vec<_> {
        x.iter().map(f).collect()
    }
    fn par_for(x: &mut [_], f: _) {
        for i in 0..x.len() {
            f(i, &mut x[i]);
        }
    }
}
