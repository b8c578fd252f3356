// output[o, e, i] += sum over j from `first` to `last` with index[o, j, i] == e of input[o, j, i]: one invocation for each element of the output, which
// reads all indices of its line. For few picks. Repeated indices add up in order, without atomics.

struct Params {
    total: u32,
    operation: u32,
    extent: u32,
    first: u32,
    last: u32,
    inner: u32,
    offset: u32,
    outer_stride: u32,
    axis_stride: u32,
    inner_stride: u32,
    index_offset: u32,
    index_outer_stride: u32,
    index_axis_stride: u32,
    index_inner_stride: u32,
}

override invocations: u32 = 64;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> input: array<Real>;
@group(0) @binding(2) var<storage, read> index: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<Real>;
@group(0) @binding(4) var<storage, read_write> report: array<atomic<u32>>;

@compute @workgroup_size(invocations)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let item = id.y * groups.x * invocations + id.x;
    if (item >= params.total) { return; }
    let i = item % params.inner;
    let rest = item / params.inner;
    let e = rest % params.extent;
    let o = rest / params.extent;
    let at = params.index_offset + o * params.index_outer_stride + i * params.index_inner_stride;
    let source = params.offset + o * params.outer_stride + i * params.inner_stride;
    var sum = Real();
    if (params.first != 0u) { sum = output[item]; }
    for (var j = params.first; j < params.last; j += 1u) {
        let pick = index[at + j * params.index_axis_stride];
        if (pick == e) { sum += input[source + j * params.axis_stride]; }
        if (pick >= params.extent && e == 0u) {
            atomicMax(&report[params.operation], min(pick, 0xfffffffeu) + 1u);
        }
    }
    output[item] = sum;
}
