program KnightStepsOnly;
{ Even columns first, then odd ones. This fails when n leaves 2 or 3 on division by 6. }

var
  n, row, column, queen: integer;

begin
  val(paramstr(1), n);
  for row := 1 to n do
  begin
    if row <= n div 2 then
      queen := 2 * row
    else
      queen := 2 * (row - n div 2) - 1;
    for column := 1 to n do
      if column = queen then
        write('Q')
      else
        write('#');
    writeln;
  end;
end.
