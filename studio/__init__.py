"""Makes what the package ships: the sketches and the weights of the control models. Not part of the package."""
