"""Makes the .npy files beside this script; made with NumPy 2.4.6."""

import numpy as np
from numpy.lib import format

# Halves and a few extremes, exact in every float type; row 1 tells C order from Fortran order.
a = np.array([[1.5, -2.0, 0.0], [4.0, 5.5, -6.25]])
np.save("f8.npy", a)
np.save("f8-big-endian.npy", a.astype(">f8"))
np.save("f8-fortran.npy", np.asfortranarray(a))
np.save("f4.npy", a.astype("<f4"))
np.save("f4-big-endian-fortran.npy", np.asfortranarray(a.astype(">f4")))
np.save("vector.npy", np.array([1.5, np.nan, -np.inf, 5e-324, 1.7976931348623157e308]))
for size in (1, 2, 4, 8):
    for order in "<>" if size > 1 else "|":
        for kind in "iu":
            info = np.iinfo(f"{kind}{size}")
            name = f"{kind}{size}" + ("-big-endian" if order == ">" else "")
            np.save(name + ".npy", np.array([[info.min, 1], [2, info.max]], dtype=f"{order}{kind}{size}"))
for version in ((2, 0), (3, 0)):
    with open(f"version-{version[0]}.npy", "wb") as f:
        format.write_array(f, a, version=version)
# To be refused.
np.save("bool.npy", a > 0)
np.save("f2.npy", a.astype("<f2"))
np.save("complex.npy", a.astype("<c16"))
np.save("text.npy", np.array(["a", "b"]))
np.save("record.npy", np.zeros(2, dtype=[("x", "<f8"), ("y", "<i4")]))
np.save("object.npy", np.array([{}, None]), allow_pickle=True)
np.save("scalar.npy", np.array(1.5))
np.save("cube.npy", np.zeros((2, 2, 2)))
np.save("no-rows.npy", np.zeros((0, 3)))
np.save("no-columns.npy", np.zeros((3, 0)))
