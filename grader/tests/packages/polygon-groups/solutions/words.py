print("half and half")
