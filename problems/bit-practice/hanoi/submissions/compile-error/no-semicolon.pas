program Hanoi;
var
  n, d: integer;
  k, moves: int64;
begin
  val(ParamStr(1), n);
  val(ParamStr(2), k)
  for d := 1 to n do
  begin
    moves := (k + int64(1) shl (d - 1)) shr d;
    if odd(n - d) then
      write(moves mod 3 + 1, ' ')
    else
      write(moves * 2 mod 3 + 1, ' ');
  end;
  writeln;
end.
