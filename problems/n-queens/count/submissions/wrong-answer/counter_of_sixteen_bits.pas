program CounterOfSixteenBits;

var
  all, n, column, queen: longint;
  total: smallint;

procedure Search(columns, left, right, weight: longint);
var
  open, q: longint;
begin
  if columns = all then
  begin
    total := total + weight;
    exit;
  end;
  open := all and not (columns or left or right);
  while open <> 0 do
  begin
    q := open and -open;
    open := open - q;
    Search(columns or q, (left or q) shl 1, (right or q) shr 1, weight);
  end;
end;

begin
  val(paramstr(1), n);
  all := (1 shl n) - 1;
  total := 0;
  for column := 0 to (n + 1) div 2 - 1 do
  begin
    queen := 1 shl column;
    if 2 * column + 1 = n then
      Search(queen, queen shl 1, queen shr 1, 1)
    else
      Search(queen, queen shl 1, queen shr 1, 2);
  end;
  writeln(total);
end.
