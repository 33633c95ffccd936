"""Holdfast from Python: robust estimators for pipelines of PySpark, in :mod:`holdfast.spark`."""
