// As softmax_thread, one workgroup for each line of elements.

struct Params {
    total: u32,
    axis: u32,
    inner: u32,
    offset: u32,
    outer_stride: u32,
    axis_stride: u32,
    inner_stride: u32,
    logarithm: u32,
}

override invocations: u32 = 128;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<Real>;
@group(0) @binding(2) var<storage, read_write> output: array<Real>;

var<workgroup> partial: array<Real, invocations>;

fn total_of(local: u32, own: Real) -> Real {
    partial[local] = own;
    workgroupBarrier();
    for (var half = invocations / 2u; half > 0u; half = half / 2u) {
        if (local < half) { partial[local] += partial[local + half]; }
        workgroupBarrier();
    }
    let total = partial[0];
    workgroupBarrier();
    return total;
}

fn greatest_of(local: u32, own: Real) -> Real {
    partial[local] = own;
    workgroupBarrier();
    for (var half = invocations / 2u; half > 0u; half = half / 2u) {
        if (local < half) { partial[local] = combine(partial[local], partial[local + half]); }
        workgroupBarrier();
    }
    let greatest = partial[0];
    workgroupBarrier();
    return greatest;
}

@compute @workgroup_size(invocations)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let item = group.y * groups.x + group.x;
    if (item >= params.total) { return; }
    let inner = item % params.inner;
    let outer = item / params.inner;
    let source = params.offset + outer * params.outer_stride + inner * params.inner_stride;
    let to = outer * params.axis * params.inner + inner;
    var own = identity();
    for (var i = local; i < params.axis; i += invocations) {
        own = combine(own, input[source + i * params.axis_stride]);
    }
    let greatest = greatest_of(local, own);
    var part = Real();
    for (var i = local; i < params.axis; i += invocations) {
        let e = exact_exp(input[source + i * params.axis_stride] - greatest);
        output[to + i * params.inner] = e;
        part += e;
    }
    let sum = total_of(local, part);
    if (params.logarithm != 0u) {
        let shift = exact_ln(sum);
        for (var i = local; i < params.axis; i += invocations) {
            output[to + i * params.inner] = (input[source + i * params.axis_stride] - greatest) - shift;
        }
        return;
    }
    for (var i = local; i < params.axis; i += invocations) {
        output[to + i * params.inner] = output[to + i * params.inner] / sum;
    }
}
