//! Kernels with reductions along rows, as WGSL: a worker takes a row, or a part of one.
//!
//! A worker is an invocation or a workgroup ([`Worker`]). It walks along its row once for each reduction that needs another one's result, and
//! once more for what it stores of each point; what a point needs is computed anew in each walk. Four elements at a time are loaded and stored
//! where all rows allow it.
//!
//! A row may be cut into stretches if nothing but its reductions is asked for: then a worker takes a stretch, and what the stretches give is
//! reduced by another kernel. Totals are given as one element for each worker, which another kernel reduces as well.
//!
//! In a kernel that scatters, an invocation owns some elements of a row of the output. It walks along the row and adds the points whose index names one of
//! its elements. Where several invocations share a row, each of them reads all indices of the row. That is cheap: an addition waits for the one before it,
//! and reading an index waits for nothing. There may be several copies of the output, each for a stretch of the points of all rows; another kernel adds
//! them up. Long rows take several dispatches, one after another, each of which adds to what the ones before have left.
//!
//! An index that a row has in common moves the place where the row begins in an input that is gathered. An index out of range is reported, and the
//! last element is read in its place.
//!
//! Numbers that vary between calls and shapes are words of the parameters ([`Word`]), so that one pipeline serves all kernels of one form.

use super::kernel::{
    self, COMPONENTS, all_of, element, enabled, helpers_of, joined, kept, loaded, register,
    together, unit,
};
use super::{Exact, KernelText, Printer, Unit, has_f64, name, private, set_zero};
use crate::arena::Id;
use crate::diag::{Diagnostic, Result};
use crate::ir::half_floats;
use crate::ir::{Inst, Module, Op, Prim, Type, Value};
use crate::kernel::{Combine, Kernel, Known, Level, Output, Scatter};
use crate::registry::Registry;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// Who takes a row.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Worker {
    /// An invocation.
    Thread,
    /// A workgroup: its invocations take the elements in turn.
    Group,
}

/// What the text depends on, besides the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    pub worker: Worker,
    /// Whether four elements of a row are loaded and stored at a time.
    pub wide: bool,
    /// Whether a worker takes a stretch of a row.
    pub stretches: bool,
    /// Whether the steps of a stretch are as far apart as there are stretches, and not neighbours: then invocations with neighbouring rows, which lie beside
    /// each other in memory, read all of it in order together. For stretches of invocations.
    pub interleaved: bool,
    /// Invocations in a workgroup.
    pub workgroup: u32,
    /// Iterations that the loops of packs' functions together may have.
    pub fuel: u32,
}

impl Layout {
    /// Elements of a row that are one step.
    pub fn unit(self) -> usize {
        match self.wide {
            true => 4,
            false => 1,
        }
    }
}

/// A word of the parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Word {
    /// The number of workers with work.
    Items,
    /// The operation's word of the fault report, for guards.
    Operation,
    /// The word of the fault report for the index through which an input is read, or for the input that is the index of the output.
    Report(usize),
    /// What that index is below.
    Below(usize),
    /// The step of a row at which a dispatch begins that adds up a stretch of all rows.
    First,
    /// How many elements of a row of a scattered output an invocation owns.
    Own,
    /// How many invocations share a row of a copy of it.
    Owners,
    /// The elements of a copy.
    Elements,
    /// The step of an input from one index to the next, in the elements of its binding.
    Gather(usize),
    /// The number of rows.
    Rows,
    /// The steps of a row: elements, or groups of four.
    Columns,
    /// The steps of a stretch.
    Stretch,
    /// The stretches of a row.
    Stretches,
    /// The extent of an axis of the rows.
    Extent(usize),
    /// Where an input begins, in the elements of its binding.
    Offset(usize),
    /// The step of an input along an axis of the rows, or, last, the columns, in the elements of its binding.
    Step(usize, usize),
    /// The bits of a number, or the lower half of them.
    Number(usize),
    /// The upper half of a number's bits.
    High(usize),
}

/// A kernel with reductions along rows, in WGSL. Bindings of group 0: the parameters; the arrays among the inputs; the outputs; the fault
/// report, if it can fail. The entry point is `main`.
pub struct RowKernel {
    pub text: KernelText,
    pub words: Vec<Word>,
    /// Why it failed, as in [`super::Wgsl`].
    pub faults: Vec<Diagnostic>,
}

/// Whether an input has an element for each point of a row: with `wide`, four are loaded at a time.
pub fn is_of_points(kernel: &Kernel, input: usize) -> bool {
    kernel.varies(input, kernel.rows.len())
}

/// Whether a kernel has numbers of 64 bits, in its body or in the functions that it calls.
pub fn is_wide(kernel: &Kernel, registry: &Registry) -> bool {
    let module = Module::new((*kernel.body).clone());
    let mut unit = Unit::new(&module, registry);
    for &inst in kernel.insts() {
        if let Some(called) = kernel.body.callee(inst)
            && kernel.reduction(inst).is_none()
        {
            // Whoever prints the kernel meets the same error, and gives it.
            let _ = unit.callee(called.callee, &called.types);
        }
    }
    unit.wide || has_f64(&kernel.body)
}

/// The types of what is combined, along the columns and in totals.
fn combined_types(kernel: &Kernel) -> Vec<Type> {
    let outputs = (0..kernel.outputs.len()).filter(|&n| kernel.outputs[n].total().is_some());
    let insts = kernel.insts().iter().copied();
    let reductions = insts.filter(|&inst| kernel.reduction(inst).is_some());
    let reduced = reductions.map(|inst| kernel.body.ty(kernel.body.insts[inst].result));
    reduced
        .chain(outputs.map(|n| kernel.output_type(n)))
        .collect()
}

/// The kernel's text. `is_number` tells which inputs are numbers, and no arrays.
pub fn row_kernel(
    kernel: &Kernel,
    is_number: &[bool],
    registry: &Registry,
    layout: Layout,
) -> Result<RowKernel> {
    let kernel = &Kernel {
        body: Arc::new(half_floats::expanded(&kernel.body).into_owned()),
        ..kernel.clone()
    };
    let module = Module::new((*kernel.body).clone());
    let mut unit = Unit::new(&module, registry);
    unit.has_f64 = has_f64(&kernel.body);
    unit.wide = is_wide(kernel, registry);
    let printer = Printer {
        unit: &mut unit,
        function: &kernel.body,
        exact: Exact::new(&kernel.body, registry),
        shared: BTreeSet::new(),
        out: String::new(),
        indent: 1,
    };
    let mut rows = Rows {
        kernel,
        known: kernel.known(),
        is_number,
        layout,
        printer,
        words: Vec::new(),
    };
    rows.main()?;
    let (main, mut words) = (std::mem::take(&mut rows.printer.out), rows.words);
    // At least one vector, and whole ones.
    words.resize(words.len().max(1).next_multiple_of(4), Word::Items);
    let mut text = enabled(kernel);
    let functions: String = unit.structs.values().chain(&unit.texts).cloned().collect();
    text.push_str(&private(unit.wide, &functions));
    text.push_str(&functions);
    let _ = writeln!(
        text,
        "@group(0) @binding(0) var<uniform> params: array<vec4<u32>, {}>;",
        words.len() / 4
    );
    bindings(
        kernel,
        is_number,
        layout,
        !unit.faults.is_empty() || kernel.has_indices(),
        &mut text,
    )?;
    let workgroup = layout.workgroup;
    if layout.worker == Worker::Group {
        text.push_str(&together(workgroup, &combined_types(kernel)));
    }
    let _ = write!(
        text,
        "@compute @workgroup_size({workgroup})\nfn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {{\n{main}}}\n"
    );
    let text = KernelText::around(text, unit.is_known());
    Ok(RowKernel {
        text,
        words,
        faults: unit.faults,
    })
}

fn bindings(
    kernel: &Kernel,
    is_number: &[bool],
    layout: Layout,
    can_fail: bool,
    text: &mut String,
) -> Result<()> {
    let mut next = 1;
    let mut bind = |text: &mut String, access: &str, name: String, ty: String| {
        let _ = writeln!(
            text,
            "@group(0) @binding({next}) var<storage, {access}> {name}: array<{ty}>;"
        );
        next += 1;
    };
    let stored = |ty: Type, wide: bool| -> Result<String> {
        let one = element(ty)?;
        Ok(match wide && layout.wide {
            true => format!("vec4<{one}>"),
            false => one.to_owned(),
        })
    };
    for (n, input) in kernel.inputs.iter().enumerate() {
        if !is_number[n] {
            bind(
                text,
                "read",
                format!("in{n}"),
                stored(input.ty, is_of_points(kernel, n))?,
            );
        }
    }
    for (n, output) in kernel.outputs.iter().enumerate() {
        let ty = stored(kernel.output_type(n), *output == Output::Points)?;
        bind(text, "read_write", format!("out{n}"), ty);
    }
    if can_fail {
        bind(text, "read_write", "report".into(), "atomic<u32>".into());
    }
    Ok(())
}

/// The statements of `main`.
struct Rows<'k, 'u, 'a> {
    kernel: &'k Kernel,
    known: Vec<Known>,
    is_number: &'k [bool],
    layout: Layout,
    printer: Printer<'u, 'a, 'k>,
    words: Vec<Word>,
}

impl Rows<'_, '_, '_> {
    fn line(&mut self, text: impl std::fmt::Display) {
        self.printer.line(text);
    }

    /// A word of the parameters.
    fn word(&mut self, word: Word) -> String {
        let at = self.words.iter().position(|&w| w == word);
        let n = at.unwrap_or_else(|| {
            self.words.push(word);
            self.words.len() - 1
        });
        kernel::word(n)
    }

    fn main(&mut self) -> Result<()> {
        let types = [Type::F32, Type::F64];
        let wide = self.printer.unit.has_f64;
        for helper in helpers_of(&types[..1 + usize::from(wide)]) {
            self.printer.unit.helper(helper);
        }
        if wide {
            self.printer.unit.helper(kernel::WORDS);
        }
        self.line(set_zero(self.printer.unit.wide));
        let fuel = self.layout.fuel;
        self.line(format_args!("mc_fuel = {fuel}u;"));
        let at = "group.y * groups.x + group.x";
        let workgroup = self.layout.workgroup;
        match self.layout.worker {
            Worker::Group => self.line(format_args!("let item = {at};")),
            Worker::Thread => self.line(format_args!("let item = ({at}) * {workgroup}u + lane;")),
        }
        let items = self.word(Word::Items);
        let operation = self.word(Word::Operation);
        self.line(format_args!("if (item >= {items}) {{ return; }}"));
        self.place();
        self.row_inputs()?;
        self.row_values(0)?;
        for phase in 1..=self.kernel.phases() {
            self.reductions(phase)?;
            self.row_values(phase)?;
        }
        self.outputs()?;
        if !self.printer.unit.faults.is_empty() {
            self.line(format_args!(
                "if (mc_fault != 0u) {{ atomicMax(&report[{operation}], mc_fault); }}"
            ));
        }
        Ok(())
    }

    /// `r`, the row; `c0`, `c1`, …, its coordinates; `low` and `high`, the steps of the row that the worker walks.
    fn place(&mut self) {
        let columns = self.word(Word::Columns);
        if self.kernel.scatter().is_some() {
            let (first, stretch) = (self.word(Word::First), self.word(Word::Stretch));
            let (rows, own) = (self.word(Word::Rows), self.word(Word::Own));
            let (owners, elements) = (self.word(Word::Owners), self.word(Word::Elements));
            self.line(format_args!("let r = item % {rows};"));
            self.line(format_args!("let owner = item / {rows};"));
            self.line(format_args!("let mine = owner % {owners} * {own};"));
            self.line(format_args!("let copy = owner / {owners} * {elements};"));
            self.line(format_args!(
                "let low = {first} + owner / {owners} * {stretch};"
            ));
            self.line(format_args!("let high = min(low + {stretch}, {columns});"));
        } else if self.layout.interleaved {
            let rows = self.word(Word::Rows);
            self.line(format_args!("let r = item % {rows};"));
            self.line(format_args!("let low = item / {rows};"));
            self.line(format_args!("let high = {columns};"));
        } else if self.layout.stretches {
            let (rows, stretch) = (self.word(Word::Rows), self.word(Word::Stretch));
            self.line(format_args!("let r = item % {rows};"));
            self.line(format_args!("let low = item / {rows} * {stretch};"));
            self.line(format_args!("let high = min(low + {stretch}, {columns});"));
        } else {
            self.line("let r = item;");
            self.line("let low = 0u;");
            self.line(format_args!("let high = {columns};"));
        }
        let mut rest = String::from("r");
        for axis in (1..self.kernel.rows.len()).rev() {
            let extent = self.word(Word::Extent(axis));
            self.line(format_args!("let c{axis} = {rest} % {extent};"));
            self.line(format_args!("let q{axis} = {rest} / {extent};"));
            rest = format!("q{axis}");
        }
        self.line(format_args!("let c0 = {rest};"));
    }

    /// `b0`, `b1`, …: where the row begins in each array; and what inputs give for the row.
    fn row_inputs(&mut self) -> Result<()> {
        let kernel = self.kernel;
        for (n, input) in kernel.inputs.iter().enumerate() {
            let value = name(kernel.body.params()[n]);
            if self.is_number[n] {
                let mut words = [Word::Number(n), Word::High(n)].into_iter();
                let next = || self.word(words.next().unwrap_or(Word::High(n)));
                let number = kernel::number(next, input.ty)?;
                self.line(format_args!("let {value} = {number};"));
                continue;
            }
            let mut base = self.word(Word::Offset(n));
            for (axis, &step) in input.steps[..kernel.rows.len()].iter().enumerate() {
                if step != 0 && kernel.rows[axis] != 1 {
                    let step = self.word(Word::Step(n, axis));
                    let _ = write!(base, " + c{axis} * {step}");
                }
            }
            if let Some(gather) = input.gather
                && !is_of_points(kernel, gather.by)
            {
                let index = name(kernel.body.params()[gather.by]);
                let _ = write!(base, " + {}", self.gathered(n, &index));
            }
            self.line(format_args!("let b{n} = {base};"));
            if !is_of_points(kernel, n) {
                let x = loaded(input.ty, false, format!("in{n}[b{n}]"));
                self.line(format_args!("let {value} = {x};"));
            }
        }
        Ok(())
    }

    /// How many elements further an input is read because of its index, which is reported if it is out of range.
    fn gathered(&mut self, input: usize, index: &str) -> String {
        let words = [Word::Report, Word::Below, Word::Gather].map(|word| self.word(word(input)));
        let [report, below, step] = words;
        self.line(kernel::reported(index, &report, &below));
        kernel::gathered(index, &below, &step)
    }

    /// The values of a phase that a row has in common.
    fn row_values(&mut self, phase: usize) -> Result<()> {
        let kernel = self.kernel;
        for &inst in kernel.insts() {
            let row = &kernel.body.insts[inst];
            let known = self.known[row.result.index()];
            let is_own = known.level != Level::Point && known.phase == phase;
            let is_value = kernel.reduction(inst).is_none() && row.op != Op::Prim(Prim::Tuple);
            if is_own && is_value {
                self.printer.inst(inst)?;
            }
        }
        Ok(())
    }

    /// The reductions of a phase: one walk along the row.
    fn reductions(&mut self, phase: usize) -> Result<()> {
        let kernel = self.kernel;
        let insts = kernel.insts().iter().copied();
        let own: Vec<(Combine, Value, Value)> = insts
            .filter_map(|inst| {
                let row = &kernel.body.insts[inst];
                let combine = kernel.reduction(inst)?;
                let is_own = self.known[row.result.index()].phase == phase;
                is_own.then(|| (combine, row.result, row.args[0]))
            })
            .collect();
        let ty_of = |value: &Value| kernel.body.ty(*value);
        for (combine, result, _) in &own {
            self.line(format_args!(
                "var a{} = {};",
                result.index(),
                unit(*combine, ty_of(result))
            ));
        }
        let wanted: Vec<Value> = own.iter().map(|(_, _, arg)| *arg).collect();
        self.walk(&wanted, &[], |this, _| {
            for (combine, result, arg) in &own {
                let part = format!("a{}", result.index());
                let sum = joined(*combine, ty_of(result), &part, &name(*arg));
                this.line(format_args!("{part} = {sum};"));
            }
        })?;
        for (combine, result, _) in &own {
            let part = format!("a{}", result.index());
            let all = self.all(*combine, ty_of(result), &part);
            self.line(format_args!("let {} = {all};", name(*result)));
        }
        Ok(())
    }

    /// What all invocations of a worker have, as one.
    fn all(&self, combine: Combine, ty: Type, part: &str) -> String {
        match self.layout.worker {
            Worker::Thread => part.to_owned(),
            Worker::Group => format!("{}(lane, {part})", all_of(combine, ty)),
        }
    }

    /// A walk along the row: at each point the wanted values, and what is done with them; and the indices of these inputs.
    fn walk(
        &mut self,
        wanted: &[Value],
        unread: &[usize],
        mut with: impl FnMut(&mut Self, &'static str),
    ) -> Result<()> {
        let (inputs, insts) = self.needed(wanted, unread);
        let (first, step) = match self.layout.worker {
            Worker::Thread if self.layout.interleaved => ("low", self.word(Word::Stretches)),
            Worker::Thread => ("low", "1u".to_owned()),
            Worker::Group => ("low + lane", format!("{}u", self.layout.workgroup)),
        };
        self.line(format_args!(
            "for (var j = {first}; j < high; j += {step}) {{"
        ));
        self.printer.indent += 1;
        let index = self.kernel.scatter().map(|scatter| scatter.by);
        if let Some(index) = index {
            self.skip_others(index);
        }
        for &n in inputs.iter().filter(|&&n| Some(n) != index) {
            self.load(n);
        }
        let components: &[&'static str] = match self.layout.wide {
            true => &COMPONENTS,
            false => &[""],
        };
        for component in components {
            self.line("{");
            self.printer.indent += 1;
            for &n in &inputs {
                let value = name(self.kernel.body.params()[n]);
                match self.layout.wide {
                    true => self.line(format_args!("let {value} = x{n}.{component};")),
                    false => self.line(format_args!("let {value} = x{n};")),
                }
            }
            for &inst in &insts {
                self.printer.inst(inst)?;
            }
            with(self, component);
            self.printer.indent -= 1;
            self.line("}");
        }
        self.printer.indent -= 1;
        self.line("}");
        Ok(())
    }

    /// `x0`, `x1`, …: the element of an input at a point, or four of them.
    fn load(&mut self, n: usize) {
        let last = self.kernel.rows.len();
        let mut at = match self.kernel.inputs[n].steps[last] {
            0 => format!("b{n}"),
            1 => format!("b{n} + j"),
            _ => format!("b{n} + j * {}", self.word(Word::Step(n, last))),
        };
        // No row with such an input is walked in steps of four.
        if let Some(gather) = self.kernel.inputs[n].gather
            && is_of_points(self.kernel, gather.by)
        {
            let gathered = self.gathered(n, &format!("x{}", gather.by));
            let _ = write!(at, " + {gathered}");
        }
        let ty = self.kernel.inputs[n].ty;
        let x = loaded(ty, self.layout.wide, format!("in{n}[{at}]"));
        self.line(format_args!("let x{n} = {x};"));
    }

    /// Skips the points whose index names no element of the invocation. An index out of range names no element at all, and is reported.
    fn skip_others(&mut self, index: usize) {
        let value = match is_of_points(self.kernel, index) {
            true => {
                self.load(index);
                format!("x{index}")
            }
            false => name(self.kernel.body.params()[index]),
        };
        let words = [Word::Report(index), Word::Below(index), Word::Own];
        let [report, below, own] = words.map(|word| self.word(word));
        self.line(kernel::reported(&value, &report, &below));
        self.line(format_args!(
            "if ({value} < mine || {value} >= min(mine + {own}, {below})) {{ continue; }}"
        ));
    }

    /// The inputs and the instructions at a point that values need, and these inputs.
    fn needed(&self, wanted: &[Value], unread: &[usize]) -> (BTreeSet<usize>, Vec<Inst>) {
        let kernel = self.kernel;
        let is_of_point = |value: Value| self.known[value.index()].level == Level::Point;
        let mut values: BTreeSet<Value> =
            wanted.iter().copied().filter(|&v| is_of_point(v)).collect();
        let mut insts = Vec::new();
        for &inst in kernel.insts().iter().rev() {
            let row = &kernel.body.insts[inst];
            if values.contains(&row.result) && kernel.reduction(inst).is_none() {
                insts.push(inst);
                values.extend(row.args.iter().copied().filter(|&v| is_of_point(v)));
            }
        }
        insts.reverse();
        let inputs = values.iter().filter_map(|&value| kernel.parameter(value));
        let mut inputs: BTreeSet<usize> = inputs.chain(unread.iter().copied()).collect();
        // And the indices through which they are read, which stand before them.
        for n in (0..kernel.inputs.len()).rev() {
            let gather = kernel.inputs[n].gather.filter(|_| inputs.contains(&n));
            let index = gather.filter(|gather| is_of_points(kernel, gather.by));
            inputs.extend(index.map(|gather| gather.by));
        }
        (inputs, insts)
    }

    /// Adds a point to the element that its index chooses.
    fn added(&mut self, scatter: Scatter, value: String) {
        let index = name(self.kernel.body.params()[scatter.by]);
        let place = match scatter.across {
            true => format!("{index} * {} + r", self.word(Word::Rows)),
            false => format!("r * {} + {index}", self.word(Word::Below(scatter.by))),
        };
        self.line(format_args!("out0[copy + {place}] += {value};"));
    }

    fn outputs(&mut self) -> Result<()> {
        let kernel = self.kernel;
        let of = |wanted: fn(&Output) -> bool| -> BTreeMap<usize, Value> {
            let all = kernel.outputs.iter().zip(kernel.results()).enumerate();
            { all.filter(|(_, (output, _))| wanted(output)) }
                .map(|(n, (_, &value))| (n, value))
                .collect()
        };
        let points = of(|output| *output == Output::Points);
        let across = of(|output| *output == Output::Across);
        let totals = of(|output| matches!(output, Output::Total(_)));
        let scatter = kernel.scatter();
        let index = scatter.map(|scatter| kernel.body.params()[scatter.by]);
        let scattered = of(|output| output.scatter().is_some());
        let combine = |n: &usize| kernel.outputs[*n].total().unwrap_or(Combine::Sum);
        for n in totals.keys() {
            let ty = kernel.output_type(*n);
            self.line(format_args!("var t{n} = {};", unit(combine(n), ty)));
        }
        let is_wide = self.layout.wide;
        let wanted = points
            .values()
            .chain(across.values())
            .chain(totals.values())
            .chain(scattered.values());
        let wanted: Vec<Value> = wanted.copied().chain(index).collect();
        let mut unread = kernel.unread();
        unread.retain(|&n| kernel.index_varies(n, kernel.rows.len()));
        if !wanted.is_empty() || !unread.is_empty() {
            if is_wide {
                for &n in points.keys() {
                    let ty = register(kernel.output_type(n))?;
                    self.line(format_args!("var y{n} = vec4<{ty}>();"));
                }
            }
            self.walk(&wanted, &unread, |this, component| {
                for (n, value) in &totals {
                    let ty = kernel.output_type(*n);
                    let sum = joined(combine(n), ty, &format!("t{n}"), &name(*value));
                    this.line(format_args!("t{n} = {sum};"));
                }
                if let Some(scatter) = scatter {
                    this.added(scatter, name(kernel.results()[0]));
                }
                for (n, value) in &across {
                    let value = kept(kernel.output_type(*n), false, name(*value));
                    let rows = this.word(Word::Rows);
                    let column = match COMPONENTS.iter().position(|&c| c == component) {
                        Some(c) => format!("(j * 4u + {c}u)"),
                        None => "j".to_owned(),
                    };
                    this.line(format_args!("out{n}[{column} * {rows} + r] = {value};"));
                }
                for (n, value) in &points {
                    let (ty, value) = (kernel.output_type(*n), name(*value));
                    match (is_wide, component) {
                        (false, _) => {
                            let value = kept(ty, false, value);
                            this.line(format_args!("out{n}[r * high + j] = {value};"));
                        }
                        (true, "w") => {
                            let four = kept(ty, true, format!("y{n}"));
                            this.line(format_args!(
                                "y{n}.w = {value}; out{n}[r * high + j] = {four};"
                            ));
                        }
                        (true, _) => this.line(format_args!("y{n}.{component} = {value};")),
                    }
                }
            })?;
        }
        for (n, output) in kernel.outputs.iter().enumerate() {
            let value = match output {
                Output::Points | Output::Across | Output::Scattered(_) => continue,
                Output::Rows | Output::RowTotal(_) => name(kernel.results()[n]),
                Output::Total(combine) => {
                    let all = self.all(*combine, kernel.output_type(n), &format!("t{n}"));
                    self.line(format_args!("let u{n} = {all};"));
                    format!("u{n}")
                }
            };
            let value = kept(kernel.output_type(n), false, value);
            match self.layout.worker {
                Worker::Thread => self.line(format_args!("out{n}[item] = {value};")),
                Worker::Group => self.line(format_args!(
                    "if (lane == 0u) {{ out{n}[item] = {value}; }}"
                )),
            }
        }
        Ok(())
    }
}
