program PrintsWithoutEnd;
{ The loop that prints the board forgets to go on to the next row. }

var
  n, row, column: integer;
  queen: array[1..16] of integer;

function Place(r: integer): boolean;
var
  c, above: integer;
  ok: boolean;
begin
  Place := true;
  if r > n then
    exit;
  for c := 1 to n do
  begin
    ok := true;
    for above := 1 to r - 1 do
      if (queen[above] = c) or (abs(queen[above] - c) = r - above) then
        ok := false;
    if ok then
    begin
      queen[r] := c;
      if Place(r + 1) then
        exit;
    end;
  end;
  Place := false;
end;

begin
  val(paramstr(1), n);
  Place(1);
  row := 1;
  while row <= n do
  begin
    for column := 1 to n do
      if queen[row] = column then
        write('Q')
      else
        write('#');
    writeln;
  end;
end.
