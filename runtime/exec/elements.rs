//! Elements that go from memory to arrays, and back: the two operations of the host that are given slices.

use super::native::ABSENT;
use super::{Host, Lent};
use crate::codegen::cpu::Site;
use crate::diag::{Error, Result};
use crate::ir::Type;
use crate::plugin::{Made, MadeElements, dtype};
use smallvec::smallvec;
use std::slice::{from_raw_parts, from_raw_parts_mut};

/// An array with one axis of the elements of a slice, on the device of the call. Gives its handle.
///
/// # Safety
///
/// The words are the address and the length of a slice whose type is the site's first.
pub(super) unsafe fn from_slice(site: &Site, args: &[u64], host: &dyn Host) -> Result<u64> {
    let (Some(element), &[data, count]) = (element(site), args) else {
        return Err(unfit(site));
    };
    let count = count as usize;
    let used = host.room(dtype(element), count);
    // SAFETY: the caller's promise; nobody writes to the slice before this returns.
    let elements = unsafe {
        match (element, used) {
            (Type::F32, Some(MadeElements::F32(used))) => {
                MadeElements::F32(copied(data, count, used)?)
            }
            (Type::F64, Some(MadeElements::F64(used))) => {
                MadeElements::F64(copied(data, count, used)?)
            }
            (Type::F32, _) => MadeElements::F32(copied(data, count, Vec::new())?),
            (Type::F64, _) => MadeElements::F64(copied(data, count, Vec::new())?),
            (Type::I32, _) => MadeElements::I32(copied(data, count, Vec::new())?),
            (Type::U32, _) => MadeElements::U32(copied(data, count, Vec::new())?),
            _ => return Err(unfit(site)),
        }
    };
    host.take_in(Made {
        shape: smallvec![count],
        elements,
    })
}

/// Writes the elements of an array over those of a slice of as many; those of an absent array are zeros.
///
/// # Safety
///
/// The words are the address and the length of a slice whose type is the site's first and which nobody else uses while this runs, and a handle.
pub(super) unsafe fn overwrite(site: &Site, args: &[u64], host: &dyn Host) -> Result<()> {
    let (Some(element), &[data, count, array]) = (element(site), args) else {
        return Err(unfit(site));
    };
    let lent = match array {
        ABSENT => None,
        array => Some(host.lend(array, site.name)?),
    };
    let count = count as usize;
    // SAFETY: the caller's promise.
    unsafe {
        match element {
            Type::F32 => copy::<f32>(lent, data, count, site),
            Type::F64 => copy::<f64>(lent, data, count, site),
            Type::I32 => copy::<i32>(lent, data, count, site),
            Type::U32 => copy::<u32>(lent, data, count, site),
            _ => Err(unfit(site)),
        }
    }
}

/// The type of the elements of the slice that is the first argument.
fn element(site: &Site) -> Option<Type> {
    match site.params.first()? {
        Type::Slice(element) | Type::SliceMut(element) => Some(**element),
        _ => None,
    }
}

/// A copy of the elements at an address, in this memory if it is large enough.
///
/// # Safety
///
/// There are so many elements, to which nobody writes before this returns.
unsafe fn copied<T: Copy>(data: u64, count: usize, mut made: Vec<T>) -> Result<Vec<T>> {
    made.clear();
    made.try_reserve_exact(count)
        .map_err(|_| Error::Memory(format!("an array of {count} elements")))?;
    if count > 0 {
        let data = std::ptr::with_exposed_provenance(data as usize);
        // SAFETY: the caller's promise.
        made.extend_from_slice(unsafe { from_raw_parts::<T>(data, count) });
    }
    Ok(made)
}

/// Copies the elements of an array, or zeros, to an address.
///
/// # Safety
///
/// There is room for so many elements, which nobody else uses while this runs.
unsafe fn copy<T: bytemuck::Pod>(
    lent: Option<Lent>,
    data: u64,
    count: usize,
    site: &Site,
) -> Result<()> {
    if count == 0 {
        return Ok(());
    }
    let data = std::ptr::with_exposed_provenance_mut(data as usize);
    // SAFETY: the caller's promise.
    let to = unsafe { from_raw_parts_mut::<T>(data, count) };
    let Some(lent) = lent else {
        to.fill(T::zeroed());
        return Ok(());
    };
    let bytes = lent.memory.bytes().get(lent.offset..).unwrap_or_default();
    let bytes = bytes.get(..count * size_of::<T>());
    match bytes {
        Some(bytes) if lent.shape[..] == [count] => {
            bytemuck::cast_slice_mut(to).copy_from_slice(bytes);
            Ok(())
        }
        _ => Err(Error::Internal(format!(
            "{}: {count} elements are read from an array of shape {:?}",
            site.name, lent.shape
        ))),
    }
}

fn unfit(site: &Site) -> Error {
    Error::Internal(format!("`{}` of {:?}", site.name, site.params))
}
