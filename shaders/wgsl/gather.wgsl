// output[o, j, i] = input[o, index[o, j, i], i], one invocation for each element. An index out of range gives 0 and is reported: the first
// report stays until the host has read it. `Element` is of any type.

struct Params {
    total: u32,
    operation: u32,
    extent: u32,
    picks: u32,
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
@group(0) @binding(1) var<storage, read> input: array<Element>;
@group(0) @binding(2) var<storage, read> index: array<u32>;
@group(0) @binding(3) var<storage, read_write> output: array<Element>;
@group(0) @binding(4) var<storage, read_write> report: array<atomic<u32>>;

@compute @workgroup_size(invocations)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let item = id.y * groups.x * invocations + id.x;
    if (item >= params.total) { return; }
    let i = item % params.inner;
    let rest = item / params.inner;
    let j = rest % params.picks;
    let o = rest / params.picks;
    let at = params.index_offset + o * params.index_outer_stride + j * params.index_axis_stride + i * params.index_inner_stride;
    let pick = index[at];
    if (pick >= params.extent) {
        atomicMax(&report[params.operation], min(pick, 0xfffffffeu) + 1u);
        output[item] = Element();
        return;
    }
    output[item] = input[params.offset + o * params.outer_stride + pick * params.axis_stride + i * params.inner_stride];
}
