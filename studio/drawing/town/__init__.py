"""Streets, squares, stations, offices, clinics and fairs, and what stands in them."""
