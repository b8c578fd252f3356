//! The roots of addresses and slices: the parameter or the allocation from which each of them comes.

use super::flow::Flow;
use super::*;
use crate::arena::Id;

/// Where an address comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Root {
    /// A parameter of the function: a slice or a pointer.
    Param(Value),
    /// An object that this instruction has made (one of them, if it has run several times).
    Alloc(Inst),
    /// Unknown: it was read from memory, returned by a call, is null, or is one of several on different paths.
    Unknown,
}

/// The roots of all slices and pointers of a function.
pub struct Roots {
    /// Indexed by value. `None` for values that are no addresses, and in unreachable blocks.
    roots: Vec<Option<Root>>,
}

/// Whether values of this type are addresses of memory that is not the tape's.
pub fn is_address(ty: Type) -> bool {
    matches!(ty, Type::Slice(_) | Type::SliceMut(_) | Type::Ptr)
}

/// Whether an operation gives an address in the memory of its first argument's.
pub fn is_part(op: Op) -> bool {
    matches!(
        op,
        Op::Prim(Prim::Subslice | Prim::View | Prim::Base | Prim::Offset)
    )
}

/// The address that another one is computed from.
pub fn start(function: &Function, mut address: Value) -> Value {
    while let Some(inst) = function.def_inst(address)
        && is_part(inst.op)
    {
        address = inst.args[0];
    }
    address
}

impl Roots {
    /// Finds all roots: block parameters are assumed to have one until an edge brings another.
    pub fn new(function: &Function, flow: &Flow) -> Roots {
        let mut roots = Roots {
            roots: vec![None; function.values.len()],
        };
        for &param in function.params() {
            roots.meet(function, param, Root::Param(param));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &block in flow.reverse_postorder() {
                changed |= roots.visit(function, &function.blocks[block]);
            }
        }
        roots
    }
    /// The root of a slice or a pointer.
    pub fn of(&self, address: Value) -> Root {
        self.known(address).unwrap_or(Root::Unknown)
    }
    fn known(&self, value: Value) -> Option<Root> {
        self.roots.get(value.index()).copied().flatten()
    }
    /// Takes note of one more root of a value; says whether that changes anything.
    fn meet(&mut self, function: &Function, value: Value, root: Root) -> bool {
        if !is_address(function.ty(value)) {
            return false;
        }
        let known = &mut self.roots[value.index()];
        let met = match *known {
            Some(other) if other != root => Root::Unknown,
            _ => root,
        };
        known.replace(met) != Some(met)
    }
    fn visit(&mut self, function: &Function, block: &BlockData) -> bool {
        let mut changed = false;
        for &inst in &block.insts {
            let data = &function.insts[inst];
            let sources = match data.op {
                op if is_part(op) => &data.args[..1],
                Op::Prim(Prim::Select) => &data.args[1..],
                Op::Prim(Prim::Alloc) => {
                    changed |= self.meet(function, data.result, Root::Alloc(inst));
                    continue;
                }
                _ => {
                    changed |= self.meet(function, data.result, Root::Unknown);
                    continue;
                }
            };
            changed |= self.flow(function, data.result, sources);
        }
        for edge in block.terminator.edges() {
            for (&param, &arg) in function.blocks[edge.block].params.iter().zip(&edge.args) {
                changed |= self.flow(function, param, &[arg]);
            }
        }
        changed
    }
    /// The roots of `sources` are roots of `value`.
    fn flow(&mut self, function: &Function, value: Value, sources: &[Value]) -> bool {
        let mut changed = false;
        for &source in sources {
            if let Some(root) = self.known(source) {
                changed |= self.meet(function, value, root);
            }
        }
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::parse::parse_module;
    use super::*;

    #[test]
    fn roots_pass_through_parts_views_and_loops() {
        let text = "
fn @f(%x: [f64], %y: [f64], %p: ptr, %n: usize, %c: bool) -> f64 {
b0:
    %part: [f64] = subslice %x, %n, %n
    %at: ptr = base %part
    %next: ptr = offset %at, %n
    %seen: [f64] = view %next, %n
    %new: ptr = alloc %n
    %inside: ptr = offset %new, %n
    %read: ptr = get.8 %new
    %null: ptr = null
    %chosen: ptr = select %c, %p, %new
    jump b1(%x, %x, %new)
b1(%same: [f64], %other: [f64], %object: ptr):
    %z: f64 = load %same, %n
    branch %c, b2, b3
b2:
    %rest: [f64] = subslice %same, %n, %n
    jump b1(%rest, %y, %inside)
b3:
    return %z
}";
        let module = parse_module(text).unwrap();
        let f = module.root();
        let roots = Roots::new(f, &Flow::new(f));
        let block = |i: usize| &f.blocks[f.layout[i]];
        let results = |i: usize| block(i).insts.iter().map(|&inst| f.insts[inst].result);
        let [part, at, next, seen, new, inside, read, null, chosen] =
            results(0).collect::<Vec<_>>()[..]
        else {
            panic!("{f}")
        };
        let [same, other, object] = block(1).params[..] else {
            panic!("{f}")
        };
        let rest = results(2).next().unwrap();
        let [x, p] = [0, 2].map(|i| f.params()[i]);
        for v in [x, part, at, next, seen, same, rest] {
            assert_eq!(roots.of(v), Root::Param(x), "{v}");
        }
        assert_eq!(roots.of(p), Root::Param(p));
        assert!(matches!(roots.of(new), Root::Alloc(_)));
        assert_eq!([inside, object].map(|v| roots.of(v)), [roots.of(new); 2]);
        for v in [read, null, chosen, other] {
            assert_eq!(roots.of(v), Root::Unknown, "{v}");
        }
    }
}
