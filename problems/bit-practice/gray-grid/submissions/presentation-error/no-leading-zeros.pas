program NoZeros;
var
  m, n, i, j: longint;

function Bin(x: longint): string;
begin
  Bin := '';
  repeat
    Bin := chr(48 + x mod 2) + Bin;
    x := x div 2;
  until x = 0;
end;

begin
  val(paramstr(1), m);
  val(paramstr(2), n);
  for i := 0 to (1 shl m) - 1 do
  begin
    for j := 0 to (1 shl n) - 1 do
      write(Bin((i xor (i shr 1)) shl n + (j xor (j shr 1))), ' ');
    writeln;
  end;
end.
