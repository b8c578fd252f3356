// One workgroup reduces one stretch of a row (inner 1): its invocations take every `invocations`-th element, so that they read
// neighbouring memory at a time, and a tree in shared memory joins what they have. The result has the shape [outer, chunks].

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

override invocations: u32 = 256;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<Real>;
@group(0) @binding(2) var<storage, read_write> output: array<Real>;

var<workgroup> partial: array<Real, invocations>;

@compute @workgroup_size(invocations)
fn main(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) local: u32,
) {
    let item = group.y * groups.x + group.x;
    if (item >= params.total) { return; }
    let chunk = item % params.chunks;
    let outer = item / params.chunks;
    let start = chunk * params.length;
    let end = min(start + params.length, params.axis);
    let base = params.offset + outer * params.outer_stride;
    var acc = identity();
    for (var i = start + local; i < end; i += invocations) {
        acc = combine(acc, input[base + i * params.axis_stride]);
    }
    partial[local] = acc;
    workgroupBarrier();
    for (var half = invocations / 2u; half > 0u; half = half / 2u) {
        if (local < half) {
            partial[local] = combine(partial[local], partial[local + half]);
        }
        workgroupBarrier();
    }
    if (local == 0u) { output[item] = partial[0]; }
}
