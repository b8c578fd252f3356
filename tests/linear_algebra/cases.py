#!/usr/bin/env python3
"""Writes cases.json: linear algebra in JAX, in double precision, as `tests/linear_algebra.rs` compares it with ours.

    pip install jax          # 0.10 was used
    python3 tests/linear_algebra/cases.py > tests/linear_algebra/cases.json

Each case is a real function of one or two matrices. It does not depend on the signs that decompositions choose: where a
factor is unique up to signs, its squares are summed. A case holds the arguments, the value, the gradient, and the product
of the Hessian with a direction (the derivative of the gradient along it).
"""
import json
import sys
import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp
import jax.scipy.linalg as jsl

rng = np.random.default_rng(7)


def R(*shape):
    return jnp.asarray(rng.uniform(-1, 1, shape))


def weights(shape):
    """The weights of a sum over an array's elements: cos(1), cos(2), …"""
    return jnp.cos(1.0 + jnp.arange(int(np.prod(shape)))).reshape(shape)


def w(x):
    return (weights(x.shape) * x).sum()


def spd(a):
    """A positive definite matrix made of any matrix."""
    return a @ a.T + jnp.eye(a.shape[0])


def lu(a):
    p, l, u = jsl.lu(a)
    return w(l) + w(u)


def qr(a):
    q, r = jnp.linalg.qr(a)
    return w(q * q) + w(r * r)


def svd(a):
    u, s, vt = jnp.linalg.svd(a, full_matrices=False)
    return w(s) + w(u * u) + w(vt * vt)


def eigh(a):
    e, v = jnp.linalg.eigh(a)
    return w(e) + w(v * v)


def triangular(lower, trans, unit):
    return lambda a, b: w(jsl.solve_triangular(a, b, lower=lower, trans=trans, unit_diagonal=unit))


def lstsq(a, b):
    return w(jnp.linalg.solve(a.T @ a, a.T @ b))


def well(n):
    """A matrix that is far from singular."""
    return R(n, n) + 2 * jnp.eye(n)


CASES = [
    ("cholesky", lambda a: w(jnp.linalg.cholesky(a)), [spd(R(4, 4))]),
    ("cholesky", lambda a: w(jnp.linalg.cholesky(a)), [spd(R(1, 1))]),
    ("lu", lu, [well(4)[jnp.array([2, 0, 3, 1])]]),
    ("qr", qr, [R(5, 3)]),
    ("qr", qr, [well(3)]),
    ("svd", svd, [R(5, 3)]),
    ("svd", svd, [R(3, 4)]),
    ("svd", svd, [well(3)]),
    ("svdvals", lambda a: w(jnp.linalg.svd(a, compute_uv=False)), [R(4, 3)]),
    ("eigh", eigh, [spd(R(4, 4))]),
    ("eigh", eigh, [R(3, 3)]),
    ("eigvalsh", lambda a: w(jnp.linalg.eigvalsh(a)), [R(4, 4)]),
    ("solve", lambda a, b: w(jnp.linalg.solve(a, b)), [well(4), R(4, 3)]),
    ("solve", lambda a, b: w(jnp.linalg.solve(a, b)), [well(3), R(3)]),
    ("inv", lambda a: w(jnp.linalg.inv(a)), [well(4)]),
    ("det", jnp.linalg.det, [well(4)]),
    ("det", jnp.linalg.det, [R(1, 1)]),
    ("det", jnp.linalg.det, [jnp.asarray([[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [0.5, -1.0, 2.0]])]),
    ("logdet", lambda a: jnp.linalg.slogdet(a)[1], [well(4)]),
    ("logdet", lambda a: jnp.linalg.slogdet(a)[1], [spd(R(3, 3))]),
    ("trace", jnp.trace, [R(4, 4)]),
    ("kron", lambda a, b: w(jnp.kron(a, b)), [R(2, 3), R(3, 2)]),
    ("norm", jnp.linalg.norm, [R(3, 4)]),
    ("dot", lambda a, b: (a * b).sum(), [R(6), R(6)]),
    ("lstsq", lstsq, [R(6, 3), R(6, 2)]),
    ("lstsq", lstsq, [R(5, 2), R(5)]),
]
for lower in (False, True):
    for trans in (False, True):
        for unit in (False, True):
            name = f"solve_triangular {int(lower)} {int(trans)} {int(unit)}"
            CASES.append((name, triangular(lower, int(trans), unit), [well(3), R(3, 2)]))


def rounded(x):
    return [float(f"{v:.17g}") for v in np.asarray(x).ravel()]


def flat(arrays):
    return [{"shape": list(np.shape(x)), "data": rounded(x)} for x in arrays]


def case(name, f, args):
    numbers = tuple(range(len(args)))
    gradient = jax.grad(f, argnums=numbers)
    direction = [R(*x.shape) for x in args]
    # The Hessian of a norm or of a decomposition by forward over reverse, as ours is.
    _, product = jax.jvp(lambda *xs: gradient(*xs), tuple(args), tuple(direction))
    return {
        "name": name,
        "args": flat(args),
        "value": float(f(*args)),
        "gradient": flat(gradient(*args)),
        "direction": flat(direction),
        "product": flat(product),
    }


if __name__ == "__main__":
    out = [json.dumps(case(*c)) for c in CASES]
    sys.stdout.write("[\n" + ",\n".join(out) + "\n]\n")
