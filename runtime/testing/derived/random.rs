//! Random programs: everything that [`Subject::check`] asks for. A program that fails is made smaller while it fails, and written to a file; put it among
//! `tests/filetests` or the tests of the pass that is at fault.
//!
//! `MOONCAKE_RANDOM_PROGRAMS=20000 cargo test --release --lib testing::derived` tests more of them, `MOONCAKE_SEEDS=17..18` those.

use super::generate::{Features, LENGTH, Returns, program};
use super::shrink::shrink;
use super::*;
use crate::ir::parse::parse_expressions;
use crate::registry::{Entry, EntryKind};
use crate::testing::random::Random;
use std::panic::{AssertUnwindSafe, catch_unwind};

const NODES: usize = 4;

/// Nodes form rings, so only two steps of what is returned are looked at.
const SHAPES: &[Shape] = &[
    Shape {
        floats: &[0, 1],
        pointers: &[(2, 1), (3, 1)],
    },
    Shape {
        floats: &[0, 1],
        pointers: &[],
    },
];

/// The arguments of the generator's programs, and the nodes.
fn heap(random: &mut Random, features: Features) -> Heap {
    let mut objects = Vec::new();
    let row = |random: &mut Random| (0..LENGTH).map(|_| Cell::X(random.signed())).collect();
    for _ in 0..2 {
        objects.push(row(random));
    }
    let table = (0..LENGTH).map(|_| Cell::N(random.below(LENGTH) as u64));
    objects.push(table.collect());
    let mut args = vec![
        Given::Slice(0),
        Given::Slice(1),
        Given::Slice(2),
        Given::N(random.below(LENGTH) as u64),
        Given::X(random.signed()),
        Given::X(random.signed()),
    ];
    if features.nodes {
        for _ in 0..NODES {
            let mut cells: Vec<Cell> = (0..2).map(|_| Cell::X(random.signed())).collect();
            cells.extend([(); 2].map(|_| Cell::P(Some(3 + random.below(NODES)))));
            cells.push(Cell::N(random.below(4) as u64));
            objects.push(cells);
        }
        args.extend([(); 2].map(|()| Given::P(3 + random.below(NODES))));
    }
    Heap {
        objects,
        args,
        shapes: SHAPES,
    }
}

/// How many programs, and from which seed on.
pub fn seeds(usual: u64) -> std::ops::Range<u64> {
    let told = |name: &str| std::env::var(name).ok();
    if let Some(text) = told("MOONCAKE_SEEDS") {
        let (from, to) = text.split_once("..").unwrap();
        return from.parse().unwrap()..to.parse().unwrap();
    }
    let count = told("MOONCAKE_RANDOM_PROGRAMS").and_then(|n| n.parse().ok());
    0..count.unwrap_or(usual)
}

/// What a seed's program is derived with respect to, from what its normal form becomes.
fn check_seed(
    module: Module,
    seed: u64,
    features: Features,
    registry: &Arc<Registry>,
    thorough: bool,
) -> Result<Seen, String> {
    let mut random = Random::new(seed ^ 0x5eed);
    let heap = heap(&mut random, features);
    let mut wanted = vec![true; heap.args.len()];
    match seed % 8 {
        0 => wanted = [false, true, true, true, false, true, false, false][..wanted.len()].to_vec(),
        1 if features.nodes => wanted.fill(false),
        2 if !features.stores => wanted[1] = false,
        _ => {}
    }
    let checked = || {
        let mut subject = Subject::with(registry, module, &wanted, |normal, registry| {
            match seed % 3 {
                0 => normal,
                1 => promoted(&normal, registry).unwrap(),
                _ => elide_copies(
                    unroll_loops(promote_objects(normal, registry), registry),
                    registry,
                ),
            }
        });
        subject.thorough = thorough;
        // Only shrinking makes programs that fail, or do not end.
        if !subject.runs(&heap) {
            return Ok(Seen::default());
        }
        subject.check_all(&heap)
    };
    // A panic is a failure too.
    let caught = catch_unwind(AssertUnwindSafe(checked));
    caught.unwrap_or_else(|_| Err("a panic: see above".to_owned()))
}

fn check_many(count: u64, features: Features) {
    let registry = Context::default().registry().clone();
    let mut all = Seen::default();
    let seeds = seeds(count);
    let count = seeds.clone().count();
    for seed in seeds {
        let module = program(seed, features);
        let check = |module: &Module| check_seed(module.clone(), seed, features, &registry, true);
        match check(&module) {
            Ok(seen) => {
                all.compared += seen.compared;
                all.unsettled += seen.unsettled;
            }
            Err(_) => {
                let module = shrink(module, &registry, |m| check(m).is_err());
                let why = check(&module).unwrap_err();
                let file = std::env::temp_dir().join(format!("random-program-{seed}.ir"));
                std::fs::write(&file, module.to_string()).unwrap();
                panic!(
                    "seed {seed} of {features:?}: {why}\nmade smaller, and written to {}:\n{module}",
                    file.display()
                );
            }
        }
    }
    assert!(
        all.compared >= count,
        "hardly anything is compared: {all:?}"
    );
    let enough = 4 * all.unsettled <= all.compared;
    assert!(
        enough || all.compared < 100,
        "differences settle too rarely: {all:?}"
    );
}

/// One test for each list of features.
macro_rules! programs {
    ($($name:ident: $count:literal, $($feature:ident: $value:expr),*;)*) => {$(
        #[test]
        fn $name() {
            check_many($count, Features { $($feature: $value,)* ..Features::default() });
        }
    )*};
}
programs! {
    programs_that_only_read: 40, jumps: true, result: Returns::Numbers;
    programs_that_write_memory: 60, stores: true, jumps: true, guards: true;
    programs_that_call: 40, stores: true, guards: true, calls: true, result: Returns::Numbers;
    programs_on_nodes: 20, stores: true, calls: true, nodes: true;
    programs_on_copies: 60, stores: true, jumps: true, lists: true;
    programs_that_return_nodes: 20, stores: true, nodes: true, result: Returns::Node;
}

#[test]
fn a_wrong_rule_is_found_and_the_program_made_small() {
    let mut registry = Registry::default();
    for entry in Context::default().registry().entries() {
        let mut entry = Entry::clone(entry);
        let params = [("x", entry.ret), ("y", entry.ret)];
        if let ("tanh", EntryKind::Scalar(rule)) = (entry.name.as_str(), &mut entry.kind) {
            let wrong = parse_expressions(Symbol::new("wrong"), &params, &["1 - y"], &|_, _| None);
            (rule.partials, rule.with_partials) = (wrong.unwrap(), None);
        }
        registry.insert(entry).unwrap();
    }
    let registry = Arc::new(registry);
    let features = Features::default();
    let fails = |module: &Module, seed: u64| {
        check_seed(module.clone(), seed, features, &registry, false).is_err()
    };
    let found = (0..50)
        .map(|seed| (seed, program(seed, features)))
        .find(|(seed, module)| fails(module, *seed));
    let (seed, module) = found.expect("one of fifty programs depends on the wrong rule");
    let module = shrink(module, &registry, |module| fails(module, seed));
    let blocks = module.root().blocks_in_order();
    let insts: usize = blocks.map(|(_, data)| data.insts.len()).sum();
    // What is left is one call, with at most one loop around it.
    assert!(insts <= 12, "{module}");
    assert!(module.to_string().contains("call @tanh"), "{module}");
}
