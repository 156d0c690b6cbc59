program ColumnsNotInTheEnergy;
{ A queen moves to any column of its row, but two queens in one column cost nothing. }

var
  n, i, j, row, old, now, next: longint;
  queen: array[1..200] of longint;
  t: double;
  seed: qword;

function Below(bound: longint): longint;
begin
  seed := (seed * 1103515245 + 12345) mod 2147483648;
  Below := (seed div 65536) mod bound;
end;

function Energy: longint;
var
  sum: longint;
begin
  sum := 0;
  for i := 1 to n do
    for j := i + 1 to n do
      if abs(queen[i] - queen[j]) = j - i then
        inc(sum);
  Energy := sum;
end;

begin
  val(paramstr(1), n);
  seed := 99;
  for row := 1 to n do
    queen[row] := Below(n) + 1;
  now := Energy;
  t := 2.0;
  while now > 0 do
  begin
    row := Below(n) + 1;
    old := queen[row];
    queen[row] := Below(n) + 1;
    next := Energy;
    if (next <= now) or (Below(10000) / 10000 < exp((now - next) / t)) then
      now := next
    else
      queen[row] := old;
    if t > 0.2 then
      t := t * 0.999;
  end;
  for row := 1 to n do
    write(queen[row], ' ');
  writeln;
end.
