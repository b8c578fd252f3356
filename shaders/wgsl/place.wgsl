// output[o, start + j * step, i] = joined(output[o, start + j * step, i], input[o, j, i]): one invocation for each element of the input.

struct Params {
    total: u32,
    inner: u32,
    count: u32,
    extent: u32,
    start: u32,
    step: u32,
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
    let i = item % params.inner;
    let rest = item / params.inner;
    let j = rest % params.count;
    let o = rest / params.count;
    let read_at = params.offset + o * params.outer_stride + j * params.axis_stride + i * params.inner_stride;
    let write_at = (o * params.extent + params.start + j * params.step) * params.inner + i;
    output[write_at] = joined(output[write_at], input[read_at]);
}
