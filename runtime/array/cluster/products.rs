//! Products of matrices within kernels: where a kernel is the first to read a product, and element by element, a GPU may compute the kernel with each
//! element of the product as it is made, a bias and an activation for instance, instead of reading the product from memory.

use super::Cluster;
use super::nodes::Nodes;
use super::plan::{Given, Made, Product, Step};
use crate::array::backend::{Backend, dense_strides};
use crate::array::device::Device;
use crate::array::small::Layout;
use crate::ir::{Function, HostOp, Op, Terminator, Type, ValueDef};
use crate::kernel::Output;
use std::sync::Arc;

/// Whether an operation is a product of matrices.
pub fn is_product(op: HostOp) -> bool {
    matches!(op, HostOp::Matmul | HostOp::MatmulNt | HostOp::MatmulTn)
}

/// Puts products into the kernels that read them first.
pub fn join(steps: &mut Vec<Step>, cluster: &Cluster, nodes: &Nodes, device: &Device) {
    let backend = device.backend();
    let mut place = 0;
    while place < steps.len() {
        match joined(steps, place, cluster, nodes, backend) {
            Some(()) => {
                steps.remove(place);
            }
            None => place += 1,
        }
    }
}

/// Puts the product of a step into a later one, if it is a product and that is possible.
fn joined(
    steps: &mut [Step],
    place: usize,
    cluster: &Cluster,
    nodes: &Nodes,
    backend: &dyn Backend,
) -> Option<()> {
    let Step::Operation(written) = &steps[place] else {
        return None;
    };
    let row = &cluster.function.insts[written.inst];
    let Op::Call(callee) = row.op else {
        return None;
    };
    let (inst, slot) = (written.inst, written.taken?);
    let [(_, a), (_, b)] = written.lent[..] else {
        return None;
    };
    let op = callee.host_op().filter(|&op| is_product(op))?;
    let node = &nodes.all[*nodes.of.get(&row.result)?];
    let shape = |n: usize| Some(&nodes.all[*nodes.of.get(row.args.get(n)?)?].shape);
    let (left, [lead @ .., m, n]) = (shape(0)?, &node.shape[..]) else {
        return None;
    };
    if left.len() < 2 || shape(1)?.len() < 2 {
        return None;
    }
    let k = match op {
        HostOp::MatmulTn => left[left.len() - 2],
        _ => left[left.len() - 1],
    };
    if !backend.joins_products(node.ty, lead.iter().product(), (*m, k, *n)) {
        return None;
    }
    let mut readers = (place + 1..steps.len()).filter(|&n| steps[n].slots().contains(&slot));
    let first = readers.next()?;
    let is_kept = readers.next().is_some();
    let Step::Kernel(stage) = &mut steps[first] else {
        return None;
    };
    let input = stage.takes(slot, &node.shape)?;
    let kept = usize::from(is_kept);
    if stage.arrays() + 1 + kept > backend.most_arrays() {
        return None;
    }
    let axes = (0..node.shape.len()).map(Some).collect();
    let factors = [a, b];
    stage.inputs[input] = Given::Product(Box::new(Product {
        inst,
        factors,
        axes,
    }));
    if is_kept {
        let strides = dense_strides(&node.shape);
        let layout = Layout::new(node.ty, node.shape.clone(), strides).kept();
        stage.outputs.push(Made {
            slot,
            kind: Output::Points,
            layout,
        });
        return_besides(Arc::make_mut(&mut stage.body), input);
    }
    Some(())
}

/// Lets the body of a kernel return one of its parameters as one more result.
fn return_besides(body: &mut Function, param: usize) {
    let (entry, value) = (body.entry(), body.params()[param]);
    let Terminator::Return(result) = body.blocks[entry].terminator else {
        return;
    };
    let ValueDef::Inst(tuple) = body.values[result].def else {
        return;
    };
    body.insts[tuple].args.push(value);
    let args = body.insts[tuple].args.clone();
    let types: Vec<Type> = args.iter().map(|&arg| body.ty(arg)).collect();
    body.ret = Type::tuple(&types);
    body.values[result].ty = body.ret;
}
