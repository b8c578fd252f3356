//! Operations on arrays whose elements are integers or bools, and the forms of methods that take lists, negative numbers or values: natively and within
//! programs, on every device, against numbers written out.

use crate::devices::devices;
use mooncake::prelude::*;

/// Functions of arrays of floats, integers and masks, and what they give for [[1, −2, 3], [4, 0, −6]]; the elements of the results as floats.
macro_rules! gives {
    ($($name:ident: |$x:ident, $n:ident, $u:ident, $m:ident| $result:expr => $shape:tt $data:tt;)*) => {
        $(
            #[differentiable]
            #[allow(unused_variables)]
            fn $name($x: &Array<f32>) -> Array<f32> {
                let $n = &$x.to_i32();
                let $u = &$x.abs().to_u32();
                let $m = &$x.gt(0.0);
                $result
            }
        )*
        mod natively {
            use mooncake::prelude::*;
            $(
                #[allow(unused_variables)]
                pub fn $name($x: &Array<f32>) -> Array<f32> {
                    let $n = &$x.to_i32();
                    let $u = &$x.abs().to_u32();
                    let $m = &$x.gt(0.0);
                    $result
                }
            )*
        }
        mod tests {
            $(
                #[test]
                fn $name() {
                    super::check::<super::$name>(super::natively::$name, &$shape, &$data);
                }
            )*
        }
    };
}

fn check<F>(natively: fn(&Array<f32>) -> Array<f32>, shape: &[usize], data: &[f32])
where
    F: DifferentiableFn<Output = Array<f32>>,
    for<'a> F: DifferentiableFn<Args<'a> = (&'a Array<f32>,)>,
{
    for device in devices() {
        let data_of_x = vec![1.0f32, -2.0, 3.0, 4.0, 0.0, -6.0];
        let x = Array::from_vec_on(&device, data_of_x, [2, 3]);
        let found = natively(&x);
        assert_eq!(found.to_vec().unwrap(), data, "natively on {device}");
        assert_eq!(found.shape(), shape, "natively on {device}");
        let ctx = Context::builder().device(device.clone()).build().unwrap();
        let found = ctx.build_rrule::<F>().unwrap().value((&x,)).unwrap();
        assert_eq!(
            found.to_vec().unwrap(),
            data,
            "within a program on {device}"
        );
        assert_eq!(found.shape(), shape, "within a program on {device}");
    }
}

gives! {
    concat_integers: |x, n, u, m| n.concat(n, 1).to_f32() => [2, 6] [1.0, -2.0, 3.0, 1.0, -2.0, 3.0, 4.0, 0.0, -6.0, 4.0, 0.0, -6.0];
    concat_masks: |x, n, u, m| m.concat(m, 0).to_f32() => [4, 3] [1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0];
    concat_three: |x, n, u, m| x.index_axis(0, 0).concat(&[&x.index_axis(0, 1), &x.slice((0, ..1))], 0) => [7] [1.0, -2.0, 3.0, 4.0, 0.0, -6.0, 1.0];
    concat_vector: |x, n, u, m| {
        let rows = vec![x.index_axis(0, 0), x.index_axis(0, 1)];
        rows[0].concat(&rows[1..], 0).concat(&rows, 0)
    } => [12] [1.0, -2.0, 3.0, 4.0, 0.0, -6.0, 1.0, -2.0, 3.0, 4.0, 0.0, -6.0];
    stack_three: |x, n, u, m| n.index_axis(0, 0).stack(&[&n.index_axis(0, 1), &n.index_axis(0, 0)], 1).to_f32() => [3, 3] [1.0, 4.0, 1.0, -2.0, 0.0, -2.0, 3.0, -6.0, 3.0];
    pad_integers: |x, n, u, m| u.pad(1, 1, 0).to_f32() => [2, 4] [0.0, 1.0, 2.0, 3.0, 0.0, 4.0, 0.0, 6.0];
    pad_with_number: |x, n, u, m| x.pad_with(0, 0, 1, 0.5) => [3, 3] [1.0, -2.0, 3.0, 4.0, 0.0, -6.0, 0.5, 0.5, 0.5];
    pad_with_integer: |x, n, u, m| n.pad_with(1, 1, 0, 7).to_f32() => [2, 4] [7.0, 1.0, -2.0, 3.0, 7.0, 4.0, 0.0, -6.0];
    pad_mask: |x, n, u, m| m.pad_with(1, 0, 1, true).to_f32() => [2, 4] [1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 0.0, 1.0];
    flip_integers: |x, n, u, m| n.flip(1).to_f32() => [2, 3] [3.0, -2.0, 1.0, -6.0, 0.0, 4.0];
    roll_back: |x, n, u, m| n.roll(1, -1).to_f32() => [2, 3] [-2.0, 3.0, 1.0, 0.0, -6.0, 4.0];
    roll_far: |x, n, u, m| x.roll(1, -4) => [2, 3] [-2.0, 3.0, 1.0, 0.0, -6.0, 4.0];
    roll_by_extent: |x, n, u, m| x.roll(1, x.dim(0)) => [2, 3] [-2.0, 3.0, 1.0, 0.0, -6.0, 4.0];
    // As an i64 this is -1.
    roll_very_far: |x, n, u, m| x.roll(1, u64::MAX) => [2, 3] [1.0, -2.0, 3.0, 4.0, 0.0, -6.0];
    concat_five: |x, n, u, m| n.index_axis(0, 0).concat(&[&n.index_axis(0, 1), &n.slice((0, ..1)), &n.slice((0, 1..)), &n.slice((1, 1..))], 0).to_f32()
        => [11] [1.0, -2.0, 3.0, 4.0, 0.0, -6.0, 1.0, -2.0, 3.0, 0.0, -6.0];
    tril_integers: |x, n, u, m| n.tril(0).to_f32() => [2, 3] [1.0, 0.0, 0.0, 4.0, 0.0, 0.0];
    triu_masks: |x, n, u, m| m.triu(1).to_f32() => [2, 3] [0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    with_slice_of_integers: |x, n, u, m| n.with_slice((.., 1), 9).to_f32() => [2, 3] [1.0, 9.0, 3.0, 4.0, 9.0, -6.0];
    with_slice_of_masks: |x, n, u, m| m.with_slice((.., 1), true).to_f32() => [2, 3] [1.0, 1.0, 1.0, 1.0, 1.0, 0.0];
    select_masks: |x, n, u, m| m.select(false, m).to_f32() => [2, 3] [0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    split_at: |x, n, u, m| x.split(1, [1, 2])[1].clone() => [2, 2] [-2.0, 3.0, 0.0, -6.0];
    split_list: |x, n, u, m| n.split(1, vec![2, 0, 1])[2].to_f32() => [2, 1] [3.0, -6.0];
    sum_of_integers: |x, n, u, m| n.sum().to_f32() => [] [0.0];
    sums_of_integers: |x, n, u, m| n.sum_axis(1).to_f32() => [2] [2.0, -2.0];
    sums_over_both: |x, n, u, m| u.sum_keep([0, 1]).to_f32() => [1, 1] [16.0];
    sums_of_none: |x, n, u, m| n.slice((.., 0..0)).sum_axis(1).to_f32() => [2] [0.0, 0.0];
    products: |x, n, u, m| n.prod_axis(1).to_f32() => [2] [-6.0, 0.0];
    product_of_none: |x, n, u, m| n.slice((.., 0..0)).prod_axis(1).to_f32() => [2] [1.0, 1.0];
    maxima: |x, n, u, m| n.max_axis(0).to_f32() => [3] [4.0, 0.0, 3.0];
    minima: |x, n, u, m| n.min_axis(1).to_f32() => [2] [-2.0, -6.0];
    minima_of_unsigned: |x, n, u, m| u.min_axis(1).to_f32() => [2] [1.0, 0.0];
    least: |x, n, u, m| n.amin().to_f32() => [] [-6.0];
    greatest: |x, n, u, m| u.amax().to_f32() => [] [6.0];
    running_sums: |x, n, u, m| n.cumsum(1).to_f32() => [2, 3] [1.0, -1.0, 2.0, 4.0, 4.0, -2.0];
    running_products: |x, n, u, m| n.cumprod(0).to_f32() => [2, 3] [1.0, -2.0, 3.0, 4.0, 0.0, -18.0];
    floats_as_bools: |x, n, u, m| x.to_bool().to_f32() => [2, 3] [1.0, 1.0, 1.0, 1.0, 0.0, 1.0];
    integers_as_bools: |x, n, u, m| n.to_bool().to_f32() => [2, 3] [1.0, 1.0, 1.0, 1.0, 0.0, 1.0];
    bools_as_bools: |x, n, u, m| m.to_bool().to_f32() => [2, 3] [1.0, 0.0, 1.0, 1.0, 0.0, 0.0];
}

/// Where a value goes that is padded with, and each of several arrays that are joined.
#[differentiable]
fn padded(x: &Array<f64>, v: f64) -> f64 {
    let all = x.concat(&[&(x * 2.0), &(x * 3.0)], 0);
    let all = all.stack(&[&all.roll(0, -1)], 1).pad_with(0, 1, 1, v * v);
    (&all * &all).sum().to_scalar()
}

#[test]
fn derivatives_reach_all_parts() {
    let x = Array::from_vec_on(&Device::cpu(), vec![1.0, 2.0], [2]);
    let ctx = Context::builder().device(Device::cpu()).build().unwrap();
    let rule = ctx.build_rrule::<padded>().unwrap();
    let (y, (dx, dv)) = rule.value_and_gradient((&x, 3.0)).unwrap();
    // Twice (1 + 4 + 9) |x|², and v⁴ four times.
    assert_eq!(y, 2.0 * 14.0 * 5.0 + 4.0 * 81.0);
    assert_eq!(dx.to_vec().unwrap(), [56.0, 112.0]);
    assert_eq!(dv, 16.0 * 27.0);
}
