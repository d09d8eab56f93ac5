"""`python -m mossbench`."""

from mossbench.cli import main

main()
