//! Matrix products.

use super::map::{scalar_words, word};
use super::pipelines::{PARAMETER_BYTES, Pipeline, Shape};
use super::pool::{GpuMemory, lock};
use super::recorder::Step;
use super::{Gpu, scalar, size};
use crate::array::backend::{Buffer, KernelInput, KernelProgram, Operand, View};
use crate::array::reduce::{self, Runs};
use crate::codegen::gpu::KernelText;
use crate::codegen::gpu::product::{Access, Product};
use crate::diag::{Error, Result};
use crate::ir::Type;
use crate::kernel::{Combine, Input, Kernel, Output};
use mooncake_shaders::{Contiguous, Fours, InSubgroups, Tile};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// Steps along k for one invocation: well below what loops may have, and a multiple of 16.
const LONGEST_PIECE: usize = 16_384;

/// Invocations of a workgroup, of kernels that leave that open.
const INVOCATIONS: u32 = 16;

/// How a matrix is read: what is contiguous, and offset and strides in the units of that.
#[derive(Clone, Copy)]
struct Matrix {
    contiguous: Option<Contiguous>,
    offset: usize,
    row: usize,
    column: usize,
    /// From one matrix to the next.
    batch: usize,
}

impl Matrix {
    /// In groups of four where also the extent along them is a multiple of four.
    fn new(view: &View) -> Matrix {
        let whole = |matrix: &Matrix| {
            let extent = match matrix.contiguous {
                Some(Contiguous::Columns) => view.shape[1],
                Some(Contiguous::Rows) | None => view.shape[2],
            };
            extent.is_multiple_of(4)
        };
        let element_by_element = || Matrix::in_units_of(1, None, view);
        Matrix::in_fours(view)
            .filter(whole)
            .unwrap_or_else(element_by_element)
    }

    /// In groups of four. `None` if they do not lie at multiples of four.
    fn in_fours(view: &View) -> Option<Matrix> {
        let (row, column) = (view.strides[1], view.strides[2]);
        let fours = |list: [usize; 3]| list.iter().all(|n| n.is_multiple_of(4));
        let contiguous = match () {
            _ if column == 1 && fours([view.offset, batch_stride(view), row]) => Contiguous::Rows,
            _ if row == 1 && fours([view.offset, batch_stride(view), column]) => {
                Contiguous::Columns
            }
            _ => return None,
        };
        Some(Matrix::in_units_of(4, Some(contiguous), view))
    }

    fn in_units_of(unit: usize, contiguous: Option<Contiguous>, view: &View) -> Matrix {
        Matrix {
            contiguous,
            offset: view.offset / unit,
            row: view.strides[1] / unit,
            column: view.strides[2] / unit,
            batch: batch_stride(view) / unit,
        }
    }

    fn words(&self) -> [u32; 4] {
        [self.offset, self.row, self.column, self.batch].map(word)
    }
}

/// The stride from one matrix to the next; 0 if there is one.
fn batch_stride(view: &View) -> usize {
    match view.shape[0] {
        1 => 0,
        _ => view.strides[0],
    }
}

/// A product of two batches of matrices, as the device is to compute it.
pub(super) struct Job {
    a: (View, Matrix),
    b: (View, Matrix),
    tiling: Tiling,
}

/// How the work of a product is cut up.
#[derive(Clone, Copy)]
pub(super) struct Tiling {
    tile: Tile,
    /// Steps along k for one invocation, and into how many such pieces k is cut.
    piece: usize,
    pieces: usize,
}

impl Tiling {
    /// Whether the kernel of the product also computes what follows from each element. The kernel for subgroups, which software adapters use, does not:
    /// llvmpipe needs seconds to compile it with a body, and gains a few hundredths at most.
    pub(super) fn is_joined(self) -> bool {
        self.tile != Tile::Subgroup && self.pieces == 1
    }
}

impl Job {
    fn batch(&self) -> usize {
        self.a.0.shape[0]
    }
    /// The extents of the matrices: m, k and n.
    fn extents(&self) -> (usize, usize, usize) {
        let (a, b) = (&self.a.0.shape, &self.b.0.shape);
        (a[1], a[2], b[2])
    }
}

/// What a kernel of a product is given and makes besides the factors.
struct Dispatch<'a> {
    pipeline: Arc<Pipeline>,
    /// The words of the parameters after those of the product.
    words: Vec<u32>,
    inputs: SmallVec<[&'a GpuMemory; 8]>,
    /// The bytes of each output.
    outputs: SmallVec<[usize; 2]>,
}

/// What the text of a product's kernel that computes the body of another kernel depends on, besides the body and the device.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct Joined {
    gpu: u64,
    tile: Tile,
    contiguous: [Option<Contiguous>; 2],
    accesses: SmallVec<[Access; 8]>,
    in_fours: bool,
}

impl Gpu {
    /// `a[b,m,k] · b[b,k,n]` for each b. The k axis is cut into pieces where it is longer than a loop may be or where there are too few tiles to occupy the
    /// adapter; the pieces are then summed in order.
    pub(super) fn matrix_product(&self, a: &View, b: &View) -> Result<Buffer> {
        match a.shape[0] * a.shape[1] * b.shape[2] {
            0 => self.empty(),
            _ => self.done(&self.job(a, b)?),
        }
    }

    /// Runs a kernel of which one input is a product. If the product's own kernel can compute it, it does. Otherwise the product is written to memory first.
    pub(super) fn product_kernel(
        &self,
        program: &KernelProgram,
        inputs: &[KernelInput],
    ) -> Result<SmallVec<[Buffer; 2]>> {
        let factors = inputs.iter().find_map(|input| match *input {
            KernelInput::Product(a, b) => Some((a, b)),
            _ => None,
        });
        let (a, b) = factors.ok_or_else(|| Error::Internal("a kernel of no product".into()))?;
        self.countable(a)?;
        self.countable(b)?;
        let job = self.job(a, b)?;
        if let Some(made) = self.done_with(&job, program, inputs)? {
            return Ok(made);
        }
        let (m, _, n) = job.extents();
        let made = Operand::View(View::dense(self.done(&job)?, a.ty, &[job.batch(), m, n]));
        let operand = |input: &KernelInput| input.operand().unwrap_or_else(|| made.clone());
        let operands: SmallVec<[Operand; 8]> = inputs.iter().map(operand).collect();
        self.run_kernel(program, &operands)
    }

    pub(super) fn job(&self, a: &View, b: &View) -> Result<Job> {
        let (batch, m, k, n) = (a.shape[0], a.shape[1], a.shape[2], b.shape[2]);
        let most = self.limits.max_compute_workgroups_per_dimension as usize;
        if batch > most {
            return Err(self.trouble(&format!(
                "{batch} products of matrices at once: expected at most {most}: work on parts of them, or on Device::cpu()"
            )));
        }
        let tiling = self.tiling(a.ty, batch, (m, k, n));
        Ok(Job {
            a: self.matrix(tiling.tile, a)?,
            b: self.matrix(tiling.tile, b)?,
            tiling,
        })
    }

    /// How a product of so many pairs of matrices is cut up.
    pub(super) fn tiling(
        &self,
        ty: Type,
        batch: usize,
        (m, k, n): (usize, usize, usize),
    ) -> Tiling {
        let most = self.limits.max_compute_workgroups_per_dimension as usize;
        let tile = match self.profile.tile {
            // Subgroups exchange f32.
            Tile::Subgroup if ty != Type::F32 => Tile::Register,
            // Most of such a tile would be outside of the result.
            Tile::Subgroup if m < 8 || n < 32 => Tile::Register,
            // One dimension of the dispatch for each of the matrix.
            Tile::Shared if m.max(n).div_ceil(64) > most => Tile::Register,
            Tile::Shared if ty == Type::F32 && self.takes_large_tiles(batch, m, n) => Tile::Large,
            tile => tile,
        };
        let (rows, columns) = tile.extents();
        let tiles = m.div_ceil(rows) * n.div_ceil(columns);
        let longest = most / batch.max(1);
        let piece = self
            .piece(k, batch * tiles)
            .max(k.div_ceil(longest.max(1)).next_multiple_of(16));
        let pieces = k.div_ceil(piece).max(1);
        Tiling {
            tile,
            piece,
            pieces,
        }
    }

    /// Whether large tiles occupy the adapter, which must have the memory for them.
    fn takes_large_tiles(&self, batch: usize, m: usize, n: usize) -> bool {
        let (rows, columns) = Tile::Large.extents();
        let tiles = batch * (m / rows) * (n / columns);
        tiles >= self.profile.large_tiles
            && self.limits.max_compute_workgroup_storage_size >= mooncake_shaders::LARGE_BYTES
            && self.limits.max_compute_invocations_per_workgroup >= 256
    }

    /// The product as an array.
    fn done(&self, job: &Job) -> Result<Buffer> {
        let (m, _, n) = job.extents();
        let (ty, parts) = (job.a.0.ty, job.batch() * job.tiling.pieces);
        let text = self.product(job).stored(n.is_multiple_of(4));
        let dispatch = Dispatch {
            pipeline: self.product_pipeline(job, text, 2, 1)?,
            words: Vec::new(),
            inputs: SmallVec::new(),
            outputs: smallvec![parts * m * n * size(ty)],
        };
        let made: Buffer = self.multiply(job, dispatch)?.swap_remove(0);
        if job.tiling.pieces == 1 {
            return Ok(made);
        }
        let parts = View::dense(made, ty, &[job.batch(), job.tiling.pieces, m * n]);
        Ok(reduce::along(Runs::On(self), Combine::Sum, &parts, 1)?.buffer)
    }

    /// Computes the outputs of a kernel of which one input is the product within the product's own kernel. `None` if that is impossible: it needs k in one
    /// piece, and a kernel that is a map of no more arrays than a dispatch may have.
    pub(super) fn done_with(
        &self,
        job: &Job,
        program: &KernelProgram,
        inputs: &[KernelInput],
    ) -> Result<Option<SmallVec<[Buffer; 2]>>> {
        let kernel = &program.kernel;
        let is_map = |output: &Output| *output == Output::Points;
        let is_plain = |input: &Input| input.gather.is_none() && input.window.is_none();
        if !job.tiling.is_joined()
            || !kernel.outputs.iter().all(is_map)
            || !kernel.inputs.iter().all(is_plain)
        {
            return Ok(None);
        }
        let compiled = self.compiled(program)?;
        let Some(flat) = compiled.straight() else {
            return Ok(None);
        };
        let (m, _, n) = job.extents();
        let in_fours = n.is_multiple_of(4);
        let mut words = vec![0];
        let (mut accesses, mut arrays) = (SmallVec::new(), SmallVec::new());
        for (input, given) in kernel.inputs.iter().zip(inputs) {
            accesses.push(match given {
                KernelInput::Product(..) => Access::Product,
                KernelInput::Scalar(bits, ty) => {
                    words.extend(scalar_words(*bits, *ty)?);
                    Access::Scalar
                }
                KernelInput::View(view) => {
                    let Some([pair, line, step]) =
                        steps_of(kernel, &input.steps, [job.batch(), m, n])
                    else {
                        return Ok(None);
                    };
                    arrays.push(self.memory(&view.buffer)?);
                    let offset = view.offset as isize;
                    let all = [offset, pair, line];
                    let is_four = step == 1 && all.iter().all(|step| step % 4 == 0);
                    // A negative step wraps, here and in the shader: the places that it leads to are right.
                    let word = |step: isize| step as u32;
                    match in_fours && is_four {
                        true => {
                            words.extend(all.map(|step| word(step / 4)));
                            Access::Four
                        }
                        false => {
                            words.extend(all.map(word));
                            words.push(word(step));
                            Access::Strided
                        }
                    }
                }
            });
        }
        let elements = job.batch() * m * n;
        let types = (0..kernel.outputs.len()).map(|output| kernel.output_type(output));
        let outputs: SmallVec<[usize; 2]> = types.map(|ty| elements * size(ty)).collect();
        let most = self.limits.max_storage_buffers_per_shader_stage as usize;
        let room = (PARAMETER_BYTES / 4) as usize - mooncake_shaders::MATMUL_WORDS.len();
        if 2 + arrays.len() + outputs.len() > most || words.len() > room {
            return Ok(None);
        }
        let key = Joined {
            gpu: self.id,
            tile: job.tiling.tile,
            contiguous: [job.a.1.contiguous, job.b.1.contiguous],
            accesses,
            in_fours,
        };
        let known = lock(flat.joined()).get(&key).cloned();
        let pipeline = match known {
            Some(known) => known,
            None => {
                let (function, accesses) = (flat.function(), &key.accesses);
                let product = self.product(job);
                let text = product.with(kernel, function, accesses, in_fours, words.len())?;
                let (reads, writes) = (2 + arrays.len(), outputs.len());
                let made = self.product_pipeline(job, text, reads, writes)?;
                lock(flat.joined()).insert(key, made.clone());
                made
            }
        };
        let dispatch = Dispatch {
            pipeline,
            words,
            inputs: arrays,
            outputs,
        };
        let made = self.multiply(job, dispatch)?;
        Ok(Some(
            made.into_iter().map(|memory| memory as Buffer).collect(),
        ))
    }

    /// Runs the kernel of a product.
    fn multiply<'s>(
        &'s self,
        job: &'s Job,
        dispatch: Dispatch<'s>,
    ) -> Result<SmallVec<[Arc<GpuMemory>; 2]>> {
        let ((a, first), (b, second)) = (&job.a, &job.b);
        let (m, k, n) = job.extents();
        let (rows, columns) = job.tiling.tile.extents();
        let (down, across) = (m.div_ceil(rows), n.div_ceil(columns));
        let tiles = (down * across) as u64;
        let mut groups = match job.tiling.tile {
            Tile::Register => self.spread(tiles.div_ceil(INVOCATIONS.into())),
            // A tile is for eight invocations.
            Tile::Subgroup => self.spread((8 * tiles).div_ceil(INVOCATIONS.into())),
            Tile::Shared | Tile::Large => [word(across), word(down), 1],
        };
        groups[2] = word(job.batch() * job.tiling.pieces);
        let mut params = [m, n, k, job.tiling.piece, job.tiling.pieces]
            .map(word)
            .to_vec();
        params.extend(first.words());
        params.extend(second.words());
        params.extend(dispatch.words);
        let mut inputs = dispatch.inputs;
        inputs.insert_many(0, [self.memory(&a.buffer)?, self.memory(&b.buffer)?]);
        self.run(Step {
            pipeline: dispatch.pipeline,
            inputs,
            update: None,
            outputs: dispatch.outputs,
            params,
            checks: SmallVec::new(),
            groups,
        })
    }

    fn product_pipeline(
        &self,
        job: &Job,
        text: KernelText,
        reads: usize,
        writes: usize,
    ) -> Result<Arc<Pipeline>> {
        let invocations = match job.tiling.tile {
            Tile::Register | Tile::Subgroup => INVOCATIONS,
            // The text says how many.
            Tile::Shared | Tile::Large => 0,
        };
        let shape = Shape { reads, writes };
        self.pipelines
            .get(&self.device, "matmul", text, invocations, shape)
    }

    /// The kernel of a product.
    fn product(&self, job: &Job) -> Product {
        let scalar = scalar(job.a.0.ty);
        let contiguous = [job.a.1.contiguous, job.b.1.contiguous];
        let (_, k, n) = job.extents();
        match job.tiling.tile {
            Tile::Register => Product::Registers(scalar, contiguous),
            tile @ (Tile::Shared | Tile::Large) => {
                Product::SharedMemory(tile.extents().0, scalar, contiguous)
            }
            Tile::Subgroup => {
                let fours = match self.wide {
                    true => Fours::U64,
                    false => Fours::F32,
                };
                let [a, b] = contiguous.map(|own| own.unwrap_or(Contiguous::Rows));
                Product::Subgroups(InSubgroups {
                    fours,
                    a,
                    b,
                    ragged: !k.is_multiple_of(4),
                    whole_rows: n.is_multiple_of(4),
                })
            }
        }
    }

    /// A matrix as the kernel of a tile reads it. Kernels for subgroups read groups of four only: a matrix that does not lie so is copied first, which costs
    /// less than reading it element by element for each tile.
    fn matrix(&self, tile: Tile, view: &View) -> Result<(View, Matrix)> {
        if tile != Tile::Subgroup {
            return Ok((view.clone(), Matrix::new(view)));
        }
        if let Some(matrix) = Matrix::in_fours(view) {
            return Ok((view.clone(), matrix));
        }
        let mut padded = view.clone();
        // What is read beyond the end of a row counts for nothing.
        padded.shape[2] = padded.shape[2].next_multiple_of(4);
        let is_repeated = batch_stride(view) == 0;
        if is_repeated {
            padded.shape[0] = 1;
        }
        let mut copy = View::dense(self.copy_view(&padded)?, view.ty, &padded.shape);
        copy.shape = view.shape.clone();
        if is_repeated {
            copy.strides[0] = 0;
        }
        let matrix = Matrix::in_units_of(4, Some(Contiguous::Rows), &copy);
        Ok((copy, matrix))
    }

    /// The length of the pieces of k: a multiple of 16, at least 128 unless k is shorter.
    fn piece(&self, k: usize, tiles: usize) -> usize {
        let wanted = (self.profile.busy_tiles / tiles.max(1)).max(1);
        let piece = k.div_ceil(wanted).clamp(128, LONGEST_PIECE);
        piece.next_multiple_of(16)
    }
}

/// The steps of an input of a kernel along axes of these extents, of which the kernel's may be made: neighbours joined, and such of extent 1 left out.
/// `None` if the kernel's axes are others.
fn steps_of(kernel: &Kernel, steps: &[isize], extents: [usize; 3]) -> Option<[isize; 3]> {
    let own = kernel.rows.iter().copied().chain([kernel.columns]);
    let mut own: Vec<(usize, isize)> = own.zip(steps.iter().copied()).collect();
    let mut found = [0; 3];
    for axis in (0..3).rev() {
        let extent = extents[axis];
        while own.last().is_some_and(|&(left, _)| left == 1) {
            own.pop();
        }
        if extent == 1 {
            continue;
        }
        let (left, step) = own.last_mut()?;
        if !left.is_multiple_of(extent) {
            return None;
        }
        found[axis] = *step;
        *left /= extent;
        *step *= extent as isize;
    }
    own.iter().all(|&(left, _)| left == 1).then_some(found)
}
