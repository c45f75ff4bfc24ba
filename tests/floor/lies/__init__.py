"""What is told of a floor that is not so; the modules ``of_…`` fill the table when they are imported."""
