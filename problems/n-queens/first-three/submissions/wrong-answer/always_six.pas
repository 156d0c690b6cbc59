program AlwaysSix;

const
  n = 6;

var
  total, i: integer;
  queen: array[1..n] of integer;

procedure Place(row: integer);
var
  c, above: integer;
  ok: boolean;
begin
  if row > n then
  begin
    inc(total);
    if total <= 3 then
    begin
      for i := 1 to n do
        write(queen[i], ' ');
      writeln;
    end;
    exit;
  end;
  for c := 1 to n do
  begin
    ok := true;
    for above := 1 to row - 1 do
      if (queen[above] = c) or (abs(queen[above] - c) = row - above) then
        ok := false;
    if ok then
    begin
      queen[row] := c;
      Place(row + 1);
    end;
  end;
end;

begin
  total := 0;
  Place(1);
  writeln(total);
end.
