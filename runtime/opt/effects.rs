//! Which calls are pure: all that packs and the host define, none of the user's own functions.

use crate::ir::{Callee, Effect, Function, InstData, Module, Op, Symbol, Type};
use crate::registry::Registry;
use std::collections::BTreeSet;

/// Says whether a pure function exists for registers, by its name and the types of its arguments and of its result as registers.
pub type InLanes<'a> = &'a dyn Fn(Callee, &[Type], Type) -> bool;

/// What a pass may assume about calls in a module.
pub struct Calls<'a> {
    registry: &'a Registry,
    in_lanes: Option<InLanes<'a>>,
    /// Functions of the module, declared ones too: they shadow those of packs.
    own: BTreeSet<Symbol>,
    /// Those of them that are called by functions of the program.
    called: BTreeSet<Symbol>,
}

impl<'a> Calls<'a> {
    /// Reads the module's names.
    pub fn new(module: &Module, registry: &'a Registry) -> Self {
        let own = module.functions.keys().chain(module.declared.keys());
        let own: BTreeSet<Symbol> = own.copied().collect();
        let mut called = BTreeSet::new();
        for function in module.functions.values() {
            // By functions of other modules.
            if function.on_demand {
                called.insert(function.name);
            }
            for (_, data) in function.blocks_in_order() {
                called.extend(data.insts.iter().filter_map(
                    |&inst| match function.insts[inst].op {
                        Op::Call(Callee::Function(name)) if own.contains(&name) => Some(name),
                        _ => None,
                    },
                ));
            }
        }
        Calls {
            registry,
            in_lanes: None,
            own,
            called,
        }
    }
    /// Whether a function of the module is called from inside the program. Its slices may be the same memory then: a
    /// slice that is passed twice has one shadow.
    pub fn is_called(&self, name: Symbol) -> bool {
        self.called.contains(&name)
    }
    /// From now on pure calls may be made with registers of several floats if this says so, where they give other bits.
    pub fn with_lanes(mut self, in_lanes: Option<InLanes<'a>>) -> Self {
        self.in_lanes = in_lanes;
        self
    }
    /// Whether calls may be made with registers of several floats, and which: by name and the types of arguments and result as registers.
    pub fn in_lanes(&self) -> Option<InLanes<'a>> {
        self.in_lanes
    }
    /// The rules in force.
    pub fn registry(&self) -> &'a Registry {
        self.registry
    }
    /// What an instruction may do besides computing.
    ///
    /// Array operations and maps count as pure although they refuse shapes that do not fit: a failed operation gives an
    /// array in error state, and natively too nothing happens as long as nobody reads that.
    pub fn effect(&self, function: &Function, inst: &InstData) -> Effect {
        match inst.op {
            Op::Call(callee) if self.is_pure(function, callee, inst) => Effect::Pure,
            Op::Map(_) => Effect::Pure,
            op => op.effect(),
        }
    }

    fn is_pure(&self, function: &Function, callee: Callee, inst: &InstData) -> bool {
        if callee
            .function()
            .is_some_and(|name| self.own.contains(&name))
        {
            return false;
        }
        let types: Vec<Type> = inst.args.iter().map(|&v| function.ty(v)).collect();
        self.registry.is_pure(callee, &types)
    }
}
