//! The tape as the IR describes it: a stack of records in bytes, with a note of which bytes were written.

use super::internal;
use crate::diag::{Error, Result};

/// More than any test needs.
const LIMIT: usize = 1 << 26;

/// A stack of records.
#[derive(Default)]
pub struct Tape {
    /// All memory that was ever reserved. Memory above the top stays readable until the next push.
    bytes: Vec<u8>,
    written: Vec<bool>,
    /// The start of each record.
    records: Vec<usize>,
    top: usize,
    peak: usize,
}

impl Tape {
    pub fn len(&self) -> usize {
        self.top
    }
    pub fn peak(&self) -> usize {
        self.peak
    }
    /// Reserves a record and returns its address. Old records above the top are lost.
    pub fn push(&mut self, bytes: usize) -> Result<usize> {
        let start = self.top;
        if bytes > LIMIT - start {
            return Err(Error::Memory(format!(
                "a record of {bytes} bytes on the tape"
            )));
        }
        self.top += rounded(bytes);
        self.bytes.truncate(start);
        self.written.truncate(start);
        self.bytes.resize(self.top, 0);
        self.written.resize(self.top, false);
        self.records.push(start);
        self.peak = self.peak.max(self.top);
        Ok(start)
    }
    /// Removes the top record, which must have that size, and returns its address.
    pub fn pop(&mut self, bytes: usize) -> Result<usize> {
        match self.records.pop() {
            Some(start) if bytes <= LIMIT && self.top - start == rounded(bytes) => {
                self.top = start;
                Ok(start)
            }
            Some(start) => {
                let found = self.top - start;
                internal(format!(
                    "a record of {found} bytes is taken for one of {bytes}"
                ))
            }
            None => internal(format!(
                "a record of {bytes} bytes is taken from an empty tape"
            )),
        }
    }
    /// The bits of a value of that size.
    pub fn read(&self, at: usize, size: usize) -> Result<u64> {
        let range = self.range(at, size)?;
        if !self.written[range.clone()].iter().all(|&w| w) {
            return internal(format!(
                "{size} bytes at {at} of the tape are read but not written"
            ));
        }
        let mut bits = [0; 8];
        bits[..size].copy_from_slice(&self.bytes[range]);
        Ok(u64::from_le_bytes(bits))
    }
    /// Writes the bits of a value of that size.
    pub fn write(&mut self, at: usize, size: usize, bits: u64) -> Result<()> {
        let range = self.range(at, size)?;
        if range.end > self.top {
            return internal(format!(
                "{size} bytes at {at} are above the top of the tape"
            ));
        }
        self.bytes[range.clone()].copy_from_slice(&bits.to_le_bytes()[..size]);
        self.written[range].fill(true);
        Ok(())
    }
    fn range(&self, at: usize, size: usize) -> Result<std::ops::Range<usize>> {
        match at.checked_add(size) {
            Some(end) if end <= self.bytes.len() && (1..=8).contains(&size) => Ok(at..end),
            _ => internal(format!("{size} bytes at {at} are outside the tape")),
        }
    }
}

/// Records are aligned to 8 bytes.
fn rounded(bytes: usize) -> usize {
    bytes.next_multiple_of(8)
}
