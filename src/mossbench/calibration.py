"""`calibrate`, where programs written for 0.1.0 find it; its home is `mossbench.results.calibration`."""

from mossbench.results.calibration import calibrate

__all__ = ["calibrate"]
