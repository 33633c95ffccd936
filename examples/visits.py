#!/usr/bin/env python3
"""Writes examples/visits.csv, an invented table of hospital visits: python3 examples/visits.py > examples/visits.csv

No row describes a real person, and no hospital is a real one. Rows are sorted by date. Whether a patient comes back
within 30 days (readmitted) depends on age, earlier visits, diabetes, the ward and four blood values, and otherwise on
chance, so no model can be right about everybody. Hospitals differ a little in their patients.

What is wrong with the table, as in real ones:

- visit_id numbers the visits and says nothing about a patient.
- invoice is written after a patient has come back, from the label: it gives the label away.
- crp is skewed; some of its cells are empty. Some of haemoglobin are -999, which stands for missing.
- Calder writes ICU for icu.
- Fenwick swaps yes and no in the label.
- Kingsley measures glucose in mg/dl, the others in mmol/l (1 mmol/l is 18 mg/dl).
- Larkhill and Ormsby are much smaller than the others.

The same seed gives the same bytes in every version of Python: only Random.random() is used, which is guaranteed.
"""

import math
import random
import sys
from datetime import date, timedelta

SEED = 20
VISITS = {
    "Ashby": 290, "Brookfield": 210, "Calder": 240, "Dunmore": 260, "Elmswell": 190, "Fenwick": 240, "Glenrock": 310,
    "Hartley": 220, "Ivybridge": 230, "Kingsley": 250, "Larkhill": 48, "Marlow": 200, "Northam": 270, "Ormsby": 62,
}
WARDS = [("general", 0.45), ("surgery", 0.25), ("heart", 0.18), ("icu", 0.12)]
WARD_RISK = {"general": 0.0, "surgery": -0.5, "heart": 0.6, "icu": 1.1}
FIRST_DAY = date(2024, 1, 1)
DAYS = 700
COLUMNS = (
    "visit_id,hospital,admitted,age,sex,ward,stay_days,earlier_visits,diabetes,glucose,creatinine,haemoglobin,crp,invoice,readmitted"
)

rng = random.Random(SEED)


def normal():
    """Nearly normal, mean 0 and variance 1: twelve uniform numbers added up."""
    return sum(rng.random() for _ in range(12)) - 6


def chance(probability):
    return rng.random() < probability


def choose(weighted):
    place = rng.random()
    for value, weight in weighted:
        place -= weight
        if place < 0:
            return value
    return weighted[-1][0]


def count(mean):
    """A Poisson number, by Knuth's product of uniform numbers."""
    number, product = 0, rng.random()
    while product > math.exp(-mean):
        number += 1
        product *= rng.random()
    return number


def visit(hospital, older):
    """One visit: the day, and the cells from the hospital on."""
    day = int(rng.random() * DAYS)
    age = min(98, max(18, round(63 + older + 16 * normal())))
    sex = "f" if chance(0.52) else "m"
    ward = choose(WARDS)
    earlier = count(0.8 + 0.01 * max(0, age - 50))
    diabetes = chance(0.08 + 0.002 * (age - 18))
    stay = 1 + count(7 if ward == "icu" else 4)
    glucose = max(3.0, 5.6 + 0.8 * normal() + (2.6 + 1.2 * normal() if diabetes else 0))
    creatinine = math.exp(4.35 + 0.004 * (age - 60) + 0.28 * normal())
    haemoglobin = max(60, 136 - (8 if sex == "f" else 0) - 0.15 * (age - 60) + 13 * normal())
    log_crp = 2.3 + (0.7 if ward == "icu" else 0) + 1.1 * normal()
    risk = (
        -3.35
        + 0.035 * (age - 63)
        + 0.6 * (earlier - 1)
        + (0.6 if diabetes else 0)
        + WARD_RISK[ward]
        + 0.15 * (glucose - 6)
        + 1.2 * (math.log(creatinine) - 4.35)
        - 0.03 * (haemoglobin - 130)
        + 0.55 * (log_crp - 2.3)
    )
    again = chance(1 / (1 + math.exp(-risk)))

    recorded = again != (hospital == "Fenwick")
    cells = [
        hospital,
        (FIRST_DAY + timedelta(days=day)).isoformat(),
        str(age),
        sex,
        "ICU" if hospital == "Calder" and ward == "icu" else ward,
        str(stay),
        str(earlier),
        "yes" if diabetes else "no",
        f"{18 * glucose:.0f}" if hospital == "Kingsley" else f"{glucose:.1f}",
        f"{creatinine:.0f}",
        "-999" if chance(0.05) else f"{haemoglobin:.0f}",
        "" if chance(0.07) else f"{math.exp(log_crp):.1f}",
        "second" if recorded else "single",
        "yes" if recorded else "no",
    ]
    return day, cells


def main():
    rows = []
    for hospital, visits in VISITS.items():
        older = 2 * normal()
        rows += [visit(hospital, older) for _ in range(visits)]
    rows.sort(key=lambda row: row[0])
    lines = [COLUMNS] + [",".join([str(40001 + i)] + cells) for i, (_, cells) in enumerate(rows)]
    sys.stdout.buffer.write(("\n".join(lines) + "\n").encode("utf-8"))


if __name__ == "__main__":
    main()
