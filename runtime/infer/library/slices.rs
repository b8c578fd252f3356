//! Methods of slices; of lists and vectors too.

use super::source;
use crate::front::tree::Source;
use crate::front::types::{Hole, Typed};
use mooncake::differentiable;

/// The method of a slice.
pub(super) fn find(name: &str) -> Option<&'static Source> {
    match name {
        "fill" => source::<fill<Hole<0>>>(),
        "copy_from_slice" | "clone_from_slice" => source::<copy_from_slice<Hole<0>>>(),
        "to_vec" | "to_owned" | "into_vec" => source::<to_vec<Hole<0>>>(),
        "first" => source::<first<Hole<0>>>(),
        "last" => source::<last<Hole<0>>>(),
        "get" => source::<get<Hole<0>>>(),
        "first_mut" => source::<first_mut<Hole<0>>>(),
        "last_mut" => source::<last_mut<Hole<0>>>(),
        "get_mut" => source::<get_mut<Hole<0>>>(),
        _ => None,
    }
}

#[differentiable]
fn fill<T: Typed + Clone>(y: &mut [T], value: T) {
    for element in y.iter_mut() {
        *element = value.clone();
    }
}

#[differentiable]
fn copy_from_slice<T: Typed + Clone>(y: &mut [T], x: &[T]) {
    assert!(
        x.len() == y.len(),
        "copy_from_slice: source slice length does not match destination slice length"
    );
    for i in 0..x.len() {
        y[i] = x[i].clone();
    }
}

#[differentiable]
fn to_vec<T: Typed + Clone>(x: &[T]) -> Vec<T> {
    let mut copy = Vec::with_capacity(x.len());
    for i in 0..x.len() {
        copy.push(x[i].clone());
    }
    copy
}

#[differentiable]
fn first<T: Typed>(x: &[T]) -> Option<&T> {
    if x.is_empty() { None } else { Some(&x[0]) }
}

#[differentiable]
fn last<T: Typed>(x: &[T]) -> Option<&T> {
    if x.is_empty() {
        None
    } else {
        Some(&x[x.len() - 1])
    }
}

#[differentiable]
fn get<T: Typed>(x: &[T], i: usize) -> Option<&T> {
    if i < x.len() { Some(&x[i]) } else { None }
}

#[differentiable]
fn first_mut<T: Typed>(x: &mut [T]) -> Option<&mut T> {
    if x.is_empty() { None } else { Some(&mut x[0]) }
}

#[differentiable]
fn last_mut<T: Typed>(x: &mut [T]) -> Option<&mut T> {
    if x.is_empty() {
        return None;
    }
    let last = x.len() - 1;
    Some(&mut x[last])
}

#[differentiable]
fn get_mut<T: Typed>(x: &mut [T], i: usize) -> Option<&mut T> {
    if i < x.len() { Some(&mut x[i]) } else { None }
}
