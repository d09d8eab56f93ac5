"""What the judge `tandem` is made from: examples of how models answer, and the fitting of its parts."""
