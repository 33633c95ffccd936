"""Values of small networks for NeuralNetworkTest: python3 network-golden.py (numpy 2.4.6).

Gradients by complex steps (Squire, Trapp 1998), which no backward pass enters. theta and x are sines, so that the test
can write them down; theta is W_0, W_1, W_2 (a row for each number that comes in), then b_0, b_1, b_2.
"""

import numpy as np

SIZES = {"one": [3, 4], "two": [3, 4, 2]}
ACTIVATIONS = {
    "softplus": lambda a: np.log1p(np.exp(a)),
    "tanh": np.tanh,
    "gelu": lambda a: 0.5 * a * (1 + np.tanh(np.sqrt(2 / np.pi) * (a + 0.044715 * a**3))),
    "elu": lambda a: np.where(a.real > 0, a, np.exp(a) - 1),
}
X = np.array([[np.sin(1.0 + 3 * j + i) for i in range(3)] for j in range(2)])


def loss(theta, x, sizes, activation, kind):
    at = 0
    weights = []
    for a, b in zip(sizes, sizes[1:]):
        weights.append(theta[at : at + a * b].reshape(a, b))
        at += a * b
    h = x
    for l, w in enumerate(weights):
        a = h @ w + theta[at : at + w.shape[1]]
        at += w.shape[1]
        h = ACTIVATIONS[activation](a) if l < len(weights) - 1 else a
    total = 0
    for j in range(len(x)):
        u = h[j]
        if kind == "logistic":
            total += np.log1p(np.exp(u[0])) - j * u[0]
        elif kind == "softmax":
            total += np.log(np.sum(np.exp(u))) - u[2 * j]
        elif kind == "squared":
            total += (u[0] - (0.5 + j)) ** 2 / 2
    return total


for name, hidden in SIZES.items():
    for activation in ACTIVATIONS:
        for kind in ("logistic", "softmax", "squared"):
            sizes = hidden + [3 if kind == "softmax" else 1]
            p = sum(a * b + b for a, b in zip(sizes, sizes[1:]))
            theta = np.array([1.5 * np.sin(2.0 + 7 * i) for i in range(p)])
            step = 1e-30
            value = loss(theta, X, sizes, activation, kind)
            slope = [
                loss(theta + 1j * step * (np.arange(p) == i), X, sizes, activation, kind).imag / step for i in range(p)
            ]
            inrow = [
                loss(theta, X + 1j * step * (np.arange(6).reshape(2, 3) == i), sizes, activation, kind).imag / step
                for i in range(6)
            ]
            # Weighted sums of the gradients see every element.
            along = sum(g * np.cos(i) for i, g in enumerate(slope))
            rows = sum(g * np.cos(i) for i, g in enumerate(inrow))
            print(f"{name} {activation} {kind} {value!r} {along!r} {rows!r}".replace("np.float64(", "").replace(")", ""))
