"""Gardens, parks, fields, woods, water and snow, and what is found there."""
