(print (+ (read) (read)))
