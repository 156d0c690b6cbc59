program Annealing;

var
  n, i, j, a, b, step, energy, change: longint;
  queen, rising, falling: array[0..2000] of longint;
  temperature: double;

function Put(row, by: longint): longint;
var
  up, down, before: longint;
begin
  up := row + queen[row];
  down := row - queen[row] + n;
  before := ord(rising[up] > 1) * (rising[up] - 1) + ord(falling[down] > 1) * (falling[down] - 1);
  inc(rising[up], by);
  inc(falling[down], by);
  Put := ord(rising[up] > 1) * (rising[up] - 1) + ord(falling[down] > 1) * (falling[down] - 1) - before;
end;

function Exchange(p, q: longint): longint;
var
  column, sum: longint;
begin
  sum := Put(p, -1) + Put(q, -1);
  column := queen[p];
  queen[p] := queen[q];
  queen[q] := column;
  Exchange := sum + Put(p, 1) + Put(q, 1);
end;

begin
  val(paramstr(1), n);
  randomize;
  energy := 1;
  while energy > 0 do
  begin
    for i := 0 to 2 * n do
    begin
      rising[i] := 0;
      falling[i] := 0;
    end;
    for i := 0 to n - 1 do
    begin
      j := random(i + 1);
      queen[i] := queen[j];
      queen[j] := i;
    end;
    energy := 0;
    for i := 0 to n - 1 do
      energy := energy + Put(i, 1);
    temperature := 1.0;
    while (temperature > 0.05) and (energy > 0) do
    begin
      for step := 1 to 10 * n do
      begin
        a := random(n);
        b := random(n);
        if (a = b) or (energy = 0) then
          continue;
        change := Exchange(a, b);
        if (change <= 0) or (random < exp(-change / temperature)) then
          energy := energy + change
        else
          Exchange(a, b);
      end;
      temperature := temperature * 0.97;
    end;
  end;
  for i := 0 to n - 1 do
    writeln(queen[i] + 1);
end.
