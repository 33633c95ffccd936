"""What `./holdfast-bench train` compares with. Prints one line of JSON per result.

train.py check             imports what the others need
train.py fit CSV           what a user of scikit-learn does with a table: read, split, scale, fit, score
train.py problems FOLDER   writes standard problems as CSV with scaled features, and how L-BFGS does on them
"""
import json
import sys
import time

import numpy as np
import pandas as pd

CLOSE = 1e-4
SEPARABLE_L2 = 1e-3


def fit(file):
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import accuracy_score, log_loss
    from sklearn.model_selection import train_test_split
    from sklearn.preprocessing import StandardScaler

    start = time.perf_counter()
    table = pd.read_csv(file)
    read = time.perf_counter() - start
    features, held_out, labels, truth = train_test_split(
        table.drop(columns="y"), table["y"], test_size=0.3, random_state=1
    )
    scaler = StandardScaler().fit(features)
    model = LogisticRegression().fit(scaler.transform(features), labels)
    probabilities = model.predict_proba(scaler.transform(held_out))
    print(
        json.dumps(
            {
                "read": read,
                "iterations": int(model.n_iter_[0]),
                "accuracy": accuracy_score(truth, model.classes_[probabilities.argmax(axis=1)]),
                "logLoss": log_loss(truth, probabilities),
            }
        )
    )


def logistic(u, y):
    p = 1 / (1 + np.exp(-u))
    return np.logaddexp(0, u) - u * y, p - y, lambda v: p * (1 - p) * v


def softmax(u, y):
    most = u.max(axis=1, keepdims=True)
    e = np.exp(u - most)
    p = e / e.sum(axis=1, keepdims=True)
    loss = np.log(e.sum(axis=1)) + most[:, 0] - (u * y).sum(axis=1)
    return loss, p - y, lambda v: p * (v - (p * v).sum(axis=1, keepdims=True))


def squares(u, y):
    return (u - y) ** 2 / 2, u - y, lambda v: v


class Problem:
    """F(theta) = mean loss + l2/2 ||weights||^2; the intercepts in the last row of theta are not penalised."""

    def __init__(self, x, y, loss, l2):
        self.x = np.column_stack([x, np.ones(len(x))])
        self.y = y.reshape(len(y), -1)
        self.loss = loss
        self.penalty = np.full((self.x.shape[1], 1), l2)
        self.penalty[-1] = 0
        self.passes = 0

    def at(self, theta):
        w = theta.reshape(self.x.shape[1], -1)
        return (w, *self.loss(self.x @ w, self.y))

    def value_and_gradient(self, theta):
        self.passes += 1
        w, loss, slope, _ = self.at(theta)
        value = loss.sum() / len(self.x) + (self.penalty * w**2).sum() / 2
        return value, (self.x.T @ slope / len(self.x) + self.penalty * w).ravel()

    def hessian_times(self, theta, v):
        _, _, _, curvature = self.at(theta)
        v = v.reshape(self.x.shape[1], -1)
        return (self.x.T @ curvature(self.x @ v) / len(self.x) + self.penalty * v).ravel()

    def solve(self):
        """Returns the minimum, F at the start, and F and the passes over the rows after each iteration of L-BFGS."""
        from scipy.optimize import minimize

        start = np.zeros(self.x.shape[1] * self.y.shape[1])
        path = []
        found = minimize(
            self.value_and_gradient,
            start,
            jac=True,
            method="L-BFGS-B",
            callback=lambda theta: path.append((theta.copy(), self.passes)),
            options={"maxiter": 20000, "maxfun": 40000, "ftol": 0, "gtol": 1e-9},
        )
        # Newton steps from where L-BFGS ends; F is convex, so the lowest value is the closest one.
        polished = minimize(
            self.value_and_gradient,
            found.x,
            jac=True,
            hessp=self.hessian_times,
            method="trust-ncg",
            options={"gtol": 1e-11, "maxiter": 200},
        )
        values = [(self.value_and_gradient(theta)[0], passes) for theta, passes in path]
        least = min(polished.fun, found.fun)
        return least, self.value_and_gradient(start)[0], values, float(np.linalg.norm(polished.jac))


def standard_problems(folder):
    from sklearn import datasets

    spam = pd.read_csv(folder + "/spambase.csv.gz")
    bundled = [datasets.load_breast_cancer, datasets.load_wine, datasets.load_iris, datasets.load_digits]
    for load in bundled:
        yield load.__name__[5:].replace("_", " "), *load(return_X_y=True), SEPARABLE_L2
    yield "diabetes", *datasets.load_diabetes(return_X_y=True), 0
    yield "spambase", spam.iloc[:, :-1].to_numpy(), spam.iloc[:, -1].to_numpy(), 0
    for name, rows, columns, l2 in [("wide 400 x 500", 400, 500, SEPARABLE_L2), ("20000 x 100", 20000, 100, 0)]:
        made = datasets.make_classification(rows, columns, n_informative=20, n_redundant=20, random_state=1)
        yield name, *made, l2


def problems(folder):
    from sklearn.preprocessing import StandardScaler

    for name, x, y, l2 in standard_problems(folder):
        x = StandardScaler().fit_transform(x)
        classes = np.unique(y)
        numbers = len(classes) > 20
        if numbers:
            y = (y - y.mean()) / y.std()
            problem = Problem(x, y, squares, l2)
        elif len(classes) == 2:
            problem = Problem(x, 1.0 * (y == classes[1]), logistic, l2)
        else:
            problem = Problem(x, 1.0 * (y[:, None] == classes), softmax, l2)
        least, first, values, gradient = problem.solve()

        def until(limit):
            return next((i + 1, passes) for i, (value, passes) in enumerate(values) if value <= limit)

        table = pd.DataFrame(x, columns=["x%d" % i for i in range(x.shape[1])])
        table["y"] = y if numbers else ["c%d" % c for c in y]
        file = folder + "/" + name.replace(" ", "-") + ".csv"
        table.to_csv(file, index=False)
        iterations, passes = until(least * (1 + CLOSE))
        print(
            json.dumps(
                {
                    "name": name,
                    "file": file,
                    "l2": l2,
                    "first": first,
                    "least": least,
                    "gradient": gradient,
                    "iterations": iterations,
                    "passes": passes,
                    "iterationsOfFall": until(least + CLOSE * (first - least))[0],
                }
            )
        )


if __name__ == "__main__":
    if sys.argv[1] == "check":
        import scipy.optimize
        import sklearn.datasets
    else:
        {"fit": fit, "problems": problems}[sys.argv[1]](sys.argv[2])
