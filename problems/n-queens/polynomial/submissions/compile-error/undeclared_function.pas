program UndeclaredFunction;

var
  n, i: longint;
  queen: array of longint;

begin
  val(paramstr(1), n);
  setlength(queen, n);
  for i := 0 to n - 1 do
    queen[i] := i;
  while collisions(queen) > 0 do
    shuffle(queen);
  for i := 0 to n - 1 do
    writeln(queen[i] + 1);
end.
