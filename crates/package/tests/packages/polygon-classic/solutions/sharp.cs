class Sharp { }
