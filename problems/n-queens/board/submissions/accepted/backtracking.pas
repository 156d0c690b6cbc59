program Backtracking;

var
  n, row, column: integer;
  queen: array[1..16] of integer;

function Safe(r, c: integer): boolean;
var
  above: integer;
begin
  Safe := false;
  for above := 1 to r - 1 do
    if (queen[above] = c) or (abs(queen[above] - c) = r - above) then
      exit;
  Safe := true;
end;

function Place(r: integer): boolean;
var
  c: integer;
begin
  Place := true;
  if r > n then
    exit;
  for c := 1 to n do
    if Safe(r, c) then
    begin
      queen[r] := c;
      if Place(r + 1) then
        exit;
    end;
  Place := false;
end;

begin
  val(paramstr(1), n);
  Place(1);
  for row := 1 to n do
  begin
    for column := 1 to n do
      if queen[row] = column then
        write('Q')
      else
        write('#');
    writeln;
  end;
end.
