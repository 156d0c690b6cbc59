cd tests
