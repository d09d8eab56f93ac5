"""`python -m mossbench`."""

from mossbench.start import main

main()
