//! What is computed: physics, statistics, learning, finance, geometry, algorithms. `mooncake bench --programs` measures the same programs.

#[path = "../../runtime/bin/bench/programs/numeric.rs"]
mod programs;

use mooncake::prelude::*;
use programs::*;

check! {
    pendulum(0.4, 9.81, 0.3);
    render(Vec3 { x: 0.1, y: 0.2, z: 3.0 }, 1.0);
    log_likelihood(&[1.2, 0.4, 2.2, 3.1], &[vec![1.0, 0.5], vec![0.2, -1.0], vec![-0.4, 0.7], vec![2.0, 1.0]], &[0.3, -0.2]);
    kalman(&[1.0, 1.3, 0.8, 1.1], 0.2, 0.5);
    alignment(&[1.0, 2.0, 0.5, 3.0], &[1.5, 0.7, 2.0]);
    root(2.0, 1.5);
    network(&mut Network::new(3, 4), &[0.2, -0.4, 0.7]);
    recurrent(&[0.1, -0.3, 0.8], 0.4, -0.6, 0.2);
    solve(&[vec![4.0, 1.0, 0.5], vec![1.0, 3.0, -0.2], vec![0.3, -0.4, 2.0]], &[1.0, 2.0, 3.0]);
    option_price(100.0, 95.0, 0.02, 0.25, 0.5);
    expression(1.3);
    graph(0.7, 0.2);
    springs(&[0.0, 1.1, 1.9, 3.2], &[(0, 1), (1, 2), (2, 3), (0, 3)], 1.0);
    viterbi(&[vec![0.2, 0.8], vec![0.6, 0.4], vec![0.3, 0.7]], [[0.7, 0.3], [0.4, 0.6]]);
    polynomial(&[1.0, -2.0, 0.5, 3.0], 0.9);
    quadrature(0.3);
    tree(&[0.3, 0.9, -0.4, 1.7, 0.1]);
    adam(&[0.5, -0.3], 3);
    portfolio(&[0.2, 0.5, 0.3], &[0.05, 0.11, 0.07]);
    utility(&[0.2, 0.5, 0.3], &[0.05, 0.11, 0.07]);
    convolution(&[1.0, 2.0, -1.0, 0.5, 0.3], &[0.2, 0.5, 0.1]);
    stack_machine(&[Op::Push(2.0), Op::Push(3.5), Op::Mul, Op::Push(1.0), Op::Add, Op::Sin], 0.4);
    attention(&[vec![0.1, 0.2], vec![0.4, -0.3], vec![0.0, 0.9]]);
}
