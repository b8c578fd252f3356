//! Values that turned out to be other values, until their uses are rewritten.

use crate::arena::Id;
use crate::ir::{Block, Function, Value};

/// A map from values to what they stand for.
pub struct Aliases {
    /// Indexed by value.
    to: Vec<Option<Value>>,
    any: bool,
}

impl Aliases {
    /// No aliases yet.
    pub fn new(function: &Function) -> Self {
        Aliases {
            to: vec![None; function.values.len()],
            any: false,
        }
    }
    /// From now on `value` stands for `other`. Values made after this table have no alias.
    pub fn set(&mut self, value: Value, other: Value) {
        if value != other {
            self.to[value.index()] = Some(other);
            self.any = true;
        }
    }
    /// The value that `value` stands for.
    pub fn resolve(&self, mut value: Value) -> Value {
        while let Some(&Some(next)) = self.to.get(value.index()) {
            value = next;
        }
        value
    }
    /// Rewrites every use. Says whether there was an alias at all.
    pub fn apply(&self, function: &mut Function) -> bool {
        if self.any {
            self.apply_in(function, &function.layout.clone());
        }
        self.any
    }
    /// Rewrites the uses in these blocks.
    pub fn apply_in(&self, function: &mut Function, blocks: &[Block]) {
        for &block in blocks {
            for i in 0..function.blocks[block].insts.len() {
                let inst = function.blocks[block].insts[i];
                for arg in &mut function.insts[inst].args {
                    *arg = self.resolve(*arg);
                }
            }
            function.blocks[block]
                .terminator
                .map_values(|v| self.resolve(v));
        }
    }
}
