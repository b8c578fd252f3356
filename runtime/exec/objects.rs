//! Objects of a call from outside compiled code: placed there as arguments before it, read as results after it.
//!
//! ```text
//! let mut call = program.start();                  // a frame with an empty arena
//! let node = call.objects().alloc(24)?;            // zeroed, 16-aligned
//! call.objects().write(node, 2.5_f64)?;
//! call.objects().write(node.offset(8), Address::NULL)?;
//! args.pointer(node);
//! call.call(&program, root, &args, &mut results, &host)?;
//! let x: f64 = call.objects().read(node)?;
//! let next: Address = Address::from_word(results[0]);
//! ```
//!
//! Places in objects are those of [`crate::ir::layout`]. Objects live until the frame's [`super::Halves`] is dropped.
//! Every access is checked against the arena, so a wrong address is an error and nothing worse. What compiled code does
//! with addresses rests on the arguments having the layout that the function was compiled for.

use super::frame::Frame;
use super::{Leaf, Scalar};
use crate::diag::{Error, Result};
use crate::ir::Type;

/// The address of an object, or of a place inside one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Address(pub(super) usize);

impl Address {
    /// The address of nothing.
    pub const NULL: Address = Address(0);

    /// Whether it is the address of nothing.
    pub fn is_null(self) -> bool {
        self == Address::NULL
    }
    /// The address that many bytes on.
    pub fn offset(self, bytes: usize) -> Address {
        Address(self.0.wrapping_add(bytes))
    }
}

/// The objects of one call.
pub struct Objects<'a> {
    pub(super) frame: &'a mut Frame,
}

impl Objects<'_> {
    /// A new object of that many bytes, zeroed and 16-aligned.
    ///
    /// # Errors
    /// [`Error::Memory`] if it does not fit.
    pub fn alloc(&mut self, bytes: usize) -> Result<Address> {
        self.frame.alloc(bytes).map(Address)
    }
    /// Reads a scalar or an address.
    ///
    /// # Errors
    /// [`Error::Internal`] if it does not lie in an object; as for all that follow.
    pub fn read<T: Scalar>(&self, at: Address) -> Result<T> {
        let mut value = [T::from_word(0)];
        self.read_slice(at, &mut value)?;
        Ok(value[0])
    }
    /// Writes a scalar or an address.
    pub fn write<T: Scalar>(&mut self, at: Address, value: T) -> Result<()> {
        self.write_slice(at, &[value])
    }
    /// Reads scalars that stand one after the other.
    pub fn read_slice<T: Scalar>(&self, at: Address, values: &mut [T]) -> Result<()> {
        let source = self.place::<T>(at, values.len())? as *const u8;
        // SAFETY: `place` has found all of it inside objects, whose memory is initialised. Only compiled code, which is
        // not running, and this structure refer to it, and neither keeps a reference.
        unsafe {
            match T::TYPE {
                // Not every byte is a bool.
                Type::Bool => values.iter_mut().enumerate().for_each(|(i, value)| {
                    *value = T::from_word(source.add(i).read().into());
                }),
                _ => {
                    let bytes = size_of_val(values);
                    source.copy_to_nonoverlapping(values.as_mut_ptr().cast(), bytes);
                }
            }
        }
        Ok(())
    }
    /// Writes scalars one after the other.
    pub fn write_slice<T: Scalar>(&mut self, at: Address, values: &[T]) -> Result<()> {
        let target = self.place::<T>(at, values.len())?;
        // SAFETY: as in `read_slice`; `values` cannot overlap memory that no reference leads to.
        unsafe {
            let source = values.as_ptr().cast::<u8>();
            source.copy_to_nonoverlapping(target as *mut u8, size_of_val(values));
        }
        Ok(())
    }
    /// That many scalars that stand one after the other.
    pub fn read_vec<T: Scalar>(&self, at: Address, length: usize) -> Result<Vec<T>> {
        // First, so that a wrong length does not ask for memory.
        self.place::<T>(at, length)?;
        let mut values = vec![T::from_word(0); length];
        self.read_slice(at, &mut values)?;
        Ok(values)
    }

    /// Bytes of an object.
    pub fn bytes(&self, at: Address, length: usize) -> Result<&[u8]> {
        match self.place::<u8>(at, length)? {
            _ if length == 0 => Ok(&[]),
            // SAFETY: as in `read_slice`; who writes needs `self` for itself.
            start => Ok(unsafe { std::slice::from_raw_parts(start as *const u8, length) }),
        }
    }
    /// All bytes of objects from a place on that stand one after the other.
    pub fn bytes_from(&self, at: Address) -> Result<&[u8]> {
        self.bytes(at, self.frame.bytes_from(at).unwrap_or(usize::MAX))
    }
    /// Bytes of an object, to be written. A bool is 0 or 1.
    pub fn bytes_mut(&mut self, at: Address, length: usize) -> Result<&mut [u8]> {
        match self.place::<u8>(at, length)? {
            _ if length == 0 => Ok(&mut []),
            // SAFETY: as in `read_slice`; `self` is borrowed as long as the bytes are.
            start => Ok(unsafe { std::slice::from_raw_parts_mut(start as *mut u8, length) }),
        }
    }

    /// The words of a leaf of that type.
    pub fn read_leaf(&self, at: Address, ty: Type) -> Result<[u64; 2]> {
        Ok(match (ty, ty.size()) {
            (Type::Slice(_) | Type::SliceMut(_), _) => [self.read(at)?, self.read(at.offset(8))?],
            (_, Some(1)) => [self.read::<u8>(at)?.into(), 0],
            (_, Some(2)) => [self.read::<u16>(at)?.into(), 0],
            (_, Some(4)) => [self.read::<u32>(at)?.into(), 0],
            (_, Some(8)) => [self.read(at)?, 0],
            _ => return Err(Error::Internal(format!("no object holds {ty}"))),
        })
    }
    /// Writes a leaf. What it refers to must be in objects too: an object lives longer than a borrow.
    pub fn write_leaf(&mut self, at: Address, leaf: &Leaf<'_>) -> Result<()> {
        let (ty, words) = (leaf.ty(), leaf.words());
        if leaf.is_borrowed() {
            let message = "a borrowed slice was put into an object".to_owned();
            return Err(Error::Internal(message));
        }
        match (ty, ty.size()) {
            (Type::Slice(_) | Type::SliceMut(_), _) => self.write_slice(at, &words),
            (_, Some(1)) => self.write(at, words[0] as u8),
            (_, Some(2)) => self.write(at, words[0] as u16),
            (_, Some(4)) => self.write(at, words[0] as u32),
            (_, Some(8)) => self.write(at, words[0]),
            _ => Err(Error::Internal(format!("no object holds {ty}"))),
        }
    }

    /// The address of so many scalars, if they lie in an object. No scalars lie everywhere.
    fn place<T: Scalar>(&self, at: Address, length: usize) -> Result<usize> {
        let bytes = length.saturating_mul(size_of::<T>());
        match bytes == 0 || self.frame.contains(at, bytes) {
            true => Ok(at.0),
            false => Err(Error::Internal(format!(
                "{length} values of type {} are outside the call's objects",
                T::TYPE
            ))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::pool::Pool;
    use crate::exec::{Args, Limits, NoHost, Program, Stats};
    use crate::ir::parse::parse_module;
    use crate::ir::verify::verify;
    use std::sync::Arc;

    fn compiled(text: &str) -> Arc<Program> {
        let module = parse_module(text).unwrap();
        verify(&module, &|_, _| None).unwrap();
        Program::compile(&module, &Arc::default(), &[module.root]).unwrap()
    }

    /// Puts a node `{ value: 2 * old.value, next: old }` in front of a list.
    const PUSH: &str = "
fn @push(%old: ptr) -> ptr {
b0:
    %size: usize = 16
    %new: ptr = alloc %size
    %x: f64 = get.0 %old
    %y: f64 = add %x, %x
    set.0 %new, %y
    set.8 %new, %old
    return %new
}";

    #[test]
    fn arguments_are_placed_and_results_are_read() {
        let program = compiled(PUSH);
        let mut call = program.start();
        let list = call.objects().alloc(16).unwrap();
        assert_eq!(list.0 % 16, 0);
        call.objects().write(list, 1.5).unwrap();
        let (mut args, mut results) = (Args::new(), [0]);
        args.pointer(list);
        call.call(&program, 0, &args, &mut results, &NoHost)
            .unwrap();
        let front = Address::from_word(results[0]);
        assert_eq!(call.objects().read(front).ok(), Some(3.0));
        assert_eq!(call.objects().read(front.offset(8)).ok(), Some(list));
        assert_eq!(
            call.objects().read(list.offset(8)).ok(),
            Some(Address::NULL)
        );
        let used = Stats {
            tape_bytes: 0,
            object_bytes: 32,
        };
        assert_eq!(call.stats(), used);
    }

    #[test]
    fn slices_are_copied_in_and_out() {
        let text = "
fn @f(%x: [mut f32]) -> f32 {
b0:
    %i: usize = 1
    %a: f32 = load %x, %i
    %b: f32 = neg %a
    store %x, %i, %b
    return %a
}";
        let program = compiled(text);
        let mut call = program.start();
        let at = call.objects().alloc(12).unwrap();
        call.objects().write_slice(at, &[1.0f32, 2.0, 3.0]).unwrap();
        let (mut args, mut results) = (Args::new(), [0]);
        args.view_mut::<f32>(at, 3);
        call.call(&program, 0, &args, &mut results, &NoHost)
            .unwrap();
        assert_eq!(f32::from_word(results[0]), 2.0);
        assert_eq!(
            call.objects().read_vec::<f32>(at, 3).unwrap(),
            [1.0, -2.0, 3.0]
        );
        let mut args = Args::new();
        args.view_mut::<f32>(at.offset(8), 1);
        args.view_mut::<f32>(at, 2);
        assert!(!args.overlap());
        args.view_mut::<f32>(at.offset(4), 0);
        assert!(!args.overlap());
        args.view_mut::<f32>(at.offset(4), 1);
        assert!(args.overlap());
        let bools = call.objects().read_vec::<bool>(at, 12).unwrap();
        assert_eq!(bools.len(), 12);
    }

    #[test]
    fn wrong_addresses_are_errors() {
        let program = compiled(PUSH);
        let mut call = program.start();
        let node = call.objects().alloc(16).unwrap();
        for at in [
            Address::NULL,
            node.offset(9),
            Address(node.0 - 1),
            Address(usize::MAX),
        ] {
            assert!(call.objects().read::<f64>(at).is_err(), "{at:?}");
            assert!(call.objects().write(at, 1_u64).is_err(), "{at:?}");
        }
        assert!(call.objects().read_vec::<f64>(node, usize::MAX).is_err());
        assert!(call.objects().read_vec::<f64>(Address::NULL, 0).is_ok());
        let mut args = Args::new();
        args.pointer(Address(&raw const program as usize));
        let error = call
            .call(&program, 0, &args, &mut [0], &NoHost)
            .unwrap_err();
        assert!(
            error
                .to_string()
                .contains("outside the objects of its call")
        );
        let mut other = program.start();
        let (mut args, elsewhere) = (Args::new(), other.objects().alloc(16).unwrap());
        args.pointer(elsewhere);
        assert!(call.call(&program, 0, &args, &mut [0], &NoHost).is_err());
    }

    #[test]
    fn the_next_call_finds_the_same_memory_zeroed() {
        let pool = Pool::default();
        let fill = || {
            let mut frame = pool.take();
            let sizes = [1_usize, 100, 70_000, 16, 300_000, 0, 8];
            let fill = |bytes: usize| {
                let mut objects = Objects { frame: &mut frame };
                let at = objects.alloc(bytes).unwrap();
                let found: Vec<u8> = objects.read_vec(at, bytes).unwrap();
                assert!(found.iter().all(|&byte| byte == 0), "{bytes}");
                objects.write_slice(at, &vec![255_u8; bytes]).unwrap();
                at
            };
            let places = sizes.map(fill);
            pool.give(frame);
            places
        };
        let first = fill();
        assert_eq!(first, fill());
        assert_eq!(first, fill());
    }

    #[test]
    fn exhausted_memory_is_an_error_with_the_sizes() {
        let limits = Limits {
            tape: 0,
            objects: 1 << 20,
        };
        let mut frame = Frame::new(limits);
        let mut objects = Objects { frame: &mut frame };
        objects.alloc(1 << 19).unwrap();
        let error = objects.alloc((1 << 19) + 1).unwrap_err();
        assert!(matches!(error, Error::Memory(_)));
        let expected = "the objects of the call take 524288 bytes, and one that is of 524289 bytes does not fit: work on parts of the data";
        assert!(error.to_string().contains(expected), "{error}");
        objects.alloc(1 << 19).unwrap();
    }

    #[test]
    fn a_size_that_overflows_is_an_error() {
        let text = "
fn @f(%n: usize) -> ptr {
b0:
    %size: usize = 16
    %bytes: usize = mul %n, %size
    %p: ptr = alloc %bytes
    return %p
}";
        let program = compiled(text);
        let mut args = Args::new();
        args.scalar((usize::MAX >> 4) + 2);
        let error = program.call(0, &args, &mut [0], &NoHost).unwrap_err();
        assert!(error.to_string().contains("endless"), "{error}");
        let mut args = Args::new();
        args.scalar(4096_usize);
        program.call(0, &args, &mut [0], &NoHost).unwrap();
    }
}
