#!/usr/bin/env python3
"""Writes cases.json: operations on arrays in JAX, in double precision, as `tests/array_operations.rs` compares them with ours.

    pip install jax          # 0.10 was used
    python3 tests/array_operations/cases.py > tests/array_operations/cases.json

Each case is a function of two arrays, of which some use one alone. A case holds the arguments, the value, and of the sum of the value's
elements, weighted with cos(1), cos(2), …: the gradient, the derivative along a direction, and the product of the Hessian with that direction
(the derivative of the gradient along it). All arguments are sixteenths, which floats of both sizes hold exactly.

Of large arrays the file holds no elements: arguments are what `numbers` gives for a seed, and of what comes out there are the weighted
sums, with the sums of the sizes of what is summed, which say how far another sum may be from it.
"""
import json
import math
import sys
import jax
import numpy as np

jax.config.update("jax_enable_x64", True)
import jax.numpy as jnp

rng = np.random.default_rng(7)
NAN, INF = math.nan, math.inf


def R(*shape):
    """Numbers at random, none of them twice, none of them 0."""
    count = int(np.prod(shape))
    numbers = rng.choice(np.concatenate([np.arange(-40, 0), np.arange(1, 41)]), count, replace=False)
    return numbers.reshape(shape) / 16


def A(*numbers):
    return np.array(numbers, dtype=np.float64)


def numbers(shape, seed):
    """The elements of a large argument: of 10,007 neighbours no two are equal, and none is 0."""
    i = np.arange(int(np.prod(shape))) + seed
    return ((2 * (i * 7919 % 10007) - 10007) / 4096).reshape(shape)


class Large:
    """A large argument."""

    def __init__(self, *shape):
        self.shape = shape


def weights(shape):
    return np.cos(1.0 + np.arange(int(np.prod(shape)))).reshape(shape)


NONE = np.array(0.0)
PLACES = np.array([[2, 0], [1, 2]])
EMPTY = np.zeros((2, 0, 3))


def f64(x):
    return x.astype(jnp.float64)


def one(name, f, *args):
    return [(name, lambda x, y: f(x), [x, NONE]) for x in args]


def two(name, f, *pairs):
    return [(name, f, list(pair)) for pair in pairs]


def scatter(x, y):
    return x.at[jnp.arange(2)[:, None], PLACES].add(y)


def lines(name, f, empty):
    """A reduction in all its forms. `empty`: of no elements, too."""
    cases = []
    cases += one(f"{name}_axis_0", lambda x: f(x, 0, False), R(3, 4), R(5), R(1), R(2, 1, 3))
    cases += one(f"{name}_axis_1", lambda x: f(x, 1, False), R(3, 4), R(2, 3, 2), R(4, 1))
    cases += one(f"{name}_axes", lambda x: f(x, (0, 2), False), R(2, 3, 2), R(1, 2, 1))
    cases += one(f"{name}_keep", lambda x: f(x, 1, True), R(3, 2), R(2, 3, 2))
    cases += one(f"{name}_keeps", lambda x: f(x, (0, 2), True), R(2, 3, 2))
    cases += one(f"{name}_all", lambda x: f(x, None, False), R(3, 4), R(), R(1), R(2, 2, 2))
    cases += one(f"{name}_axis_0", lambda x: f(x, 0, False), EMPTY, Large(300, 301))
    cases += one(f"{name}_axis_1", lambda x: f(x, 1, False), Large(300, 301))
    if name not in ["prod", "max", "min"]:
        cases += one(f"{name}_all", lambda x: f(x, None, False), Large(300, 301))
    if empty:
        cases += one(f"{name}_axis_1", lambda x: f(x, 1, False), EMPTY)
        cases += one(f"{name}_all", lambda x: f(x, None, False), EMPTY)
    return cases


CASES = []
CASES += one("slice_ranges", lambda x: x[0:2, :, 2], R(2, 2, 3), R(3, 1, 4))
CASES += one("slice_steps", lambda x: x[1, 0:4:3], R(2, 5), R(3, 4, 2))
CASES += one("slice_open", lambda x: x[1:, :2], R(2, 3), R(3, 2, 2))
CASES += one("slice_closed", lambda x: x[0:2, :2], R(2, 3))
CASES += one("slice_none", lambda x: x[:, 1:1], R(2, 3))
CASES += one("slice_last", lambda x: x[1:], R(4), R(2, 3))
CASES += one("slice_transposed", lambda x: x.T[1:, 0:2], R(2, 3))
CASES += two("with_slice", lambda x, y: x.at[0:2, :, 2].set(y), (R(2, 2, 3), R(2, 2)), (R(3, 2, 3), R(2)), (R(2, 2, 4), R()))
CASES += two("with_steps", lambda x, y: x.at[1, 0:4:3].set(y), (R(2, 5), R(2)), (R(2, 4), R(1)))
CASES += one("with_number", lambda x: x.at[1].set(0.5), R(3), R(2, 3))
CASES += one("t", lambda x: x.T, R(2, 3), R(1, 4), R(0, 3), Large(130, 70))
CASES += one("swap_axes", lambda x: x.swapaxes(0, 2), R(2, 3, 4), R(2, 1, 3), EMPTY)
CASES += one("narrow", lambda x: x[:, 1:3], R(2, 4), R(3, 3, 2), np.zeros((0, 3)))
CASES += one("index_axis", lambda x: x[:, 1], R(3, 2), R(2, 3, 2))
CASES += one("expand_dims", lambda x: jnp.expand_dims(x, 1), R(3), R(2, 3), EMPTY)
CASES += one("squeeze", lambda x: x.squeeze(1), R(3, 1), R(2, 1, 3), np.zeros((0, 1, 2)))
CASES += one("flip", lambda x: jnp.flip(x, 0), R(5), R(3, 2), R(1), np.zeros((0, 2)), Large(301, 70))
CASES += one("roll", lambda x: jnp.roll(x, 5, 1), R(2, 3), R(2, 7, 2), np.zeros((2, 0)), Large(70, 301))
CASES += one("pad", lambda x: jnp.pad(x, ((2, 1),) + ((0, 0),) * (x.ndim - 1)), R(3), R(2, 3), np.zeros((0, 2)), Large(301, 70))
CASES += two("concat", lambda x, y: jnp.concatenate([x, y], 0), (R(2), R(3)), (R(2, 3), R(1, 3)), (np.zeros((0, 2)), R(2, 2)), (R(2, 2), np.zeros((0, 2))), (Large(130, 70), Large(7, 70)))
CASES += two("concat_last", lambda x, y: jnp.concatenate([x, y], x.ndim - 1), (R(2, 3), R(2, 2)), (R(2, 1, 2), R(2, 1, 3)))
CASES += two("stack", lambda x, y: jnp.stack([x, y], 1), (R(3), R(3)), (R(2, 3), R(2, 3)), (R(1), R(1)), (np.zeros((0, 2)), np.zeros((0, 2))))
CASES += one("permute", lambda x: x.transpose(2, 0, 1), R(2, 3, 2), R(1, 2, 3), EMPTY)
CASES += one("reshape_list", lambda x: x.reshape(3, 2), R(2, 3), R(6))
CASES += one("reshape_transposed", lambda x: x.T.reshape(2, 3), R(2, 3))
CASES += one("reshape_flat", lambda x: x.reshape(x.size), R(2, 3), R(), EMPTY)
CASES += one("reshape_reversed", lambda x: x.reshape(x.shape[::-1]), R(2, 3), R(4), R(), EMPTY)
CASES += one("broadcast_list", lambda x: jnp.broadcast_to(x, (2, 3)), R(3), R(2, 1), R())
CASES += two("broadcast_like", lambda x, y: jnp.broadcast_to(x, y.shape), (R(3), R(2, 3)), (R(2, 1), R(2, 3)), (R(), R(2)), (R(1), EMPTY))
CASES += one("split", lambda x: jnp.split(x, 2, 1)[1], R(2, 4), R(3, 2, 2))
CASES += one("repeat", lambda x: jnp.repeat(x, 3, 0), R(2, 2), R(3), EMPTY)
CASES += one("slice_ranges", lambda x: x[0:2, :, 2], Large(70, 30, 41))
CASES += two("with_slice", lambda x, y: x.at[0:2, :, 2].set(y), (Large(70, 30, 41), Large(30)))
CASES += one("insert_axis", lambda x: jnp.broadcast_to(jnp.expand_dims(x, 1), (x.shape[0], 3) + x.shape[1:]), R(2), R(2, 2))
CASES += one("tril", lambda x: jnp.tril(x), R(3, 3), R(2, 4), R(2, 3, 2))
CASES += one("tril_above", lambda x: jnp.tril(x, 1), R(3, 4))
CASES += one("triu", lambda x: jnp.triu(x), R(3, 3), R(4, 2))
CASES += one("triu_below", lambda x: jnp.triu(x, -1), R(4, 3))
CASES += one("take_rows", lambda x: x[PLACES], R(3), R(3, 2), R(4, 2, 2))
CASES += one("take_columns", lambda x: jnp.take(x, PLACES, 1), R(2, 3), R(1, 4, 2))
CASES += two("scatter", scatter, (R(2, 3), R(2, 2)), (R(2, 4), R(2, 2)))
CASES += one("gather", lambda x: jnp.take_along_axis(x, PLACES, 1), R(2, 3), R(2, 5))
CASES += one("take_rows", lambda x: x[PLACES], Large(300, 301))
CASES += one("take_numbers", lambda x: x[jnp.array([], dtype=int)], R(3, 2), R(1))
CASES += one("one_hot", lambda x: x * jax.nn.one_hot(PLACES, 3), R(3), R(2, 2, 3))
CASES += one("arange", lambda x: x * jnp.arange(3), R(3), R(2, 3))
CASES += one("eye", lambda x: x @ jnp.eye(3), R(2, 3), R(3))

PAIRS = [(R(2, 3), R(2, 3)), (R(3), R(2, 1)), (R(2, 1), R(3)), (R(), R(4)), (EMPTY, R(3)), (A(1, 2, 3), A(1, 3, 2)), (A(NAN, 1, INF), A(1, NAN, INF))]
ZEROS = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
CASES += one("made", lambda x: x * jnp.zeros((2, 3)) + jnp.ones((1, 3)) + jnp.full((2, 1), 2.5) + 0.75 * x, R(2, 3), R(3), R())
CASES += one("made_like", lambda x: x * jnp.ones(x.shape) + jnp.full(x.shape, 1.5) - jnp.zeros(x.shape), R(2, 3), R(1), R(2, 1, 3))
CASES += two("from_numbers", lambda x, y: x.sum() * x + jnp.stack([x.sum(), y.sum(), x.sum() * y.sum()]), (R(3), R(3)))
CASES += two("item", lambda x, y: x * jnp.sin(y.sum()) + jnp.where(y.sum() > 0, y.sum(), x.sum()), (R(2, 3), R(2)), (R(), R()))

# Arithmetic: broadcast both ways, of nothing, and large.
ARITHMETIC = [(R(2, 3), R(2, 3)), (R(3), R(2, 1)), (R(2, 1), R(3)), (R(), R(4)), (R(1), R(1)), (EMPTY, R(3)), (Large(300, 301), Large(301)), (Large(300, 1), Large(1, 301))]
SPECIAL = (A(0, 1, -1, INF, -INF, NAN, INF, -INF), A(1, 0, 0, 2, -2, 1, INF, INF))
CASES += two("add", lambda x, y: x + y, *ARITHMETIC, SPECIAL)
CASES += two("sub", lambda x, y: x - y, *ARITHMETIC, SPECIAL)
CASES += two("mul", lambda x, y: x * y, *ARITHMETIC, SPECIAL)
CASES += two("div", lambda x, y: x / y, *ARITHMETIC, SPECIAL)
CASES += one("neg", lambda x: -x, R(2, 3), R(), EMPTY, A(INF, -INF, NAN))
CASES += one("with_numbers", lambda x: 2.0 - (3.0 * x + 1.5) / 4.0 + 0.5 / x, R(2, 3), R(), EMPTY)

# Functions of each element: where they have derivatives, and at special numbers.
SPECIALS = A(0, 1, -1, INF, -INF, NAN)
NEAR, WITHIN, ABOVE = R(2, 3), R(2, 3) / 4, abs(R(2, 3))
degrees = 180 / math.pi
for name, f, x in [
    ("abs", jnp.abs, NEAR), ("sqrt", jnp.sqrt, ABOVE), ("cbrt", jnp.cbrt, ABOVE), ("exp", jnp.exp, NEAR), ("exp2", jnp.exp2, NEAR),
    ("exp_m1", jnp.expm1, NEAR), ("ln", jnp.log, ABOVE), ("ln_1p", jnp.log1p, ABOVE), ("log2", jnp.log2, ABOVE), ("log10", jnp.log10, ABOVE),
    ("sin", jnp.sin, NEAR), ("cos", jnp.cos, NEAR), ("tan", jnp.tan, WITHIN), ("asin", jnp.arcsin, WITHIN), ("acos", jnp.arccos, WITHIN),
    ("atan", jnp.arctan, NEAR), ("sinh", jnp.sinh, NEAR), ("cosh", jnp.cosh, NEAR), ("tanh", jnp.tanh, NEAR), ("asinh", jnp.arcsinh, NEAR),
    ("acosh", jnp.arccosh, ABOVE + 1), ("atanh", jnp.arctanh, WITHIN), ("recip", lambda x: 1 / x, NEAR), ("signum", jnp.sign, NEAR),
    ("floor", jnp.floor, WITHIN), ("ceil", jnp.ceil, WITHIN), ("trunc", jnp.trunc, WITHIN), ("round", jnp.round, WITHIN),
    ("fract", lambda x: x - jnp.trunc(x), NEAR), ("to_degrees", lambda x: x * degrees, NEAR), ("to_radians", lambda x: x / degrees, NEAR),
    ("powi", lambda x: x**3, NEAR), ("mapped", lambda x: jnp.where(x > 0, x * jnp.sin(x), jnp.exp(x)), NEAR),
]:
    CASES += one(name, f, x, np.zeros((0,)), x.ravel()[0])
    if name not in ["signum", "fract"]:
        CASES += one(name, f, SPECIALS)
CASES += one("sin", jnp.sin, Large(300, 301))
CASES += two("powf", lambda x, y: jnp.abs(x) ** y, *ARITHMETIC[:4])
CASES += two("atan2", jnp.arctan2, *ARITHMETIC[:4], (A(0, 1, INF, NAN), A(1, 0, 1, 1)))
CASES += two("hypot", jnp.hypot, *ARITHMETIC[:4], (A(INF, NAN), A(1, 1)))
CASES += two("copysign", lambda x, y: jnp.abs(x) * jnp.sign(y), *ARITHMETIC[:4])
CASES += two("max", jnp.maximum, *ARITHMETIC[:4], (A(NAN, 1, INF), A(1, NAN, INF)))
CASES += two("min", jnp.minimum, *ARITHMETIC[:4], (A(NAN, 1, INF), A(1, NAN, INF)))
CASES += two("mul_add", lambda x, y: x * y + x, *ARITHMETIC[:4])
CASES += two("gt", lambda x, y: f64(x > y), *PAIRS)
CASES += two("ge", lambda x, y: f64(x >= y), *PAIRS)
CASES += two("lt", lambda x, y: f64(x < y), *PAIRS)
CASES += two("le", lambda x, y: f64(x <= y), *PAIRS)
CASES += two("eq", lambda x, y: f64(x == y), *PAIRS)
CASES += two("ne", lambda x, y: f64(x != y), *PAIRS)
CASES += two("logic", lambda x, y: f64((x > 0) & ~(y > 0) | ((x > 1) ^ (y < 1))), *PAIRS)
CASES += two("select", lambda x, y: jnp.where(x > y, jnp.sin(x), y * y), *PAIRS)
CASES += one("select_numbers", lambda x: jnp.where(x > 0.5, x * x, 2.0) + jnp.where(x > 0.5, 1.0, x), R(3, 2), A(0.5, NAN))
CASES += two("max", jnp.maximum, *PAIRS, (A(2, 0.25, -3), A(2, 0.25, -3)))
CASES += two("min", jnp.minimum, *PAIRS, (A(2, 0.25, -3), A(2, 0.25, -3)))
CASES += one("clamp", lambda x: jnp.clip(x, -1.0, 0.5), R(2, 3), A(NAN, INF, -INF))
CASES += two("map2", lambda x, y: jnp.sin(x) * y + x, *PAIRS[:5])
CASES += two("map3", lambda x, y: jnp.where(x > 0, x * x * y, y * 3.0), *PAIRS[:5])
CASES += one("casts", lambda x: x * jnp.trunc(x) + f64(x > 0), R(2, 3))

CASES += lines("sum", lambda x, axis, keep: jnp.sum(x, axis, keepdims=keep), True)
CASES += lines("mean", lambda x, axis, keep: jnp.mean(x, axis, keepdims=keep), True)
CASES += lines("prod", lambda x, axis, keep: jnp.prod(x, axis, keepdims=keep), True)
CASES += lines("max", lambda x, axis, keep: jnp.max(x, axis, keepdims=keep), False)
CASES += lines("min", lambda x, axis, keep: jnp.min(x, axis, keepdims=keep), False)
CASES += lines("var", lambda x, axis, keep: jnp.var(x, axis, keepdims=keep), True)
CASES += lines("std", lambda x, axis, keep: jnp.std(x, axis, keepdims=keep), False)
CASES += lines("norm", lambda x, axis, keep: jnp.sqrt(jnp.sum(x * x, axis, keepdims=keep)), False)
CASES += lines("logsumexp", lambda x, axis, keep: jax.nn.logsumexp(x, axis, keepdims=keep), True)
CASES += lines("argmax", lambda x, axis, keep: f64(jnp.argmax(x, axis, keepdims=keep)) if not isinstance(axis, tuple) else f64(jnp.argmax(x.transpose(1, 0, 2).reshape(x.shape[1], -1), 1).reshape((1, -1, 1) if keep else -1)), False)
CASES += lines("argmin", lambda x, axis, keep: f64(jnp.argmin(x, axis, keepdims=keep)) if not isinstance(axis, tuple) else f64(jnp.argmin(x.transpose(1, 0, 2).reshape(x.shape[1], -1), 1).reshape((1, -1, 1) if keep else -1)), False)
CASES += lines("any", lambda x, axis, keep: f64(jnp.any(x > 0, axis, keepdims=keep)), True)
CASES += lines("all", lambda x, axis, keep: f64(jnp.all(x > 0, axis, keepdims=keep)), True)
TIES = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])
CASES += one("max_axis_1", lambda x: jnp.max(x, 1), TIES)
CASES += one("max_all", lambda x: jnp.max(x), TIES, A(NAN, 1), A(-INF, INF))
CASES += one("min_axis_1", lambda x: jnp.min(x, 1), TIES)
CASES += one("min_all", lambda x: jnp.min(x), TIES, A(1, NAN))
CASES += one("argmax_axis_1", lambda x: f64(jnp.argmax(x, 1)), TIES, np.array([[1.0, NAN, NAN], [-INF, -INF, -INF]]))
CASES += one("argmin_axis_1", lambda x: f64(jnp.argmin(x, 1)), TIES, np.array([[1.0, NAN, NAN], [INF, INF, INF]]))
CASES += one("std_axis_0", lambda x: jnp.std(x, 0), A(2, 2))
CASES += one("prod_all", jnp.prod, A(0, 2, 3), A(0, 2, 0, 3), A(-1, INF))
CASES += one("logsumexp_all", jax.nn.logsumexp, A(700, 710), A(-INF, 1, 2), A(-INF, -INF), A(INF, 1))
CASES += one("prod_axis_1", lambda x: jnp.prod(x, 1), ZEROS)
CASES += one("norm_all", lambda x: jnp.sqrt(jnp.sum(x * x)), A(3, INF), A(1, NAN))
CASES += one("cumsum_0", lambda x: jnp.cumsum(x, 0), R(5), R(3, 2), R(1), EMPTY, Large(301, 70), A(1, INF, 2, NAN))
CASES += one("cumsum_1", lambda x: jnp.cumsum(x, 1), R(2, 4), R(2, 3, 2), EMPTY, Large(70, 301))
for axis in [0, 1]:
    CASES += one(f"softmax_{axis}", lambda x, axis=axis: jax.nn.softmax(x, axis), R(3, 4), R(2, 3, 2), R(1, 1), R(0, 3) if axis else R(3, 0), Large(300, 301))
    CASES += one(f"log_softmax_{axis}", lambda x, axis=axis: jax.nn.log_softmax(x, axis), R(3, 4), R(2, 3, 2), R(1, 1), R(0, 3) if axis else R(3, 0), Large(300, 301))
CASES += one("softmax_1", lambda x: jax.nn.softmax(x, 1), np.array([[700.0, 710.0], [-INF, 1.0]]))
CASES += one("cumprod_0", lambda x: jnp.cumprod(x, 0), R(5), R(3, 2), R(1), A(2, 0, 3, 0, 1), EMPTY)
CASES += one("cumprod_1", lambda x: jnp.cumprod(x, 1), R(2, 4), EMPTY)

CASES += two(
    "matmul", jnp.matmul,
    (R(2, 3), R(3, 4)), (R(3), R(3)), (R(2, 3), R(3)), (R(3), R(3, 2)), (R(1, 1), R(1, 1)), (R(2, 0), R(0, 3)), (R(0, 2), R(2, 3)),
    (R(2, 2, 3), R(2, 3, 2)), (R(2, 2, 3), R(3, 2)), (R(2, 3), R(2, 3, 1)), (R(2, 1, 1, 3), R(3, 3, 2)), (R(2, 2, 0), R(0, 2)), (R(0, 2, 3), R(3, 2)),
)
CASES += two("matmul", jnp.matmul, (Large(70, 130), Large(130, 50)), (Large(7, 20, 30), Large(30, 11)), (Large(300), Large(300, 70)))
CASES += two("matmul_transposed", lambda x, y: jnp.matmul(x.swapaxes(-1, -2), y.swapaxes(-1, -2)), (R(2, 3, 2), R(2, 4, 3)), (R(3, 2), R(2, 2, 3)))
CASES += two("dot", jnp.dot, (R(4), R(4)), (R(1), R(1)))
CASES += two("outer", jnp.outer, (R(2), R(3)), (R(2, 2), R(2)), (R(), R(2)))
CASES += two("attention", lambda q, k: jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((3, 3))) > 0, q @ k.swapaxes(-1, -2), -INF), -1) @ k, (R(2, 3, 2), R(2, 3, 2)))
CASES += one("is_nan", lambda x: f64(jnp.isnan(x)), A(0, NAN, INF, -1), R(2, 3), EMPTY)
CASES += one("cast_floats", lambda x: 2 * x.astype(jnp.float32).astype(jnp.float64), R(2, 3), EMPTY, A(NAN, INF))
CASES += two("concat_list", lambda x, y: jnp.concatenate([x, y, x], 1), (R(2, 3), R(2, 1)), (R(1, 0), R(1, 2)))
CASES += two("stack_list", lambda x, y: jnp.stack([x, y, y], 0), (R(3), R(3)), (R(), R()))
CASES += one("roll_back", lambda x: jnp.roll(x, -4, 0), R(3), R(5, 2), np.zeros((0, 2)))
CASES += two("pad_with", lambda x, y: jnp.pad(x, ((1, 2), (0, 0)), constant_values=1.5) * y, (R(2, 3), R()), (np.zeros((0, 2)), R(2)))
CASES += one("split_list", lambda x: jnp.split(x, [1, 3], 1)[1], R(2, 4), R(3, 4, 2))
# Indices of one axis. Their arguments are no random numbers, so that those of the cases before stay what they are.
LINE = PLACES.reshape(-1)
CASES += one("take_line", lambda x: x[LINE], numbers((3, 2), 3), numbers((3,), 5), numbers((4, 2, 2), 8))
CASES += two("scatter_rows", lambda x, y: x.at[LINE].add(y), (numbers((3, 2), 7), numbers((4, 2), 11)),
             (numbers((5,), 13), numbers((4,), 17)), (numbers((3, 2, 2), 1), numbers((4, 2, 2), 4)))
CASES += two("scatter_columns", lambda x, y: x.at[:, LINE].add(y), (numbers((2, 3), 19), numbers((2, 4), 23)))



def number(x):
    x = float(x)
    if math.isfinite(x):
        return int(x) if x == int(x) and x != 0 else x
    return str(x)


def flat(x):
    return {"shape": list(np.shape(x)), "data": [number(v) for v in np.asarray(x).ravel()]}


def sums(x):
    """The weighted sum of the elements of a large array, and the sum of the sizes of what is summed."""
    terms = np.asarray(x) * weights(np.shape(x))
    return {"shape": list(np.shape(x)), "sum": number(terms.sum()), "size": number(abs(terms).sum())}


def large(name, f, args):
    given = [numbers(x.shape, 100 + n) for n, x in enumerate(args)]
    direction = [numbers(x.shape, 500 + n) for n, x in enumerate(args)]
    value, gradient, derivative, product = derive(f, given, direction)
    size = sum(np.sum(np.abs(g * d)) for g, d in zip(gradient, direction))
    return {
        "name": name,
        "args": [{"shape": list(x.shape), "seed": 100 + n} for n, x in enumerate(args)],
        "value": sums(value),
        "gradient": [sums(x) for x in gradient],
        "direction": [{"shape": list(x.shape), "seed": 500 + n} for n, x in enumerate(args)],
        "derivative": {"shape": [], "sum": number(derivative), "size": number(size)},
        "product": [sums(x) for x in product],
    }


def derive(f, args, direction):
    @jax.jit
    def everything(args, direction):
        value = f(*args)
        weight = weights(value.shape)
        loss = lambda x, y: (f(x, y) * weight).sum()
        gradient, product = jax.jvp(jax.grad(loss, argnums=(0, 1)), args, direction)
        _, derivative = jax.jvp(loss, args, direction)
        return value, gradient, derivative, product

    return everything(tuple(jnp.asarray(x) for x in args), tuple(jnp.asarray(x) for x in direction))


def case(name, f, args):
    if any(isinstance(x, Large) for x in args):
        return large(name, f, [x if isinstance(x, Large) else Large(*np.shape(x)) for x in args])
    direction = [R(*x.shape) for x in args]
    value, gradient, derivative, product = derive(f, args, direction)
    return {
        "name": name,
        "args": [flat(x) for x in args],
        "value": flat(value),
        "gradient": [flat(x) for x in gradient],
        "direction": [flat(x) for x in direction],
        "derivative": number(derivative),
        "product": [flat(x) for x in product],
    }


lines_of_text = []
for row in CASES:
    lines_of_text.append(json.dumps(case(*row), separators=(",", ":")))
    print(len(lines_of_text), "of", len(CASES), row[0], file=sys.stderr)
sys.stdout.write("[\n" + ",\n".join(lines_of_text) + "\n]\n")
