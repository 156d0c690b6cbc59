program FirstThree;
var
  n, total: longint;
  queen: array[1..13] of longint;
  column: array[1..13] of boolean;
  up: array[2..26] of boolean;
  down: array[-12..12] of boolean;

procedure Place(row: longint);
var
  c: longint;
begin
  if row > n then
  begin
    inc(total);
    if total <= 3 then
    begin
      for c := 1 to n - 1 do
        write(queen[c], ' ');
      writeln(queen[n]);
    end;
    exit;
  end;
  for c := 1 to n do
    if not (column[c] or up[row + c] or down[row - c]) then
    begin
      queen[row] := c;
      column[c] := true; up[row + c] := true; down[row - c] := true;
      Place(row + 1);
      column[c] := false; up[row + c] := false; down[row - c] := false;
    end;
end;

begin
  readln(n);
  total := 0;
  Place(1);
  writeln(total);
end.
