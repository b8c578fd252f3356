// The transform of lines of n elements, n a power of two up to 2048: one workgroup for each, in its own memory. Decimation in time, in place:
// elements are loaded in the order of their reversed bits, and stage s joins transforms of 2^s elements two by two.
//
// The device's sine is too coarse here: the roots of unity are products of these, exp(iπ / 2^s).

const ROOTS = array<vec2<f32>, 12>(
    vec2<f32>(-1.0000000000, 0.0000000000),
    vec2<f32>(0.0000000000, 1.0000000000),
    vec2<f32>(0.7071067812, 0.7071067812),
    vec2<f32>(0.9238795325, 0.3826834324),
    vec2<f32>(0.9807852804, 0.1950903220),
    vec2<f32>(0.9951847267, 0.0980171403),
    vec2<f32>(0.9987954562, 0.0490676743),
    vec2<f32>(0.9996988187, 0.0245412285),
    vec2<f32>(0.9999247018, 0.0122715383),
    vec2<f32>(0.9999811753, 0.0061358846),
    vec2<f32>(0.9999952938, 0.0030679568),
    vec2<f32>(0.9999988235, 0.0015339802),
);
const THREADS = 256u;

var<workgroup> line: array<vec2<f32>, 2048>;

fn times(a: vec2<f32>, b: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

// exp(SIGN · iπ k / 2^s), for k below 2^s.
fn root(k: u32, s: u32) -> vec2<f32> {
    var w = vec2<f32>(1.0, 0.0);
    var roots = ROOTS;
    for (var bit = 0u; bit < s; bit++) {
        if ((k >> bit) & 1u) != 0u {
            w = times(w, roots[s - bit]);
        }
    }
    return vec2<f32>(w.x, SIGN * w.y);
}

fn stage(s: u32, thread: u32) {
    let half = 1u << s;
    if half < params.n {
        for (var i = thread; i < params.n / 2u; i += THREADS) {
            let k = i & (half - 1u);
            let at = ((i >> s) << (s + 1u)) | k;
            let a = line[at];
            let b = times(line[at + half], root(k, s));
            line[at] = a + b;
            line[at + half] = a - b;
        }
    }
    workgroupBarrier();
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) thread: u32) {
    let first = group.x / params.stride * params.stride * params.n + group.x % params.stride;
    let bits = firstTrailingBit(params.n);
    for (var i = thread; i < params.n; i += THREADS) {
        let place = first + (reverseBits(i) >> (32u - bits)) * params.stride;
        line[i] = vec2<f32>(re[place], im[place]);
    }
    workgroupBarrier();
    stage(0u, thread);
    stage(1u, thread);
    stage(2u, thread);
    stage(3u, thread);
    stage(4u, thread);
    stage(5u, thread);
    stage(6u, thread);
    stage(7u, thread);
    stage(8u, thread);
    stage(9u, thread);
    stage(10u, thread);
    for (var i = thread; i < params.n; i += THREADS) {
        y0[first + i * params.stride] = line[i].x;
        y1[first + i * params.stride] = line[i].y;
    }
}
