//! Iterations that threads share: `par_sum`, `par_map`, `par_for`.

use mooncake::prelude::*;

#[differentiable]
fn log_density(shards: &[usize], data: &[f64], mean: f64, scale: f64) -> f64 {
    par_sum(shards, |&shard| {
        let mut sum = 0.0;
        for i in shard * 10..shard * 10 + 10 {
            let z = (data[i] - mean) / scale;
            sum += -0.5 * z * z - scale.ln();
        }
        sum
    }) - mean * mean
}

#[test]
fn smoke() {
    let ctx = Context::default();
    let shards: Vec<usize> = (0..64).collect();
    let data: Vec<f64> = (0..640).map(|i| (i as f64 * 0.1).sin()).collect();
    println!("{}", ctx.primal_ir::<log_density>().unwrap());
    let rule = ctx.build_rrule::<log_density>().unwrap();
    println!("{}", ctx.reverse_ir::<log_density>().unwrap());
    let native = log_density(&shards, &data, 0.3, 1.2);
    let (y, g) = rule.value_and_gradient((&shards, &data, 0.3, 1.2)).unwrap();
    assert_eq!(native.to_bits(), y.to_bits());
    println!("{y} {:?} {:?}", g.2, g.3);
    test_rule::<log_density>(&ctx, (&shards[..], &data[..], 0.3, 1.2)).unwrap();
}
