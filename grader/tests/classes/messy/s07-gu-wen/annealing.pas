program Annealing;
var
  n, i, j, now, next, t: longint;
  queen: array[0..999] of longint;
  heat: double;

function Attacks(a: longint): longint;
var
  b, sum: longint;
begin
  sum := 0;
  for b := 0 to n - 1 do
    if (b <> a) and (abs(queen[a] - queen[b]) = abs(a - b)) then
      inc(sum);
  Attacks := sum;
end;

function Together(a, b: longint): longint;
begin
  { a pair that attacks each other is counted twice, before and after alike: a swap keeps it on its diagonal }
  Together := Attacks(a) + Attacks(b);
end;

begin
  val(ParamStr(1), n);
  randseed := 2024;
  for i := 0 to n - 1 do
    queen[i] := i + 1;
  now := n * (n - 1) div 2;
  heat := 1.0;
  while now > 0 do
  begin
    i := random(n);
    j := random(n);
    if i = j then
      continue;
    t := Together(i, j);
    next := queen[i]; queen[i] := queen[j]; queen[j] := next;
    next := Together(i, j);
    if (next <= t) or (random < exp((t - next) / heat)) then
      now := now + next - t
    else
    begin
      next := queen[i]; queen[i] := queen[j]; queen[j] := next;
    end;
    if heat > 0.25 then
      heat := heat * 0.9995;
  end;
  for i := 0 to n - 1 do
    write(queen[i], ' ');
  writeln;
end.
