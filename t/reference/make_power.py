#!/usr/bin/env python3
"""Reference table of e with other exponents than the named laws have: prints t/reference/power.csv.

The Taylor series of make_impact.py, at two step sizes that agree to 1e-27. Nothing but Python's own
decimal is used.

    python3 t/reference/make_power.py > t/reference/power.csv        (some minutes)
"""

from decimal import Decimal as D

from make_impact import Impact

# n, p and the q that makes q n and q p whole
LAWS = [(4, 0.5, 2), (0.25, 0, 4), (0.25, 0.25, 4), (0.5, 0.25, 4), (2, 2, 1), (3, 0, 1),
        (6, 3.5, 2), (10, 1, 1), (10, 10, 1)]
BETAS = ["1e-2", "0.3", "1", "3", "10", "60"]


def main():
    print("# Restitution of scaled impacts z'' = -(z^n + beta z^p z') from z' = 1.")
    print("# Made by t/reference/make_power.py: Taylor series of order 40 with 50 digits, at two")
    print("# step sizes that agree to 1e-27.")
    print("n,p,beta,e")
    for law in LAWS:
        for beta in BETAS:
            first, second = (Impact(law, D(beta), step).run()[0] for step in ("0.07", "0.05"))
            if abs(first - second) > D("1e-27"):
                raise SystemExit(f"{law} beta {beta}: {first} and {second} disagree")
            print(f"{law[0]:g},{law[1]:g},{beta},{second:.24e}", flush=True)


if __name__ == "__main__":
    main()
