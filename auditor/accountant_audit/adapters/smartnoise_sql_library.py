"""smartnoise-sql: its odometer, which reports epsilon and delta of k queries."""


def odometer(epsilon_0: float, delta_0: float, k: int) -> tuple[float, float]:
    """What the homogeneous odometer says is spent."""
    from snsql import Privacy
    from snsql.sql.odometer import Odometer

    spent = Odometer(Privacy(epsilon=epsilon_0, delta=delta_0))
    spent.spend(k)
    epsilon, delta = spent.spent
    return float(epsilon), float(delta)


def heterogeneous(
    epsilon_0: float, delta_0: float, k: int, epsilon_1: float, delta_1: float, m: int
) -> tuple[float, float]:
    """What the heterogeneous odometer says is spent."""
    from snsql import Privacy
    from snsql.sql.odometer import OdometerHeterogeneous

    spent = OdometerHeterogeneous(Privacy(epsilon=epsilon_0, delta=delta_0))
    for epsilon, delta, times in ((epsilon_0, delta_0, k), (epsilon_1, delta_1, m)):
        for _ in range(times):
            spent.spend(Privacy(epsilon=epsilon, delta=delta))
    epsilon, delta = spent.spent
    return float(epsilon), float(delta)


AUDITS = (
    {
        "id": "smartnoise_sql.odometer", "title": "Odometer.spent", "against": "standard.composition.homogeneous",
        "solves": ("epsilon", "delta"),
        "box": {"epsilon_0": ("0.01", "2"), "delta_0": ("1e-10", "1e-3"), "k": ("1", "1000")}, "expected": "REFUTED",
        "points": ({"epsilon_0": "1", "delta_0": "1e-5", "k": 999},),
        "note": "delta is d (1 - d) + tolerance for d = 1 - (1 - delta_0)^k: d + tolerance (1 - d) is right.",
    },
    {
        "id": "smartnoise_sql.odometer.heterogeneous", "title": "OdometerHeterogeneous.spent",
        "function": "heterogeneous", "against": "standard.composition.heterogeneous", "solves": ("epsilon", "delta"),
        "box": {
            "epsilon_0": ("0.01", "2"), "delta_0": ("1e-10", "1e-3"), "k": ("1", "30"), "epsilon_1": ("0.01", "2"),
            "delta_1": ("1e-10", "1e-3"), "m": ("1", "30"),
        },
    },
)  # fmt: skip
