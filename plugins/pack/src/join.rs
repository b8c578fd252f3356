//! Joining texts at compile time, with a placeholder filled in: what [`wgsl!`](crate::wgsl) expands to.

/// The character that stands for the prefix. WGSL itself has no use for it.
const PLACE: u8 = b'$';

/// The length of what [`joined`] gives.
pub const fn joined_len(texts: &[&str], prefix: &str) -> usize {
    let (mut len, mut i) = (0, 0);
    while i < texts.len() {
        let text = texts[i].as_bytes();
        let mut j = 0;
        while j < text.len() {
            len += if text[j] == PLACE { prefix.len() } else { 1 };
            j += 1;
        }
        i += 1;
    }
    len
}

/// The texts one after the other, with `prefix` for each `$`.
pub const fn joined<const LEN: usize>(texts: &[&str], prefix: &str) -> [u8; LEN] {
    let mut bytes = [0; LEN];
    let (mut at, mut i) = (0, 0);
    while i < texts.len() {
        let text = texts[i].as_bytes();
        let mut j = 0;
        while j < text.len() {
            let part: &[u8] = if text[j] == PLACE {
                prefix.as_bytes()
            } else {
                &[text[j]]
            };
            let mut k = 0;
            while k < part.len() {
                bytes[at] = part[k];
                at += 1;
                k += 1;
            }
            j += 1;
        }
        i += 1;
    }
    bytes
}

/// The bytes of a text, as many as it has.
pub const fn bytes<const N: usize>(text: &str) -> [u8; N] {
    let (mut bytes, mut i) = ([0; N], 0);
    while i < N {
        bytes[i] = text.as_bytes()[i];
        i += 1;
    }
    bytes
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_prefix_fills_the_places() {
        assert_eq!(crate::wgsl!(f, "$a() ", "ä$b"), "mc_f_a() ämc_f_b");
    }
}
