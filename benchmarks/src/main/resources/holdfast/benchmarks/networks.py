"""What `./holdfast-bench networks` compares with.

networks.py check                           imports what the others need
networks.py serve FILE COLUMNS CLASSES      trains a network with PyTorch, as the lines of standard input ask:
    loss FILE      prints the mean loss on all rows at these parameters
    epoch          trains an epoch in a new order of the rows, prints the seconds
    gradients      the loss and its gradient on each batch in turn, without steps; prints the seconds
networks.py tables FOLDER SPLITS            writes splits of standard tables as CSV, and prints for each a line of JSON with
                                            the errors of scikit-learn's classifiers on the held-out rows, features standardised
"""
import json
import sys
import time

import numpy as np

BATCH = 256
HIDDEN = 64


def serve(file, columns, classes):
    import torch

    torch.set_num_threads(2)
    torch.set_default_dtype(torch.float64)
    table = torch.from_numpy(np.fromfile(file).reshape(-1, columns + 1))
    x = table[:, :-1].contiguous()
    y = table[:, -1].long() if classes > 2 else table[:, -1:].contiguous()
    loss = torch.nn.CrossEntropyLoss() if classes > 2 else torch.nn.BCEWithLogitsLoss()
    network = torch.nn.Sequential(
        torch.nn.Linear(columns, HIDDEN), torch.nn.Softplus(), torch.nn.Linear(HIDDEN, classes if classes > 2 else 1)
    )
    optimizer = torch.optim.SGD(network.parameters(), lr=0.01)
    batches = len(x) // BATCH

    def loss_at(file):
        """The parameters are the weights of each layer, a row for each number that comes in, then the biases."""
        theta = torch.from_numpy(np.fromfile(file))
        layers = [network[0], network[2]]
        at = 0
        with torch.no_grad():
            for layer in layers:
                shape = layer.weight.shape
                layer.weight.copy_(theta[at : at + shape.numel()].reshape(shape[1], shape[0]).T)
                at += shape.numel()
            for layer in layers:
                layer.bias.copy_(theta[at : at + len(layer.bias)])
                at += len(layer.bias)
            return loss(network(x), y).item()

    def epoch():
        order = torch.randperm(len(x))
        for b in range(batches):
            rows = order[b * BATCH : (b + 1) * BATCH]
            optimizer.zero_grad()
            loss(network(x[rows]), y[rows]).backward()
            optimizer.step()

    def gradients():
        for b in range(batches):
            rows = slice(b * BATCH, (b + 1) * BATCH)
            optimizer.zero_grad()
            loss(network(x[rows]), y[rows]).backward()

    def timed(work):
        start = time.perf_counter()
        work()
        return time.perf_counter() - start

    for line in sys.stdin:
        what, *about = line.split()
        print(loss_at(*about) if what == "loss" else timed({"epoch": epoch, "gradients": gradients}[what]), flush=True)


def standard_tables(folder):
    import pandas as pd
    from sklearn import datasets

    spam = pd.read_csv(folder + "/spambase.csv.gz")
    for load in [datasets.load_breast_cancer, datasets.load_wine, datasets.load_digits]:
        yield load.__name__[5:].replace("_", " "), *load(return_X_y=True)
    yield "Spambase", spam.iloc[:, :-1].to_numpy(), spam.iloc[:, -1].to_numpy()
    yield "made", *datasets.make_classification(
        4000, 20, n_informative=8, n_redundant=4, n_clusters_per_class=3, class_sep=1.4, flip_y=0.02, random_state=5
    )


def tables(folder, splits):
    import warnings

    import pandas as pd
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import train_test_split
    from sklearn.neural_network import MLPClassifier
    from sklearn.preprocessing import StandardScaler

    warnings.filterwarnings("ignore")  # MLPClassifier ends after 200 epochs, its default, and says so
    for name, x, y in standard_tables(folder):
        for split in range(splits):
            train, test, labels, truth = train_test_split(x, y, test_size=0.3, random_state=split, stratify=y)
            for part, rows, classes in [("train", train, labels), ("test", test, truth)]:
                table = pd.DataFrame(rows, columns=["x%d" % i for i in range(x.shape[1])])
                table["y"] = ["c%d" % c for c in classes]
                table.to_csv("%s/%s.csv" % (folder, part), index=False)
            scaler = StandardScaler().fit(train)
            classifiers = {
                "mlp": MLPClassifier(hidden_layer_sizes=(32,), random_state=split),
                "linear": LogisticRegression(max_iter=1000),
            }
            if name == "made":
                classifiers["trees"] = HistGradientBoostingClassifier(random_state=split)
            errors = {
                key: float((classifier.fit(scaler.transform(train), labels).predict(scaler.transform(test)) != truth).mean())
                for key, classifier in classifiers.items()
            }
            print(json.dumps({"name": name, **errors}), flush=True)
            sys.stdin.readline()


if __name__ == "__main__":
    if sys.argv[1] == "check":
        import sklearn.neural_network
        import torch
    elif sys.argv[1] == "tables":
        tables(sys.argv[2], int(sys.argv[3]))
    else:
        serve(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
