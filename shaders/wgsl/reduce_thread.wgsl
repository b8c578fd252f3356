// One invocation reduces one stretch of an axis. The axis of extent `axis` is cut into `chunks` stretches of `length`; the result
// has the shape [outer, chunks, inner]. Neighbouring invocations read neighbouring elements where inner > 1.

struct Params {
    total: u32,
    axis: u32,
    length: u32,
    chunks: u32,
    inner: u32,
    offset: u32,
    outer_stride: u32,
    axis_stride: u32,
    inner_stride: u32,
}

override invocations: u32 = 64;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<Real>;
@group(0) @binding(2) var<storage, read_write> output: array<Real>;

@compute @workgroup_size(invocations)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let item = id.y * groups.x * invocations + id.x;
    if (item >= params.total) { return; }
    let inner = item % params.inner;
    let rest = item / params.inner;
    let chunk = rest % params.chunks;
    let outer = rest / params.chunks;
    let start = chunk * params.length;
    let end = min(start + params.length, params.axis);
    let base = params.offset + outer * params.outer_stride + inner * params.inner_stride;
    var acc = identity();
    for (var i = start; i < end; i += 1u) {
        acc = combine(acc, input[base + i * params.axis_stride]);
    }
    output[item] = acc;
}
