//! The kernel of a map: one scalar function applied to every element.
//!
//! Inputs are read in one of a few ways ([`Access`]), and the text holds only the index arithmetic that they need: if all are
//! read in the order in which the result is written, there is none. Four elements at a time are loaded and stored where rows
//! allow it. Numbers that vary between calls (extents, strides, scalars) are words of a uniform buffer, so that one pipeline
//! serves all shapes of one kind.
//!
//! Words of the parameters, in order:
//!
//! 1. the number of steps: elements, or groups of four;
//! 2. the operation's word of the fault report;
//! 3. if there are totals and a step is four elements: the number of elements;
//! 4. if some input needs coordinates or has a window: the extents of all axes but the first, the last one in steps;
//! 5. for each window and each axis along which it ends, where it begins and how many places it has;
//! 6. for each input, if it is gathered, the word of the fault report for its index, what the index is below, and the step from one index to the next; then
//!    what its [`Access`] says.
//!
//! An output is an array with an element for each step's element, or a total of them: then each invocation gives one element, or each
//! workgroup ([`Layout::totals`]), which another kernel reduces.
//!
//! Invocations stride over the steps by the size of the whole dispatch, or a workgroup takes neighbouring steps ([`Layout::blocks`]). Steps beyond the number of elements (in the last group of
//! four) read and write padding: buffers are allocated in multiples of 32 bytes.

use super::{KernelText, Wgsl, private, set_zero};
use crate::diag::{Error, Result};
use crate::ir::Type;
use crate::kernel::{Combine, Kernel, PerAxis};
use std::fmt::Write;

/// How an input is read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Access {
    /// From the parameters. Word: the bits; two of them for 64 bits, the lower first.
    Scalar,
    /// One element for all. Word: its index.
    Constant,
    /// In the order of the result. Word: the index of the first step.
    Flat,
    /// Along rows without gaps. Words: the first step, the strides of the axes but the last in steps.
    Row,
    /// One element for each group of four. Words: offset, and strides of the axes but the last, in elements.
    Splat,
    /// Anyhow. Words: offset, strides of all axes in elements.
    Strided,
}

impl Access {
    /// Whether it goes by the coordinates of a step.
    pub fn has_coordinates(self) -> bool {
        matches!(self, Access::Row | Access::Splat | Access::Strided)
    }
}

/// An input as the kernel sees it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Input {
    /// The element type.
    pub ty: Type,
    /// How it is read.
    pub access: Access,
    /// Which storage binding it is read from; of no meaning for scalars. Inputs that share one agree in type and width.
    pub slot: usize,
    /// If it is gathered: the input, one before it, that is the index. It is read along rows, as one element for each group of four or, wherever each
    /// element of a group has its own index, [anyhow](Access::Strided).
    pub by: Option<usize>,
    /// If it has elements within a window alone: which of the [`Layout::windows`]. It is a number or read [anyhow](Access::Strided), and is 0 outside.
    pub window: Option<usize>,
}

impl Input {
    /// Whether each element of a group of four has its own.
    fn has_lanes(&self) -> bool {
        matches!(self.access, Access::Flat | Access::Row | Access::Strided)
    }
}

/// What the text of a kernel depends on, besides the function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    /// One for each parameter of the function.
    pub inputs: Vec<Input>,
    /// Axes of the iteration space, at least one.
    pub axes: usize,
    /// The windows that inputs have: for each axis whether the window ends along it. With windows, a step is one element.
    pub windows: Vec<PerAxis<bool>>,
    /// Whether a step is four elements along the last axis.
    pub vector: bool,
    /// Invocations in a workgroup.
    pub workgroup: u32,
    /// Whether a workgroup takes steps that are next to each other, and strides over them by its own size.
    pub blocks: bool,
    /// Iterations that all loops of an invocation together may have.
    pub fuel: u32,
    /// For each output that is a total, how its elements are combined. Outputs beyond these are arrays.
    pub totals: Vec<Option<Combine>>,
    /// Whether a workgroup gives one element of each total, and not each invocation.
    pub grouped: bool,
}

impl Layout {
    /// How an output is combined, if it is a total.
    pub fn total(&self, output: usize) -> Option<Combine> {
        self.totals.get(output).copied().flatten()
    }
    fn has_totals(&self) -> bool {
        self.totals.iter().any(Option::is_some)
    }
    /// Whether elements beyond the last one must not count.
    fn counts_elements(&self) -> bool {
        self.vector && self.has_totals()
    }
    /// Whether some input is gathered: an index may be out of range.
    pub fn has_indices(&self) -> bool {
        self.inputs.iter().any(|input| input.by.is_some())
    }
    fn needs_coordinates(&self) -> bool {
        let mut inputs = self.inputs.iter();
        !self.windows.is_empty() || inputs.any(|input| input.access.has_coordinates())
    }
    /// The storage bindings that inputs are read from.
    pub fn slots(&self) -> usize {
        let stored = self
            .inputs
            .iter()
            .filter(|input| input.access != Access::Scalar);
        stored.map(|input| input.slot + 1).max().unwrap_or(0)
    }
    /// Whether the binding of this input has elements of four.
    pub fn is_wide(&self, input: &Input) -> bool {
        self.vector && matches!(input.access, Access::Flat | Access::Row)
    }
}

/// The outputs of a function: one for a scalar, one for each field of a tuple.
pub fn outputs(ret: Type) -> Vec<Type> {
    match ret {
        Type::Tuple(fields) => fields.to_vec(),
        single => vec![single],
    }
}

/// The text of a kernel. Bindings of group 0: 0 the parameters, then the inputs' slots, the outputs, and, if the function
/// has memory, that of all invocations; and, if it can fail, the fault report. The entry point is `main`.
pub fn map_kernel(function: &Wgsl, layout: &Layout) -> Result<KernelText> {
    let inputs = layout.inputs.iter().map(|input| input.ty);
    let mut text = enabled_for(inputs.chain(outputs(function.ret)));
    text.push_str(&private(function.wide, &function.text));
    text.push_str(&function.text);
    let totals: Vec<Type> = { outputs(function.ret).into_iter().enumerate() }
        .filter(|&(n, _)| layout.total(n).is_some())
        .map(|(_, ty)| ty)
        .collect();
    let wide_scalar = |input: &Input| input.access == Access::Scalar && input.ty == Type::F64;
    let mut needed: Vec<&str> = Vec::new();
    needed.extend(helpers_of(&totals));
    if layout.inputs.iter().any(wide_scalar) {
        needed.push(WORDS);
    }
    for name in needed {
        if !function.text.contains(&format!("fn {name}(")) {
            text.push_str(super::helper(name).unwrap_or_default());
        }
    }
    if layout.grouped {
        text.push_str(&together(layout.workgroup, &totals));
    }
    bindings(function, layout, &mut text)?;
    let body = Body::new(function, layout);
    let _ = write!(
        text,
        "@compute @workgroup_size({})\nfn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>, @builtin(local_invocation_index) lane: u32) {{\n{}}}\n",
        layout.workgroup,
        body.text()?
    );
    Ok(KernelText::around(text, function.is_known))
}

/// The name of an element type in a storage buffer.
pub fn element(ty: Type) -> Result<&'static str> {
    match ty {
        Type::F32 => Ok("f32"),
        Type::F64 => Ok("f64"),
        Type::I32 => Ok("i32"),
        Type::U32 => Ok("u32"),
        Type::F16 => Ok("u16"),
        _ => Err(super::refused(format_args!(
            "arrays of {ty} do not exist on the GPU"
        ))),
    }
}

/// What comes before all else in the text of a kernel.
pub fn enabled(kernel: &Kernel) -> String {
    let read = kernel.inputs.iter().map(|input| input.ty);
    let made = (0..kernel.outputs.len()).map(|n| kernel.output_type(n));
    enabled_for(read.chain(made))
}

fn enabled_for(mut types: impl Iterator<Item = Type>) -> String {
    match types.any(|ty| ty == Type::F16) {
        true => ENABLE_HALVES.to_owned(),
        false => String::new(),
    }
}

/// Elements of 16 bits need it.
const ENABLE_HALVES: &str = "enable wgpu_int16;\n\n";

/// The name of an element type in registers.
pub fn register(ty: Type) -> Result<&'static str> {
    match ty {
        Type::F16 => Ok("u32"),
        ty => element(ty),
    }
}

/// An element in a register, or four of them, of what a buffer has.
pub fn loaded(ty: Type, four: bool, text: String) -> String {
    match (ty, four) {
        (Type::F16, true) => format!("vec4<u32>({text})"),
        (Type::F16, false) => format!("u32({text})"),
        _ => text,
    }
}

/// What a buffer takes for an element in a register, or for four of them.
pub fn kept(ty: Type, four: bool, text: String) -> String {
    match (ty, four) {
        (Type::F16, true) => format!("vec4<u16>({text})"),
        (Type::F16, false) => format!("u16({text})"),
        _ => text,
    }
}

fn stored(ty: Type, wide: bool) -> Result<String> {
    let name = element(ty)?;
    Ok(match wide {
        true => format!("vec4<{name}>"),
        false => name.to_owned(),
    })
}

fn bindings(function: &Wgsl, layout: &Layout, text: &mut String) -> Result<()> {
    let vectors = word_count(layout).div_ceil(4);
    let _ = writeln!(
        text,
        "@group(0) @binding(0) var<uniform> params: array<vec4<u32>, {vectors}>;"
    );
    let slots = layout.slots();
    for slot in 0..slots {
        let input = layout
            .inputs
            .iter()
            .find(|input| input.slot == slot && input.access != Access::Scalar)
            .ok_or_else(|| Error::Internal(format!("no input is read from slot {slot}")))?;
        let ty = stored(input.ty, layout.is_wide(input))?;
        let _ = writeln!(
            text,
            "@group(0) @binding({}) var<storage, read> in{slot}: array<{ty}>;",
            slot + 1
        );
    }
    let outputs = outputs(function.ret);
    for (n, &ty) in outputs.iter().enumerate() {
        let _ = writeln!(
            text,
            "@group(0) @binding({}) var<storage, read_write> out{n}: array<{}>;",
            slots + 1 + n,
            stored(ty, layout.vector && layout.total(n).is_none())?
        );
    }
    let mut next = slots + 1 + outputs.len();
    if function.memory {
        let _ = writeln!(
            text,
            "@group(0) @binding({next}) var<storage, read_write> mc_scratch: array<u32>;"
        );
        next += 1;
    }
    if !function.faults.is_empty() || layout.has_indices() {
        let _ = writeln!(
            text,
            "@group(0) @binding({next}) var<storage, read_write> report: array<atomic<u32>>;"
        );
    }
    Ok(())
}

/// The words of an input's parameters.
fn words_of(layout: &Layout, input: &Input) -> usize {
    let gather = match input.by {
        Some(_) => GATHER_WORDS,
        None => 0,
    };
    let access = match input.access {
        Access::Scalar if input.ty == Type::F64 => 2,
        Access::Scalar | Access::Constant | Access::Flat => 1,
        Access::Row | Access::Splat => layout.axes,
        Access::Strided => layout.axes + 1,
    };
    gather + access
}

/// The words of an index: that of the fault report, what it is below, and the step from one to the next.
pub const GATHER_WORDS: usize = 3;

/// The words of all parameters.
pub fn word_count(layout: &Layout) -> usize {
    let extents = match layout.needs_coordinates() {
        true => layout.axes - 1,
        false => 0,
    };
    let windows = layout.windows.iter().flatten();
    let ends = 2 * windows.filter(|&&ends| ends).count();
    let inputs = layout.inputs.iter().map(|input| words_of(layout, input));
    2 + usize::from(layout.counts_elements()) + extents + ends + inputs.sum::<usize>()
}

/// The statement that reports an index out of range. The report is the index and one more, so that it is not 0.
pub fn reported(index: &str, report: &str, below: &str) -> String {
    format!(
        "if ({index} >= {below}) {{ atomicMax(&report[{report}], min({index}, 0xfffffffeu) + 1u); }}"
    )
}

/// How many elements further an index reads. One out of range reads the last element: what is made of it is never looked at.
pub fn gathered(index: &str, below: &str, step: &str) -> String {
    format!("min({index}, {below} - 1u) * {step}")
}

/// The helper that makes a number of two words.
pub const WORDS: &str = "mcx_words_f64";

/// The helpers that reductions of these types need.
pub fn helpers_of(types: &[Type]) -> impl Iterator<Item = &'static str> {
    let single = ["mcx_is_nan", "mcx_greater", "mcx_bits"];
    let double = ["mcx_greater_f64", "mcx_bits_f64"];
    let single = types.contains(&Type::F32).then_some(single);
    let double = types.contains(&Type::F64).then_some(double);
    { single.into_iter().flatten() }.chain(double.into_iter().flatten())
}

/// How many elements an invocation joins between two barriers, which take longer than additions.
const TAKEN: u32 = 8;

/// The functions by which the invocations of a workgroup, a power of two, join what they have of each type.
pub fn together(workgroup: u32, types: &[Type]) -> String {
    let mut text = String::new();
    for ty in [Type::F32, Type::F64, Type::I32, Type::U32] {
        if !types.contains(&ty) {
            continue;
        }
        let parts = format!("parts_{ty}");
        let _ = write!(
            text,
            "var<workgroup> {parts}: array<{ty}, {workgroup}>;\n\n"
        );
        for combine in Combine::ALL {
            let _ = write!(
                text,
                "fn {}(lane: u32, own: {ty}) -> {ty} {{\n    {parts}[lane] = own;\n    workgroupBarrier();\n",
                all_of(combine, ty)
            );
            let mut left = workgroup;
            while left > 1 {
                let taken = left.min(TAKEN);
                left /= taken;
                let _ = write!(
                    text,
                    "    if (lane < {left}u) {{\n        var sum = {parts}[lane];\n"
                );
                for n in 1..taken {
                    let other = format!("{parts}[lane + {}u]", n * left);
                    let joined = joined(combine, ty, "sum", &other);
                    let _ = writeln!(text, "        sum = {joined};");
                }
                let _ = write!(
                    text,
                    "        {parts}[lane] = sum;\n    }}\n    workgroupBarrier();\n"
                );
            }
            let _ = write!(
                text,
                "    let all = {parts}[0];\n    workgroupBarrier();\n    return all;\n}}\n\n"
            );
        }
    }
    text
}

/// The function by which the invocations of a workgroup join what they have.
pub fn all_of(combine: Combine, ty: Type) -> String {
    format!("all_{}_{ty}", combine.name())
}

/// The components of a vector.
pub const COMPONENTS: [&str; 4] = ["x", "y", "z", "w"];

/// A word of the parameters.
pub fn word(n: usize) -> String {
    format!("params[{}].{}", n / 4, COMPONENTS[n % 4])
}

/// The number whose bits the next word has, or the next two.
pub fn number(mut word: impl FnMut() -> String, ty: Type) -> Result<String> {
    if ty == Type::F64 {
        let low = word();
        return Ok(format!("{WORDS}({low}, {})", word()));
    }
    let word = word();
    Ok(match ty {
        Type::Bool => format!("{word} != 0u"),
        Type::U32 | Type::Usize | Type::F16 => word,
        Type::Isize => format!("bitcast<i32>({word})"),
        ty => format!("bitcast<{}>({word})", element(ty)?),
    })
}

/// Two elements as one.
pub fn joined(combine: Combine, ty: Type, a: &str, b: &str) -> String {
    match (combine, ty) {
        (Combine::Sum, _) => format!("{a} + {b}"),
        (Combine::Max, Type::F64) => format!("mcx_greater_f64({a}, {b})"),
        (Combine::Max, Type::I32 | Type::U32) => format!("max({a}, {b})"),
        (Combine::Max, _) => format!("mcx_greater({a}, {b})"),
    }
}

/// What there is before the first element.
pub fn unit(combine: Combine, ty: Type) -> &'static str {
    match (combine, ty) {
        (Combine::Sum, Type::F64) => "0.0lf",
        (Combine::Sum, Type::I32) => "0i",
        (Combine::Sum | Combine::Max, Type::U32) => "0u",
        (Combine::Max, Type::I32) => "i32(-2147483648)",
        (Combine::Sum, _) => "0.0",
        // Literals must be finite.
        (Combine::Max, Type::F64) => "mcx_bits_f64(0xfff0000000000000lu)",
        (Combine::Max, _) => "mcx_bits(0xff800000u)",
    }
}

/// The statements of `main`.
struct Body<'a> {
    function: &'a Wgsl,
    layout: &'a Layout,
    next_word: usize,
}

impl<'a> Body<'a> {
    fn new(function: &'a Wgsl, layout: &'a Layout) -> Self {
        Body {
            function,
            layout,
            next_word: 0,
        }
    }

    /// The next word of the parameters.
    fn word(&mut self) -> String {
        self.next_word += 1;
        word(self.next_word - 1)
    }

    fn text(mut self) -> Result<String> {
        let count = self.word();
        let operation = self.word();
        let elements = match self.layout.counts_elements() {
            true => self.word(),
            false => String::new(),
        };
        let (mut before, mut inside) = (String::new(), String::new());
        let _ = writeln!(before, "    {}", set_zero(self.function.wide));
        if self.layout.needs_coordinates() {
            self.coordinates(&mut inside);
        }
        self.windows(&mut inside);
        for (n, input) in self.layout.inputs.iter().enumerate() {
            self.load(n, input, &mut before, &mut inside)?;
        }
        self.apply(&elements, &mut inside)?;
        let after = self.totals(&mut before);
        if !self.function.faults.is_empty() {
            let _ = writeln!(
                inside,
                "        if (mc_fault != 0u) {{ atomicMax(&report[{operation}], mc_fault); }}"
            );
        }
        let workgroup = self.layout.workgroup;
        if self.function.memory {
            let _ = write!(
                before,
                "    mc_lane = id.y * groups.x * {workgroup}u + id.x;\n    mc_lanes = groups.x * groups.y * {workgroup}u;\n"
            );
        }
        let (place, first, end, stride) = match self.layout.blocks {
            true => (
                format!(
                    "let all = groups.x * groups.y;\n    let share = ({count} + all - 1u) / all;\n    let start = (id.y * groups.x + id.x / {workgroup}u) * share;\n    let end = min(start + share, {count});"
                ),
                "start + lane".to_owned(),
                "end".to_owned(),
                format!("{workgroup}u"),
            ),
            false => (
                format!("let stride = groups.x * groups.y * {workgroup}u;"),
                format!("id.y * groups.x * {workgroup}u + id.x"),
                count,
                "stride".to_owned(),
            ),
        };
        Ok(format!(
            "    mc_fuel = {}u;\n{before}    {place}\n    for (var i = {first}; i < {end}; i += {stride}) {{\n{inside}    }}\n{after}",
            self.layout.fuel
        ))
    }

    /// `c0`, `c1`, …: the step's coordinates.
    fn coordinates(&mut self, out: &mut String) {
        let axes = self.layout.axes;
        let extents: Vec<String> = (1..axes).map(|_| self.word()).collect();
        let mut rest = String::from("i");
        for axis in (1..axes).rev() {
            let extent = &extents[axis - 1];
            let _ = writeln!(out, "        let c{axis} = {rest} % {extent};");
            let _ = writeln!(out, "        let r{axis} = {rest} / {extent};");
            rest = format!("r{axis}");
        }
        let _ = writeln!(out, "        let c0 = {rest};");
    }

    /// Words: an offset and the strides of the first `axes` axes.
    fn index(&mut self, axes: usize) -> String {
        let mut index = self.word();
        for axis in 0..axes {
            let _ = write!(index, " + c{axis} * {}", self.word());
        }
        index
    }

    /// What the elements of an input that is gathered are read further because of the index, each of which is looked at first: `k{n}`, or four of
    /// them, `k{n}x`, `k{n}y`, …. Gives what is to be added for each element of the step.
    fn gathered(&mut self, n: usize, by: usize, out: &mut String) -> [String; 4] {
        let [report, below, step] = [(); GATHER_WORDS].map(|()| self.word());
        let has_lanes = self.layout.vector && self.layout.inputs[by].has_lanes();
        let lanes: &[&str] = match has_lanes {
            true => &COMPONENTS,
            false => &[""],
        };
        for lane in lanes {
            let index = match lane.is_empty() {
                true => format!("x{by}"),
                false => format!("x{by}.{lane}"),
            };
            let _ = writeln!(out, "        {}", reported(&index, &report, &below));
            let further = gathered(&index, &below, &step);
            let _ = writeln!(out, "        let k{n}{lane} = {further};");
        }
        COMPONENTS.map(|lane| match has_lanes {
            true => format!(" + k{n}{lane}"),
            false => format!(" + k{n}"),
        })
    }

    /// `x{n}`: the input's value, four of them if it has one for each element of a group.
    fn load(
        &mut self,
        n: usize,
        input: &Input,
        before: &mut String,
        inside: &mut String,
    ) -> Result<()> {
        let (axes, vector) = (self.layout.axes, self.layout.vector);
        let buffer = format!("in{}", input.slot);
        let further = match input.by {
            None => Default::default(),
            Some(by) => self.gathered(n, by, inside),
        };
        let [k0, k1, k2, k3] = &further;
        match input.access {
            Access::Scalar => {
                let value = number(|| self.word(), input.ty)?;
                let _ = match input.window {
                    None => writeln!(before, "    let x{n} = {value};"),
                    Some(window) => {
                        let zero = format!("{}()", register(input.ty)?);
                        let _ = writeln!(before, "    let n{n} = {value};");
                        let x = format!("select({zero}, n{n}, inside{window})");
                        writeln!(inside, "        let x{n} = {x};")
                    }
                };
            }
            Access::Constant => {
                let word = self.word();
                let x = loaded(input.ty, false, format!("{buffer}[{word}]"));
                let _ = writeln!(before, "    let x{n} = {x};");
            }
            Access::Flat => {
                let word = self.word();
                let x = loaded(input.ty, vector, format!("{buffer}[i + {word}]"));
                let _ = writeln!(inside, "        let x{n} = {x};");
            }
            Access::Row => {
                let index = self.index(axes - 1);
                let at = format!("{buffer}[{index} + c{}{k0}]", axes - 1);
                let x = loaded(input.ty, vector, at);
                let _ = writeln!(inside, "        let x{n} = {x};");
            }
            Access::Splat => {
                let index = self.index(axes - 1);
                let x = loaded(input.ty, false, format!("{buffer}[{index}{k0}]"));
                let _ = writeln!(inside, "        let x{n} = {x};");
            }
            Access::Strided if vector => {
                let index = self.index(axes - 1);
                let (last, step) = (axes - 1, self.word());
                let element = element(input.ty)?;
                let _ = writeln!(
                    inside,
                    "        let i{n} = {index} + 4u * c{last} * {step};"
                );
                let four = format!(
                    "vec4<{element}>({buffer}[i{n}{k0}], {buffer}[i{n} + {step}{k1}], {buffer}[i{n} + 2u * {step}{k2}], {buffer}[i{n} + 3u * {step}{k3}])"
                );
                let x = loaded(input.ty, true, four);
                let _ = writeln!(inside, "        let x{n} = {x};");
            }
            Access::Strided => {
                let index = self.index(axes);
                let x = loaded(input.ty, false, format!("{buffer}[{index}{k0}]"));
                let _ = match input.window {
                    None => writeln!(inside, "        let x{n} = {x};"),
                    Some(window) => {
                        let ty = register(input.ty)?;
                        let read = format!("if (inside{window}) {{ x{n} = {x}; }}");
                        writeln!(inside, "        var x{n} = {ty}();\n        {read}")
                    }
                };
            }
        }
        Ok(())
    }

    /// `inside0`, `inside1`, …: whether the step is in each window. Places before a window wrap, and are behind it then.
    fn windows(&mut self, out: &mut String) {
        for (n, bounded) in self.layout.windows.iter().enumerate() {
            let ends = (0..bounded.len()).filter(|&axis| bounded[axis]);
            let ends = ends.map(|axis| format!("c{axis} - {} < {}", self.word(), self.word()));
            let ends: Vec<String> = ends.collect();
            let inside = match ends.is_empty() {
                true => "true".to_owned(),
                false => ends.join(" && "),
            };
            let _ = writeln!(out, "        let inside{n} = {inside};");
        }
    }

    /// Begins the totals; gives the text that stores them.
    fn totals(&self, before: &mut String) -> String {
        let mut after = String::new();
        let workgroup = self.layout.workgroup;
        for (n, ty) in outputs(self.function.ret).into_iter().enumerate() {
            let Some(combine) = self.layout.total(n) else {
                continue;
            };
            let _ = writeln!(before, "    var t{n} = {};", unit(combine, ty));
            let _ = match self.layout.grouped {
                true => writeln!(
                    after,
                    "    let u{n} = {}(lane, t{n});\n    if (lane == 0u) {{ out{n}[(id.y * groups.x * {workgroup}u + id.x) / {workgroup}u] = u{n}; }}",
                    all_of(combine, ty)
                ),
                false => writeln!(
                    after,
                    "    out{n}[id.y * groups.x * {workgroup}u + id.x] = t{n};"
                ),
            };
        }
        after
    }

    /// Calls the function once for each element of the step and stores what it returns. `elements` is how many there are.
    fn apply(&self, elements: &str, out: &mut String) -> Result<()> {
        let lanes: &[&str] = match self.layout.vector {
            true => &[".x", ".y", ".z", ".w"],
            false => &[""],
        };
        for (n, lane) in lanes.iter().enumerate() {
            let args: Vec<String> = self
                .layout
                .inputs
                .iter()
                .enumerate()
                .map(|(i, input)| match input.has_lanes() {
                    true => format!("x{i}{lane}"),
                    false => format!("x{i}"),
                })
                .collect();
            if self.function.memory {
                let _ = writeln!(out, "        mcx_reset_memory();");
            }
            let _ = writeln!(
                out,
                "        let y{n} = {}({});",
                self.function.name,
                args.join(", ")
            );
        }
        for (n, &ty) in outputs(self.function.ret).iter().enumerate() {
            let field = match self.function.ret {
                Type::Tuple(_) => format!(".f{n}"),
                _ => String::new(),
            };
            let values: Vec<String> = (0..lanes.len())
                .map(|lane| format!("y{lane}{field}"))
                .collect();
            if let Some(combine) = self.layout.total(n) {
                for (lane, value) in values.iter().enumerate() {
                    let counted = match self.layout.vector {
                        true => format!(
                            "select({}, {value}, 4u * i + {lane}u < {elements})",
                            unit(combine, ty)
                        ),
                        false => value.clone(),
                    };
                    let joined = joined(combine, ty, &format!("t{n}"), &counted);
                    let _ = writeln!(out, "        t{n} = {joined};");
                }
                continue;
            }
            let value = match self.layout.vector {
                true => format!("vec4<{}>({})", register(ty)?, values.join(", ")),
                false => values.join(""),
            };
            let value = kept(ty, self.layout.vector, value);
            let _ = writeln!(out, "        out{n}[i] = {value};");
        }
        Ok(())
    }
}
