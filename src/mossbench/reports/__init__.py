"""Reports: results as pages, tables and sentences for people, and bundles that an auditor can check."""
