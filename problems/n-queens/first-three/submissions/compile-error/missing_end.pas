program MissingEnd;

var
  n, total: longint;
  queen: array[1..13] of longint;

procedure Place(row: longint);
var
  c, above, i: longint;
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
  readln(n);
  Place(1);
  writeln(total);
end.
