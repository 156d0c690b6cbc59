program HalfBoard;
{ Bit masks; only the left half of the first row is searched. }

var
  all: longword;
  n, column: longint;
  total: int64;
  queen: longword;

function Search(columns, left, right: longword): int64;
var
  open, q: longword;
  sum: int64;
begin
  sum := 0;
  open := all and not (columns or left or right);
  while open <> 0 do
  begin
    q := open and (not open + 1);
    open := open xor q;
    if (columns or q) = all then
    begin
      Search := sum + 1;
      exit;
    end;
    sum := sum + Search(columns or q, (left or q) shl 1, (right or q) shr 1);
  end;
  Search := sum;
end;

begin
  val(paramstr(1), n);
  all := (longword(1) shl n) - 1;
  total := 0;
  for column := 0 to n div 2 - 1 do
  begin
    queen := longword(1) shl column;
    total := total + 2 * Search(queen, queen shl 1, queen shr 1);
  end;
  if odd(n) then
  begin
    queen := longword(1) shl (n div 2);
    total := total + Search(queen, queen shl 1, queen shr 1);
  end;
  writeln(total);
end.
