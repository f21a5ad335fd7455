"""The command line: `python -m parceltrack.cli PARCEL [--watch]`."""

import argparse
import sys
import time

from parceltrack.carrier_faults import CarrierFault
from parceltrack.client import CarrierClient
from parceltrack.settings import from_environment

ARRIVED = "delivered"


def main(arguments: list[str] | None = None) -> int:
    """Print where the parcel is; the exit status is 1 if nobody can tell."""
    parser = argparse.ArgumentParser(prog="parceltrack")
    parser.add_argument("parcel", help="the number on the label")
    parser.add_argument("--watch", action="store_true", help="until it has arrived")
    options = parser.parse_args(arguments)
    settings = from_environment()
    client = CarrierClient(settings)
    try:
        place = client.whereabouts(options.parcel)
        print(place)
        while options.watch and place != ARRIVED:
            time.sleep(settings.watch_minutes * 60)
            place = client.whereabouts(options.parcel)
            print(place)
    except CarrierFault as fault:
        print(f"parceltrack: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
