program Table;
var
  n, x: integer;
  answer: array[1..12] of longint;
  column: array[1..12] of boolean;
  up: array[2..24] of boolean;
  down: array[-11..11] of boolean;

procedure Place(row: integer);
var
  c: integer;
begin
  if row > n then
    inc(answer[n])
  else
    for c := 1 to n do
      if not (column[c] or up[row + c] or down[row - c]) then
      begin
        column[c] := true; up[row + c] := true; down[row - c] := true;
        Place(row + 1);
        column[c] := false; up[row + c] := false; down[row - c] := false;
      end;
end;

begin
  for n := 1 to 12 do
    Place(1);
  read(x);
  while x <> 0 do
  begin
    writeln(answer[x]);
    read(x);
  end;
end.
