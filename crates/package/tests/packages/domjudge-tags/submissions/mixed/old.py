#!/usr/bin/env python2
# @EXPECTED_RESULTS@: CORRECT
print input() // 2
