//! Triangles of matrices, and systems of equations with them.

use mooncake_pack::{ArrayOut, ArrayView, Case, Float, Outcome, Value, native};

native! {
    /// The lower triangle of a matrix, or the upper one, with the diagonal; zeros elsewhere.
    fn triangle(a: array<T>, lower: bool) -> array<T> {
        primal: triangle,
        pullback: ["triangle(dy, lower)", ""],
        tangent: ["triangle(dx, lower)", ""],
    }
}

native! {
    /// The x of `a·x = b`, or of `aᵀ·x = b`, for matrices. Only one triangle of a is read. It is an error if a zero is on its diagonal.
    fn solve_triangular(a: array<T>, b: array<T>, lower: bool, transposed: bool) -> array<T> {
        primal: solve_triangular,
        // b̅ = a⁻ᵀ·y̅ and a̅ = -b̅·yᵀ; where a is transposed, so is its cotangent.
        pullback: [
            "-triangle(matmul_nt(
                select(transposed, y, solve_triangular(a, dy, lower, not(transposed))),
                select(transposed, solve_triangular(a, dy, lower, not(transposed)), y)), lower)",
            "solve_triangular(a, dy, lower, not(transposed))",
            "",
            "",
        ],
        tangent: [
            "-solve_triangular(a,
                select(transposed, matmul_tn(triangle(dx, lower), y), matmul(triangle(dx, lower), y)), lower, transposed)",
            "solve_triangular(a, dx, lower, transposed)",
            "",
            "",
        ],
    }
}

fn triangle<T: Float>(a: ArrayView<T>, lower: bool, out: ArrayOut<T>) -> Outcome {
    let (rows, columns) = a.matrix()?;
    let out = out.allocate(&[rows, columns])?;
    for i in 0..rows {
        let kept = match lower {
            true => 0..columns.min(i + 1),
            false => i.min(columns)..columns,
        };
        for j in kept {
            out[i * columns + j] = a.data()[i * columns + j];
        }
    }
    Ok(())
}

fn solve_triangular<T: Float>(
    a: ArrayView<T>,
    b: ArrayView<T>,
    lower: bool,
    transposed: bool,
    x: ArrayOut<T>,
) -> Outcome {
    let (n, (rows, columns)) = (a.square()?, b.matrix()?);
    if n != rows {
        return Err(format!("a has {n} rows and b has {rows}: expected as many"));
    }
    let at = |i: usize, j: usize| match transposed {
        true => a.data()[j * n + i],
        false => a.data()[i * n + j],
    };
    let x = x.allocate(&[n, columns])?;
    // The transpose of a lower triangle is an upper one: the last unknown comes first.
    let forwards = lower != transposed;
    for step in 0..n {
        let i = if forwards { step } else { n - 1 - step };
        let known = if forwards { 0..i } else { i + 1..n };
        let pivot = at(i, i);
        if pivot == T::ZERO {
            return Err(format!(
                "the matrix is singular: element ({i}, {i}) of its diagonal is 0"
            ));
        }
        for k in 0..columns {
            let mut rest = b.data()[i * columns + k];
            for j in known.clone() {
                rest = rest - at(i, j) * x[j * columns + k];
            }
            x[i * columns + k] = rest / pivot;
        }
    }
    Ok(())
}

/// Calls on which these rules are tested.
pub fn cases() -> Vec<Case> {
    let square = || {
        Value::Array(
            vec![3, 3],
            vec![2.0, -0.5, 0.25, 1.5, -1.0, 0.75, 0.5, 1.25, 3.0],
        )
    };
    let mut cases = Vec::new();
    for lower in [0, 1] {
        cases.push(Case::new(
            "triangle",
            [Value::array(&[3, 4]), Value::Int(lower)],
        ));
        for transposed in [0, 1] {
            let flags = [Value::Int(lower), Value::Int(transposed)];
            let [lower, transposed] = flags;
            let args = [square(), Value::array(&[3, 2]), lower, transposed];
            cases.push(Case::new("solve_triangular", args));
        }
    }
    cases
}
