"""The published figures: as printed, checked against each other, and read with intervals."""

from mossbench.published.printed_findings import PublishedFindings, published_findings
from mossbench.published.tables import Misprint, check_published, published_points, published_rates
