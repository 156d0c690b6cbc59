program Hanoi;
var
  n, d: integer;
  k, half: int64;
  peg: array[1..62] of integer;
  start, spare, target, t: integer;
begin
  val(ParamStr(1), n);
  val(ParamStr(2), k);
  start := 1; spare := 2; target := 3;
  for d := n downto 1 do
  begin
    half := int64(1) shl (d - 1);
    if k >= half then
    begin
      peg[d] := target;
      k := k - half;
      t := start; start := spare; spare := t;
    end
    else
    begin
      peg[d] := start;
      t := target; target := spare; spare := t;
    end;
  end;
  for d := 1 to n do
    writeln(peg[d]);
end.
