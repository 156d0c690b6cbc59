print "NO"
