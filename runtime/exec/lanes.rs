//! Kernels of the kernel IR behind a safe call: rows are shared among threads, totals are combined in a fixed order.

use super::flush::flushed_if;
use super::threads;
use crate::codegen::cpu::lanes::{Along, Form, HEAD, INPUT, OUTPUT};
use crate::codegen::cpu::{self, LaneCode};
use crate::diag::{Error, Result};
use crate::ir::Type;
use crate::kernel::{Combine, Input, Kernel, Output, Scatter};
use crate::plugin::check_faults;
use crate::registry::Registry;
use smallvec::SmallVec;
use std::mem::MaybeUninit;
use std::ops::{Add, Range};
use std::sync::Arc;

/// A compiled kernel. Called from any thread, many at a time.
pub struct LaneKernel {
    /// What the code computes: of a kernel that scatters, the points.
    kernel: Kernel,
    /// How these points are added up, if they are.
    scatter: Option<Scatter>,
    code: Arc<LaneCode>,
    /// The kernel's points, in pieces of work.
    pieces: Vec<Piece>,
    /// The columns of one call of the code.
    tile: usize,
    /// The columns of one call of the code, if each call gives a part of the reductions of its rows.
    cut: Option<usize>,
    /// Whether threads share the pieces.
    is_shared: bool,
    /// Whether results that would be subnormal become zeros: where all floats are `f32`.
    is_flushed: bool,
    /// Where windows of inputs begin and end along the last axis of the rows. (Pieces do not cross their ends along the columns.)
    cuts: SmallVec<[usize; 4]>,
    /// What inputs are read from outside their windows: a line as long as those of a call of the code.
    zeros: Box<[u64]>,
    /// For each input the elements that are read.
    reaches: SmallVec<[Reach; 8]>,
    /// For each output the bytes that are written, and those of one element.
    sizes: SmallVec<[(usize, usize); 4]>,
    /// For each output the type of its elements.
    types: SmallVec<[Type; 4]>,
    /// For each output that is a total: how it is combined, and the type of its element.
    totals: SmallVec<[Option<(Combine, Type)>; 4]>,
    /// The words of its one call, if one will do and they are few: all but the addresses.
    words: Option<Box<[u64]>>,
    /// The inputs of which outputs may have the memory: input and output.
    overwrites: SmallVec<[(usize, usize); 4]>,
}

/// The elements that the steps of an input and its index reach, counted from the element of the first point.
struct Reach {
    low: isize,
    high: isize,
    /// The bytes of an element.
    size: usize,
}

impl Reach {
    fn of(kernel: &Kernel, input: &Input) -> Reach {
        let (mut low, mut high) = (0, 0);
        let extents = input.extents(&kernel.rows, kernel.columns);
        let steps = extents.into_iter().zip(input.steps.iter().copied());
        let index = input.gather.map(|gather| (gather.extent, gather.step));
        for (extent, step) in steps.chain(index) {
            let reach = (extent as isize - 1) * step;
            low += reach.min(0);
            high += reach.max(0);
        }
        let size = input.ty.size().unwrap_or(8);
        Reach { low, high, size }
    }

    /// Whether all of them are in the memory of a source.
    fn is_within(&self, source: &Source) -> bool {
        let start = source.start as isize;
        let is_aligned = (source.bytes.as_ptr() as usize).is_multiple_of(self.size);
        let end = (start + self.high + 1) * self.size as isize;
        start + self.low >= 0 && end <= source.bytes.len() as isize && is_aligned
    }
}

/// What an input is read from.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// The memory.
    pub bytes: &'a [u8],
    /// The element of the first point, or of the first point of the input's window.
    pub start: usize,
}

impl<'a> Source<'a> {
    /// A number that is the same at all points: its bits, zero-extended.
    pub fn number(bits: &'a u64) -> Source<'a> {
        Source {
            bytes: bytemuck::bytes_of(bits),
            start: 0,
        }
    }
}

/// Points of one piece of work: inputs, outputs and scratch stay in the nearest caches.
const TILE: usize = 1 << 13;

/// Where each point costs much, a piece that threads share need not have more operations than this: threads that begin at different times are done at about
/// the same time.
const COSTLY: usize = 1 << 16;

/// For that, so many pieces are enough. More of them would only tear apart what lies together in memory.
const PIECES: usize = 16;

/// Rows along which lanes lie, of one piece of work: the accumulators stay in the nearest cache. Of few columns there are more rows, up to as many points
/// as a tile has.
const STRIP: usize = 1 << 8;

/// A kernel that threads share has at least so many pieces, where lanes lie along the rows, unless they would get fewer rows than the shortest strip:
/// in short strips columns are begun more often. (Of 512 rows and 1024 columns, strips of 64 rows took one and a half times as long as those of 256.)
const SHARES: usize = 4;
const SHORTEST_STRIP: usize = 1 << 6;

/// Columns of one part of a reduction, where lanes lie along the columns and where they lie along the rows. An accumulator adds up at most some hundred
/// elements one after another, and parts are added in pairs, so the error of a sum hardly grows with its length.
const PART: usize = 1 << 11;
const PART_ACROSS: usize = 1 << 7;

/// Columns of one piece, where lanes lie along the rows and reductions are all that is asked for.
const DEPTH: usize = 1 << 9;

/// Scratch memory of so many words is on the stack, and so are the words of a call.
const NEAR: usize = 128;

/// Lines of scratch memory that one call of the code goes through have so many bytes together: a half of the nearest cache.
const LINES: usize = 1 << 14;

/// A kernel with more points is refused: the list of its pieces alone would take hundreds of megabytes. Only views that repeat their elements are as large.
const MOST_POINTS: usize = 1 << 36;

/// The bytes of a register of lanes.
const LANE_BYTES: usize = 16;

/// A call of the code computes at least so many columns, however many lines there are.
const SHORTEST_TILE: usize = 64;

/// From this many operations or points on the work is shared among threads.
const SHARED: usize = 1 << 17;

/// Whether a kernel has at most [`MOST_POINTS`].
fn is_countable(rows: &[usize], columns: usize) -> bool {
    let mut extents = rows.iter().chain([&columns]);
    let is_empty = extents.clone().any(|extent| *extent == 0);
    let points = extents.try_fold(1_usize, |product, extent| product.checked_mul(*extent));
    is_empty || points.is_some_and(|points| points <= MOST_POINTS)
}

impl LaneKernel {
    /// Compiles a kernel that is right.
    ///
    /// # Errors
    /// [`Error::Memory`] if it has too many points; [`Error::Internal`] if it cannot be compiled.
    pub fn compile(mut kernel: Kernel, registry: &Arc<Registry>) -> Result<LaneKernel> {
        if !is_countable(&kernel.rows, kernel.columns) {
            let extents = kernel.rows.iter().chain([&kernel.columns]);
            let points = extents.fold(1_u128, |product, extent| {
                product.saturating_mul(*extent as u128)
            });
            return Err(Error::Memory(format!(
                "an operation on {points} elements: expected at most {MOST_POINTS}: work on parts of them"
            )));
        }
        let scatter = kernel.scatter();
        if let Some(scatter) = scatter {
            kernel.outputs = vec![scatter::points(scatter)];
        }
        let code = cpu::compile_lanes(&kernel, registry)?;
        Ok(LaneKernel::with(kernel, scatter, Arc::new(code)))
    }

    /// A kernel with the body and the outputs of this one, and other extents and inputs of the same types, without another compilation. If its output is
    /// scattered, it may have another number of elements for a row. `None` if the kernel needs other code.
    pub fn resized(
        &self,
        rows: &[usize],
        columns: usize,
        inputs: &[Input],
        scatter: Option<Scatter>,
    ) -> Option<LaneKernel> {
        let own = &self.kernel;
        let whole_rows = own.has_whole_rows();
        let form = Form::of(&own.rows, own.columns, &own.inputs, whole_rows)?;
        let types = |inputs: &[Input]| -> SmallVec<[Type; 4]> {
            inputs.iter().map(|input| input.ty).collect()
        };
        let kind = |scatter: Option<Scatter>| scatter.map(|own| (own.by, own.across));
        let is_same = is_countable(rows, columns)
            && types(inputs) == types(&own.inputs)
            && kind(scatter) == kind(self.scatter)
            && Form::of(rows, columns, inputs, whole_rows).is_some_and(|other| other == form);
        let kernel = || Kernel {
            rows: rows.into(),
            columns,
            inputs: inputs.to_vec(),
            outputs: own.outputs.clone(),
            body: own.body.clone(),
        };
        is_same.then(|| LaneKernel::with(kernel(), scatter, self.code.clone()))
    }

    fn with(kernel: Kernel, scatter: Option<Scatter>, code: Arc<LaneCode>) -> LaneKernel {
        let last = kernel.rows.last().copied().unwrap_or(1);
        let whole_rows = kernel.has_whole_rows();
        let (part, depth) = match code.plan.along {
            Along::Rows => (PART_ACROSS, DEPTH),
            Along::Columns => (PART, TILE),
        };
        let cut = (gives_reductions(&kernel) && kernel.columns > part).then_some(part);
        let longest = cut.map_or(kernel.columns, |_| depth.min(kernel.columns));
        let points = kernel.row_count() * kernel.columns;
        let additions = scatter.map_or(0, |_| points);
        // A kernel that only copies computes nothing.
        let is_large = (kernel.operations() + additions).max(points) >= SHARED;
        let pieces = match code.plan.along {
            Along::Rows => {
                let strip = STRIP.max(TILE / longest);
                let shares = SHARES.div_ceil(kernel.columns.div_ceil(longest));
                let share = kernel.row_count().div_ceil(shares).max(SHORTEST_STRIP);
                let rows = if is_large { strip.min(share) } else { strip };
                pieces(&kernel, last, longest, |_| rows)
            }
            Along::Columns => {
                let each = kernel.operations() / points.max(1);
                let costly = { COSTLY / each.max(1) }.max(points / PIECES);
                let tile = match is_large {
                    true => costly.next_multiple_of(PART).min(TILE),
                    false => TILE,
                };
                // The points of a row are added one after another.
                let columns = match whole_rows || scatter.is_some() {
                    true => longest,
                    false => kernel.columns.min(tile),
                };
                let rows = |columns: usize| (tile / columns).max(1);
                pieces(&kernel, kernel.row_count(), columns, rows)
            }
        };
        let reaches = kernel.inputs.iter().map(|input| Reach::of(&kernel, input));
        let sizes = (0..kernel.outputs.len()).map(|n| {
            let size = kernel.output_type(n).size().unwrap_or(8);
            let len = match scatter {
                Some(scatter) => kernel.row_count() * scatter.extent,
                None => kernel.output_len(n),
            };
            (len * size, size)
        });
        let sizes: SmallVec<[(usize, usize); 4]> = sizes.collect();
        let reaches: SmallVec<[Reach; 8]> = reaches.collect();
        let totals = kernel.outputs.iter().enumerate().map(|(n, output)| {
            let combine = output.total()?;
            Some((combine, kernel.output_type(n)))
        });
        let tile = match (code.plan.along, whole_rows, code.plan.lines) {
            _ if cut.is_some() => part,
            (Along::Rows, ..) | (_, true, _) | (.., 0) => kernel.columns,
            (.., lines) => (LINES / (lines * LANE_BYTES / code.plan.lanes))
                .max(SHORTEST_TILE)
                .next_multiple_of(LANE_BYTES),
        };
        let tile = match scatter {
            Some(_) => tile.min(scatter::tile(&pieces)),
            None => tile,
        };
        let types = (0..kernel.outputs.len()).map(|n| kernel.output_type(n));
        let is_one = scatter.is_none()
            && !kernel.has_windows()
            && pieces.len() == 1
            && kernel.row_count() <= last
            && tile >= kernel.columns;
        let scratch = code.plan.lines * kernel.row_count().max(kernel.columns);
        let words = (is_one && scratch <= NEAR).then(|| words_of(&kernel, &reaches, &sizes));
        let lines = pieces
            .iter()
            .map(|(rows, columns)| rows.len().min(last).max(columns.len().min(tile)));
        let zeros = match kernel.has_windows() {
            true => vec![0; lines.max().unwrap_or(0)].into(),
            false => Box::default(),
        };
        LaneKernel {
            cuts: ends(&kernel, kernel.rows.len() - 1),
            zeros,
            overwrites: match scatter {
                Some(_) => SmallVec::new(),
                None => overwrites(&kernel, &code),
            },
            scatter,
            is_flushed: !kernel.has_doubles(),
            words: words.filter(|words| words.len() <= NEAR),
            types: types.collect(),
            is_shared: pieces.len() > 1 && is_large,
            totals: totals.collect(),
            reaches,
            sizes,
            kernel,
            code,
            pieces,
            tile,
            cut,
        }
    }

    /// The type and the number of elements of each output.
    pub fn outputs(&self) -> impl Iterator<Item = (Type, usize)> {
        let sizes = self.types.iter().zip(&self.sizes);
        sizes.map(|(&ty, &(bytes, size))| (ty, bytes / size))
    }

    /// The inputs of which outputs may have the memory: input and output.
    pub fn overwrites(&self) -> &[(usize, usize)] {
        &self.overwrites
    }

    /// Computes the outputs, each as long as the kernel says. An index out of range is an error, and the outputs mean nothing then.
    pub fn run(&self, inputs: &[Source<'_>], outputs: &mut [&mut [u8]]) -> Result<()> {
        self.run_over(inputs, &[], outputs)
    }

    /// As [`run`](Self::run), but some inputs are in the memory of outputs, which are computed over them. They are among those that the kernel
    /// [`overwrites`](Self::overwrites). Their sources are not looked at.
    pub fn run_over(
        &self,
        sources: &[Source<'_>],
        over: &[(usize, usize)],
        outputs: &mut [&mut [u8]],
    ) -> Result<()> {
        let mut inputs = SmallVec::new();
        self.check(sources, over, outputs, &mut inputs)?;
        self.check_packs()?;
        self.compute(sources, &inputs, outputs)?;
        self.check_packs()
    }

    fn check_packs(&self) -> Result<()> {
        check_faults(self.code.packs.iter().copied())
    }

    /// Computes the outputs of inputs that have been checked.
    fn compute(
        &self,
        sources: &[Source<'_>],
        inputs: &[usize],
        outputs: &mut [&mut [u8]],
    ) -> Result<()> {
        if let Some(scatter) = self.scatter {
            return self.scattered(scatter, sources, inputs, outputs);
        }
        if let Some(words) = &self.words {
            return self.at_once(words, inputs, outputs);
        }
        if let Some(depth) = self.cut {
            return self.in_parts(inputs, outputs, depth);
        }
        let partials = self.pieces(inputs, outputs)?;
        for (n, (bytes, total)) in outputs.iter_mut().zip(&self.totals).enumerate() {
            if let &Some((combine, ty)) = total {
                let parts = partials.iter().map(|partial| partial[n]);
                write(bytes, combined(combine, parts, ty), ty);
            }
        }
        Ok(())
    }

    /// Computes all pieces, and gives for each what it contributes to totals.
    fn pieces(
        &self,
        inputs: &[usize],
        outputs: &mut [&mut [u8]],
    ) -> Result<SmallVec<[Partials; 1]>> {
        let targets = outputs.iter_mut().zip(&self.sizes).enumerate();
        let targets: SmallVec<[Target; 4]> = targets
            .map(|(n, (bytes, &(_, size)))| Target {
                address: bytes.as_mut_ptr(),
                size,
                first: [0; 2],
                steps: steps_of(&self.kernel, n),
            })
            .collect();
        let run = |piece: &Piece| self.piece(piece, inputs, &targets);
        match self.is_shared {
            true => {
                let partials = threads::map(self.pieces.len(), |n| run(&self.pieces[n]));
                partials.into_iter().collect()
            }
            false => self.pieces.iter().map(run).collect(),
        }
    }

    /// Computes the reductions of the rows: those of each so many columns first.
    fn in_parts(&self, inputs: &[usize], outputs: &mut [&mut [u8]], depth: usize) -> Result<()> {
        let count = self.kernel.columns.div_ceil(depth);
        let words = |&(bytes, _): &(usize, usize)| vec![0u64; (count * bytes).div_ceil(8)];
        let mut parts: SmallVec<[Vec<u64>; 2]> = self.sizes.iter().map(words).collect();
        let mut room: SmallVec<[&mut [u8]; 4]> = { parts.iter_mut() }
            .map(|words| bytemuck::cast_slice_mut(words))
            .collect();
        self.pieces(inputs, &mut room)?;
        drop(room);
        for (n, (output, parts)) in outputs.iter_mut().zip(&mut parts).enumerate() {
            let combine = self.kernel.reduced(n).unwrap_or(Combine::Sum);
            let (bytes, rows) = (self.sizes[n].0, self.kernel.row_count());
            let parts: &mut [u8] = &mut bytemuck::cast_slice_mut(parts)[..count * bytes];
            match self.types[n] {
                Type::F32 => join_lines::<f32>(combine, bytemuck::cast_slice_mut(parts), rows),
                Type::I32 => join_lines::<i32>(combine, bytemuck::cast_slice_mut(parts), rows),
                Type::U32 => join_lines::<u32>(combine, bytemuck::cast_slice_mut(parts), rows),
                _ => join_lines::<f64>(combine, bytemuck::cast_slice_mut(parts), rows),
            }
            output[..bytes].copy_from_slice(&parts[..bytes]);
        }
        Ok(())
    }

    /// Changes the words of a call for a whole tile, of a kernel without totals, to those for the tile behind it, of so many columns.
    fn advance(&self, words: &mut [u64], columns: usize) {
        words[1] = columns as u64;
        let (inputs, outputs) = words[HEAD..].split_at_mut(INPUT * self.kernel.inputs.len());
        for input in inputs.chunks_exact_mut(INPUT) {
            input[0] = input[0].wrapping_add(input[2].wrapping_mul(self.tile as u64));
        }
        for (n, output) in outputs.chunks_exact_mut(OUTPUT).enumerate() {
            let distance = match self.cut {
                Some(_) => (self.kernel.row_count() * self.sizes[n].1) as u64,
                None => output[2].wrapping_mul(self.tile as u64),
            };
            output[0] = output[0].wrapping_add(distance);
        }
    }

    /// As [`run`](Self::run), with the outputs in one piece of memory: one after another, each from a multiple of eight bytes on.
    pub fn run_into(&self, inputs: &[Source<'_>], mut room: &mut [u8]) -> Result<()> {
        let mut outputs: SmallVec<[&mut [u8]; 4]> = SmallVec::new();
        for &(bytes, _) in &self.sizes {
            let parts = room.split_at_mut_checked(bytes.next_multiple_of(8));
            let short = || Error::Internal("a kernel has no room for its outputs".into());
            let (own, rest) = parts.ok_or_else(short)?;
            outputs.push(&mut own[..bytes]);
            room = rest;
        }
        self.run(inputs, &mut outputs)
    }

    /// Computes all points by one call of the code, of which these are the words.
    fn at_once(&self, words: &[u64], inputs: &[usize], outputs: &mut [&mut [u8]]) -> Result<()> {
        let mut near = [MaybeUninit::<u64>::uninit(); NEAR];
        let words = near[..words.len()].write_copy_of_slice(words);
        let mut scratch = [MaybeUninit::<u64>::uninit(); NEAR];
        let mut sums: SmallVec<[u64; 4]> = SmallVec::new();
        sums.resize(outputs.len(), 0);
        words[2] = scratch.as_mut_ptr() as u64;
        let mut at = HEAD;
        for &address in inputs {
            words[at] = address as u64;
            at += INPUT;
        }
        for ((bytes, total), sum) in outputs.iter_mut().zip(&self.totals).zip(&mut sums) {
            words[at] = match total {
                Some(_) => &raw mut *sum as u64,
                None => bytes.as_mut_ptr() as u64,
            };
            at += OUTPUT;
        }
        // SAFETY: `check` has found every element that the steps and indices reach inside the inputs, and the outputs long enough; they are borrowed
        // mutably. An input in the memory of an output is one that the code may overwrite. Sums and scratch memory are this call's own.
        unsafe { self.call(words)? };
        for ((bytes, total), &sum) in outputs.iter_mut().zip(&self.totals).zip(&sums) {
            if let &Some((combine, ty)) = total {
                let sum = join_as(ty, combine, combine.unit(ty), from_word(sum, ty));
                write(bytes, sum, ty);
            }
        }
        Ok(())
    }

    /// Calls the code. An index out of range is an error; the code does not say which of several it was.
    ///
    /// # Safety
    ///
    /// What the code reads and writes at the addresses among the words must be there, and nobody else may write or read it meanwhile.
    unsafe fn call(&self, words: &[u64]) -> Result<()> {
        // SAFETY: the code is alive as `self` is, and notes no faults, so that it needs no frame. The caller promises the rest.
        let call = || unsafe { (self.code.entry)(std::ptr::null_mut(), words.as_ptr()) };
        let status = flushed_if(self.is_flushed, call);
        let gather = self.kernel.inputs.iter().find_map(|input| input.gather);
        match (status, gather) {
            (0, _) => Ok(()),
            (_, Some(gather)) => Err(gather.fault()),
            (_, None) => Err(Error::Internal("a kernel without indices failed".into())),
        }
    }

    /// Adds the addresses of the first points of the inputs, if inputs and outputs are long enough and may lie where they do. (To give them as a result
    /// would move them from place to place, which takes as long as a small kernel.)
    fn check(
        &self,
        inputs: &[Source<'_>],
        over: &[(usize, usize)],
        outputs: &mut [&mut [u8]],
        addresses: &mut SmallVec<[usize; 8]>,
    ) -> Result<()> {
        let wrong = |what: &str| {
            Err(Error::Internal(format!(
                "a kernel was given {what}\n{}",
                self.kernel
            )))
        };
        if inputs.len() != self.reaches.len() || outputs.len() != self.sizes.len() {
            return wrong("other inputs or outputs than it has");
        }
        let mut targets = outputs.iter().zip(&self.sizes);
        let fits = |(bytes, &(len, size)): (&&mut [u8], &(usize, usize))| {
            // Sizes are powers of two.
            bytes.len() >= len && bytes.as_ptr() as usize & (size - 1) == 0
        };
        if !targets.all(fits) {
            return wrong("an output that is too short");
        }
        for (n, (source, reach)) in inputs.iter().zip(&self.reaches).enumerate() {
            if let Some(pair) = over.iter().find(|pair| pair.0 == n) {
                if !self.overwrites.contains(pair) {
                    return wrong("an input in the memory of an output that cannot have it");
                }
                addresses.push(outputs[pair.1].as_mut_ptr() as usize);
                continue;
            }
            if !reach.is_within(source) {
                return wrong("an input that is too short");
            }
            addresses.push(source.bytes.as_ptr() as usize + source.start * reach.size);
        }
        Ok(())
    }

    fn piece(
        &self,
        (rows, columns): &Piece,
        inputs: &[usize],
        targets: &[Target],
    ) -> Result<Partials> {
        let mut scratch = self.scratch(rows, columns);
        let scratch = scratch.words();
        let kernel = &self.kernel;
        let unit =
            |total: &Option<(Combine, Type)>| total.map_or(0.0, |(combine, ty)| combine.unit(ty));
        let units = self.totals.iter().map(unit);
        let mut partials: Partials = units.collect();
        // Where the code puts the totals.
        let mut sums: SmallVec<[u64; 4]> = SmallVec::from_elem(0, targets.len());
        let last = kernel.rows.last().copied().unwrap_or(1);
        let has_totals = self.totals.iter().any(Option::is_some);
        let mut at = rows.start;
        while at < rows.end {
            // Within one line of the last axis steps are the same, and between two ends of windows the inputs that are read.
            let line = at / last * last;
            let cut = self.cuts.iter().map(|cut| line + cut).find(|&cut| cut > at);
            let end = rows.end.min(line + last).min(cut.unwrap_or(rows.end));
            let mut words = SmallVec::new();
            for from in columns.clone().step_by(self.tile) {
                let tile = from..columns.end.min(from + self.tile);
                match from == columns.start || has_totals {
                    true => {
                        words = self.words(at..end, tile, inputs, targets, scratch, &mut sums);
                    }
                    false => self.advance(&mut words, tile.len()),
                }
                // SAFETY: `check` has found every element that the steps and indices reach inside the inputs, and the outputs long enough. Outside its
                // window an input is the line of zeros, which is as long as the longest line of a call. No two pieces write the same elements,
                // outputs are borrowed mutably, and the slots of totals and the scratch memory are this call's own. An input in the memory of an
                // output is one that the code may overwrite: pieces read none of it but the points that they write.
                unsafe { self.call(&words)? };
                let parts = partials.iter_mut().zip(&self.totals).zip(&sums);
                for ((partial, total), &sum) in parts {
                    if let &Some((combine, ty)) = total {
                        *partial = join_as(ty, combine, *partial, from_word(sum, ty));
                    }
                }
            }
            at = end;
        }
        Ok(partials)
    }

    /// The scratch memory for a piece.
    fn scratch(&self, rows: &Range<usize>, columns: &Range<usize>) -> Scratch {
        let width = match self.code.plan.along {
            Along::Columns => columns.len().min(self.tile),
            Along::Rows => rows.len(),
        };
        let count = self.code.plan.lines * width;
        let far = (count > NEAR).then(|| Box::new_uninit_slice(count));
        Scratch {
            near: [MaybeUninit::uninit(); NEAR],
            far,
        }
    }

    /// The words of a call for these rows, of one line of the last axis, and these columns.
    fn words(
        &self,
        rows: Range<usize>,
        columns: Range<usize>,
        inputs: &[usize],
        targets: &[Target],
        scratch: &mut [MaybeUninit<u64>],
        sums: &mut [u64],
    ) -> SmallVec<[u64; 64]> {
        let kernel = &self.kernel;
        let axes = kernel.rows.len();
        let mut words: SmallVec<[u64; 64]> =
            SmallVec::with_capacity(HEAD + INPUT * inputs.len() + OUTPUT * targets.len());
        let address = scratch.as_mut_ptr() as u64;
        words.extend([rows.len() as u64, columns.len() as u64, address]);
        for ((&start, input), reach) in inputs.iter().zip(&kernel.inputs).zip(&self.reaches) {
            let size = reach.size as isize;
            let steps = [input.steps[axes - 1] * size, input.steps[axes] * size];
            let (row, column) = (rows.start, columns.start);
            let own = match has_element(kernel, input, row, column) {
                true => {
                    let position = position(kernel, input, row, column);
                    [start as isize + position * size, steps[0], steps[1]]
                }
                false => [self.zeros.as_ptr() as isize, 0, 0],
            };
            words.extend(own.map(|word| word as u64));
        }
        for (n, target) in targets.iter().enumerate() {
            if kernel.outputs[n].total().is_some() {
                words.extend([&raw mut sums[n] as u64, 0, 0]);
                continue;
            }
            let (steps, [row, column]) = (target.steps, target.first);
            let offset = match self.cut {
                Some(depth) => rows.start + columns.start / depth * kernel.row_count(),
                None => (rows.start - row) * steps[0] + (columns.start - column) * steps[1],
            };
            let address = target.address as usize + offset * target.size;
            let steps = steps.map(|step| (step * target.size) as u64);
            words.extend([address as u64, steps[0], steps[1]]);
        }
        words
    }
}

/// How many elements an input's element at this point lies behind its element at the first point, or at the first point of its window.
fn position(kernel: &Kernel, input: &Input, row: usize, column: usize) -> isize {
    let axes = kernel.rows.len();
    let mut position = column as isize * input.steps[axes];
    let mut rest = row;
    for axis in (0..axes).rev().take_while(|_| row != 0) {
        position += (rest % kernel.rows[axis]) as isize * input.steps[axis];
        rest /= kernel.rows[axis];
    }
    let starts = input.window.iter().flatten().zip(&input.steps);
    let before = starts.map(|(own, &step)| own.start as isize * step);
    position - before.sum::<isize>()
}

/// Whether an input has an element at this point.
fn has_element(kernel: &Kernel, input: &Input, row: usize, column: usize) -> bool {
    let Some(window) = &input.window else {
        return true;
    };
    let mut rest = row;
    let rows = kernel.rows.iter().zip(window).rev().all(|(&extent, own)| {
        let place = rest % extent;
        rest /= extent;
        own.contains(&place)
    });
    rows && window[kernel.rows.len()].contains(&column)
}

/// Where windows of inputs begin and end along an axis of the rows, or, last, along the columns; in order, without the ends of the axis itself.
fn ends(kernel: &Kernel, axis: usize) -> SmallVec<[usize; 4]> {
    let extent = kernel.rows.get(axis).copied().unwrap_or(kernel.columns);
    let windows = kernel
        .inputs
        .iter()
        .filter_map(|input| input.window.as_ref());
    let mut ends: SmallVec<[usize; 4]> = windows
        .flat_map(|window| [window[axis].start, window[axis].end])
        .filter(|&end| 0 < end && end < extent)
        .collect();
    ends.sort_unstable();
    ends.dedup();
    ends
}

/// The words of a call for all points of a kernel, without the addresses.
fn words_of(kernel: &Kernel, reaches: &[Reach], sizes: &[(usize, usize)]) -> Box<[u64]> {
    let axes = kernel.rows.len();
    let mut words = vec![kernel.row_count() as u64, kernel.columns as u64, 0];
    for (input, reach) in kernel.inputs.iter().zip(reaches) {
        let step = |axis: usize| (input.steps[axis] * reach.size as isize) as u64;
        words.extend([0, step(axes - 1), step(axes)]);
    }
    for (n, &(_, size)) in sizes.iter().enumerate() {
        let steps = steps_of(kernel, n).map(|step| (step * size) as u64);
        words.extend([0, steps[0], steps[1]]);
    }
    words.into()
}

/// The steps of an output along the rows and along the columns, in elements.
fn steps_of(kernel: &Kernel, output: usize) -> [usize; 2] {
    match kernel.outputs[output] {
        Output::Points => [kernel.columns, 1],
        Output::Across => [1, kernel.row_count()],
        Output::Rows => [1, 0],
        Output::Total(_) | Output::RowTotal(_) | Output::Scattered(_) => [0, 0],
    }
}

/// The inputs of which outputs may have the memory, and these outputs: their elements lie alike, and the code reads each point before it writes the same
/// point, and not again.
fn overwrites(kernel: &Kernel, code: &LaneCode) -> SmallVec<[(usize, usize); 4]> {
    let mut pairs = SmallVec::new();
    if !code.plan.reads_first {
        return pairs;
    }
    for (n, input) in kernel.inputs.iter().enumerate() {
        let outputs = (0..kernel.outputs.len()).filter(|&output| {
            kernel.outputs[output] == Output::Points
                && kernel.output_type(output) == input.ty
                && is_dense(kernel, input)
        });
        pairs.extend(outputs.map(|output| (n, output)));
    }
    pairs
}

/// Whether an input has an element of its own for each point, and they lie as those of an output of points do.
fn is_dense(kernel: &Kernel, input: &Input) -> bool {
    if input.window.is_some() {
        return false;
    }
    let mut extents: SmallVec<[usize; 4]> = kernel.rows.iter().copied().collect();
    extents.push(kernel.columns);
    let mut step = 1;
    let mut axes = extents.iter().zip(&input.steps).rev();
    axes.all(|(&extent, &own)| {
        let expected = step;
        step *= extent as isize;
        own == expected || extent == 1
    })
}

/// Rows and columns.
type Piece = (Range<usize>, Range<usize>);

/// All points of a kernel: at most so many columns together, and of so many columns so many rows. No piece has rows of two lines, each so many rows long,
/// nor columns on both sides of the end of a window.
fn pieces(
    kernel: &Kernel,
    line: usize,
    columns: usize,
    rows: impl Fn(usize) -> usize,
) -> Vec<Piece> {
    let parts = |all: Range<usize>, size: usize| {
        let end = all.end;
        all.step_by(size).map(move |at| at..end.min(at + size))
    };
    let mut pieces = Vec::new();
    let mut start = 0;
    for end in ends(kernel, kernel.rows.len())
        .into_iter()
        .chain([kernel.columns])
    {
        let rows = rows(columns.min(end - start));
        let strips = parts(0..kernel.row_count(), line).flat_map(|line| parts(line, rows));
        pieces.extend(strips.flat_map(|rows| {
            let tiles = parts(start..end, columns);
            tiles.map(move |columns| (rows.clone(), columns))
        }));
        start = end;
    }
    pieces
}

/// Whether nothing is asked for but reductions of rows, of what depends on no other reduction: then they may be computed in parts.
fn gives_reductions(kernel: &Kernel) -> bool {
    let mut outputs = kernel.outputs.iter().enumerate();
    let all = outputs.all(|(n, &output)| output == Output::Rows && kernel.reduced(n).is_some());
    all && kernel.phases() <= 1
}

/// For each output that is a total, what a piece contributes.
type Partials = SmallVec<[f64; 4]>;

/// Where an output is. Pieces write disjoint parts of it.
struct Target {
    address: *mut u8,
    /// The bytes of an element.
    size: usize,
    /// Row and column of the element at the address.
    first: [usize; 2],
    /// Elements from one row to the next, and from one column to the next.
    steps: [usize; 2],
}

/// Scratch memory of a piece: on the stack if it is little.
struct Scratch {
    near: [MaybeUninit<u64>; NEAR],
    far: Option<Box<[MaybeUninit<u64>]>>,
}

impl Scratch {
    fn words(&mut self) -> &mut [MaybeUninit<u64>] {
        match &mut self.far {
            Some(far) => far,
            None => &mut self.near,
        }
    }
}

// SAFETY: the pieces of one run write disjoint elements through the address, and the run ends before the borrow does.
unsafe impl Sync for Target {}

fn from_word(word: u64, ty: Type) -> f64 {
    match ty {
        Type::F32 => f32::from_bits(word as u32).into(),
        Type::I32 => (word as u32 as i32).into(),
        Type::U32 => (word as u32).into(),
        _ => f64::from_bits(word),
    }
}

/// What is combined.
trait Combined: Copy + PartialOrd {
    /// The sum; of integers modulo 2³².
    fn plus(self, other: Self) -> Self;
}

macro_rules! combined {
    ($($ty:ident $add:ident),*) => { $(
        impl Combined for $ty {
            fn plus(self, other: $ty) -> $ty {
                self.$add(other)
            }
        }
    )* };
}
combined!(f32 add, f64 add, i32 wrapping_add, u32 wrapping_add);

/// One element of two. If one is NaN, so is the result.
fn join<T: Combined>(combine: Combine, a: T, b: T) -> T {
    let is_nan = |x: T| x.partial_cmp(&x).is_none();
    match combine {
        Combine::Sum => a.plus(b),
        Combine::Max if b > a || is_nan(b) => b,
        Combine::Max => a,
    }
}

/// The same of elements of a type, in the precision of the type.
fn join_as(ty: Type, combine: Combine, a: f64, b: f64) -> f64 {
    match ty {
        Type::F32 => join(combine, a as f32, b as f32).into(),
        Type::I32 => join(combine, a as i32, b as i32).into(),
        Type::U32 => join(combine, a as u32, b as u32).into(),
        _ => join(combine, a, b),
    }
}

/// Makes one line of several of one length, which lie one after another: the first of them with the first of the second half, and so on, until one is
/// left.
fn join_lines<T: Combined>(combine: Combine, lines: &mut [T], length: usize) {
    let mut count = lines.len() / length;
    while count > 1 {
        let half = count.div_ceil(2);
        let (low, high) = lines[..count * length].split_at_mut(half * length);
        for (a, &b) in low.iter_mut().zip(&*high) {
            *a = join(combine, *a, b);
        }
        count = half;
    }
}

/// Neighbours first, then those of neighbours: the error grows with the logarithm of their number.
fn combined(combine: Combine, parts: impl Iterator<Item = f64>, ty: Type) -> f64 {
    let mut parts: SmallVec<[f64; 4]> = parts.collect();
    while parts.len() > 1 {
        let pairs = parts.chunks(2).map(|pair| match *pair {
            [a, b] => join_as(ty, combine, a, b),
            _ => pair[0],
        });
        parts = pairs.collect();
    }
    parts.first().copied().unwrap_or(combine.unit(ty))
}

fn write(bytes: &mut [u8], x: f64, ty: Type) {
    match ty {
        Type::F32 => bytes.copy_from_slice(&(x as f32).to_ne_bytes()),
        Type::I32 => bytes.copy_from_slice(&(x as i32).to_ne_bytes()),
        Type::U32 => bytes.copy_from_slice(&(x as u32).to_ne_bytes()),
        _ => bytes[..8].copy_from_slice(&x.to_ne_bytes()),
    }
}

mod scatter;
#[cfg(test)]
mod tests;
