program Board;
var
  n, r, c: integer;
  queen: array[1..16] of integer;
  column: array[1..16] of boolean;
  up: array[2..32] of boolean;
  down: array[-15..15] of boolean;

function Place(row: integer): boolean;
var
  c: integer;
begin
  if row > n then
    exit(true);
  for c := 1 to n do
    if not (column[c] or up[row + c] or down[row - c]) then
    begin
      queen[row] := c;
      column[c] := true; up[row + c] := true; down[row - c] := true;
      if Place(row + 1) then
        exit(true);
      column[c] := false; up[row + c] := false; down[row - c] := false;
    end;
  Place := false;
end;

begin
  val(ParamStr(1), n);
  Place(1);
  for r := 1 to n do
  begin
    for c := 1 to n do
      if queen[r] = c then write('Q') else write('#');
    writeln;
  end;
end.
