// Four elements that lie one after another, as they are.

alias Four = vec4<f32>;

fn four(held: Four) -> vec4<f32> {
    return held;
}

fn as_four(x: vec4<f32>) -> Four {
    return x;
}
