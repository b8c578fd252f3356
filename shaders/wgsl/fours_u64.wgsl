// Four elements that lie one after another, read as two numbers of 64 bits: Mesa's llvmpipe loads one number after the other for each lane, whatever
// its width.

alias Four = vec2<u64>;

fn four(held: Four) -> vec4<f32> {
    return bitcast<vec4<f32>>(vec4<u32>(u32(held.x), u32(held.x >> 32u), u32(held.y), u32(held.y >> 32u)));
}

fn as_four(x: vec4<f32>) -> Four {
    let bits = bitcast<vec4<u32>>(x);
    return Four(u64(bits.x) | u64(bits.y) << 32u, u64(bits.z) | u64(bits.w) << 32u);
}
