program Queens;
var
  column, up, down: array[-8..16] of boolean;
  total: integer;

procedure Place(row: integer);
var
  c: integer;
begin
  if row > 8 then
  begin
    total := total + 1;
    exit;
  end;
  for c := 1 to 8 do
    if not (column[c] or up[row + c] or down[row - c]) then
    begin
      column[c] := true; up[row + c] := true; down[row - c] := true;
      Place(row + 1);
      column[c] := false; up[row + c] := false; down[row - c] := false;
    end;
end;

begin
  fillchar(column, sizeof(column), 0);
  fillchar(up, sizeof(up), 0);
  fillchar(down, sizeof(down), 0);
  total := 0;
  Place(1);
  writeln(total);
end.
