//! Cases: calls on which a rule is tested and timed. Each rule file ends in its `cases()`, and `pack!(cases)` gives them
//! to `mooncake pack check`.

use crate::abi::{self, CaseEntry, CaseValue, List, Text};

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Case {
    /// The function.
    pub function: &'static str,
    /// In order.
    pub arguments: Vec<Value>,
}

/// An argument of a case.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A float: `T`.
    Float(f64),
    /// An integer of whatever type the signature says.
    Int(i64),
    /// `array<T>`: extents, and elements in row-major order.
    Array(Vec<usize>, Vec<f64>),
    /// `array<u32>`: extents, and elements in row-major order.
    Indices(Vec<usize>, Vec<u32>),
    /// `shape`: extents.
    Shape(Vec<usize>),
}

impl Case {
    /// A call of `function`. Arguments that [`Value::array`] has made get elements that differ from those of the other arguments: of equal
    /// ones a rule that has taken one for the other would pass.
    pub fn new(function: &'static str, arguments: impl Into<Vec<Value>>) -> Self {
        let mut arguments = arguments.into();
        for (n, argument) in arguments.iter_mut().enumerate() {
            if let Value::Array(shape, data) = argument
                && *data == elements(shape, 0)
            {
                *data = elements(shape, n);
            }
        }
        Case {
            function,
            arguments,
        }
    }
    /// A call with floats only.
    pub fn floats(function: &'static str, arguments: &[f64]) -> Self {
        Case::new(
            function,
            arguments
                .iter()
                .copied()
                .map(Value::Float)
                .collect::<Vec<_>>(),
        )
    }
}

impl Case {
    /// The case as it crosses the boundary, for the rest of the process's life.
    pub(crate) fn entry(&self) -> CaseEntry {
        let arguments: Vec<CaseValue> = self.arguments.iter().map(Value::entry).collect();
        CaseEntry {
            size: size_of::<CaseEntry>(),
            function: Text::new(self.function),
            arguments: List::new(arguments.leak()),
        }
    }
}

impl Value {
    fn entry(&self) -> CaseValue {
        let mut value = CaseValue {
            size: size_of::<CaseValue>(),
            kind: abi::CASE_FLOAT,
            floats: List::ABSENT,
            integers: List::ABSENT,
            shape: List::ABSENT,
        };
        match self {
            Value::Float(x) => value.floats = kept(vec![*x]),
            Value::Int(i) => {
                (value.kind, value.integers) = (abi::CASE_INTEGER, kept(vec![*i]));
            }
            Value::Array(shape, data) => {
                (value.kind, value.floats) = (abi::CASE_ARRAY, kept(data.clone()));
                value.shape = kept(shape.clone());
            }
            Value::Indices(shape, data) => {
                value.kind = abi::CASE_INDICES;
                value.integers = kept(data.iter().map(|&i| i64::from(i)).collect());
                value.shape = kept(shape.clone());
            }
            Value::Shape(shape) => {
                (value.kind, value.shape) = (abi::CASE_SHAPE, kept(shape.clone()));
            }
        }
        value
    }

    /// An array of these extents with elements that differ from each other and have both signs: multiples of 1/8
    /// between −2 and 2, exact in every float type. [`Case::new`] gives each argument elements of its own.
    pub fn array(shape: &[usize]) -> Self {
        Value::Array(shape.to_vec(), elements(shape, 0))
    }
}

/// The elements of an array of these extents that is the n-th argument.
fn elements(shape: &[usize], n: usize) -> Vec<f64> {
    let count: usize = shape.iter().product();
    let element = |i: usize| ((i * 11 + n * 7 + 5) % 32) as f64 / 8.0 - 2.0;
    (0..count).map(element).collect()
}

/// A list for the rest of the process's life.
fn kept<T: 'static>(items: Vec<T>) -> List {
    List::new(items.leak())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_one_case_differ() {
        let given = Value::Array(vec![3], vec![1.0, 2.0, 3.0]);
        let array = || Value::array(&[2, 3]);
        let case = Case::new(
            "f",
            [array(), given.clone(), array(), array(), given.clone()],
        );
        let [a, one, b, c, other] = &case.arguments[..] else {
            panic!("{case:?}");
        };
        assert!(a != b && b != c && a != c);
        assert_eq!((one, other), (&given, &given));
        assert_eq!(*a, array());
    }
}
