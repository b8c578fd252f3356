//! A rule over arrays: its cases on the CPU and on the adapter.

use super::super::entry::test_case;
use super::{Events, Run};
use crate::array::Device;

impl Run<'_> {
    /// Tests the cases; gives their number.
    pub(super) fn array(&self, events: Events) -> usize {
        let cpu = Device::cpu();
        for case in self.cases {
            self.step("value, pullback and tangent", events, || {
                test_case(self.ctx, case, &cpu)
            });
        }
        if !self.cases.is_empty()
            && let Some(device) = self.device(events)
        {
            for case in self.cases {
                self.step("the same on the adapter", events, || {
                    test_case(self.ctx, case, &device)
                });
            }
        }
        self.cases.len()
    }
}
