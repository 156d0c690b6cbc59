program GrayCode;
var
  n, i, j, g: longint;
begin
  val(paramstr(1), n);
  for i := 0 to (1 shl n) - 2 do
  begin
    g := i xor (i div 2);
    for j := n - 1 downto 0 do
      if (g shr j) and 1 = 1 then write('1') else write('0');
    writeln;
  end;
end.
