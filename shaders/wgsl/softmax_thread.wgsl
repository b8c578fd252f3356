// softmax or its logarithm along an axis, one invocation for each line of elements. The input has any strides; the result is dense, of
// the shape [outer, axis, inner]. An exponential is computed once: the result holds it until the sum is known.

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

override invocations: u32 = 64;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<Real>;
@group(0) @binding(2) var<storage, read_write> output: array<Real>;

@compute @workgroup_size(invocations)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let item = id.y * groups.x * invocations + id.x;
    if (item >= params.total) { return; }
    let inner = item % params.inner;
    let outer = item / params.inner;
    let source = params.offset + outer * params.outer_stride + inner * params.inner_stride;
    let to = outer * params.axis * params.inner + inner;
    var greatest = identity();
    for (var i = 0u; i < params.axis; i += 1u) {
        greatest = combine(greatest, input[source + i * params.axis_stride]);
    }
    var sum = Real();
    if (params.logarithm != 0u) {
        for (var i = 0u; i < params.axis; i += 1u) {
            sum += exact_exp(input[source + i * params.axis_stride] - greatest);
        }
        let shift = exact_ln(sum);
        for (var i = 0u; i < params.axis; i += 1u) {
            output[to + i * params.inner] = (input[source + i * params.axis_stride] - greatest) - shift;
        }
        return;
    }
    for (var i = 0u; i < params.axis; i += 1u) {
        let e = exact_exp(input[source + i * params.axis_stride] - greatest);
        output[to + i * params.inner] = e;
        sum += e;
    }
    for (var i = 0u; i < params.axis; i += 1u) {
        output[to + i * params.inner] = output[to + i * params.inner] / sum;
    }
}
