program InitialSearch;
{ Random draws first, exchanges afterwards; small boards simply begin again more often. }

uses
  SysUtils;

var
  n, i: longint;
  queen, rising, falling: array of longint;

procedure Put(row, step: longint);
begin
  inc(rising[row + queen[row]], step);
  inc(falling[row - queen[row] + n], step);
end;

function Attacked(row, own: longint): boolean;
begin
  Attacked := (rising[row + queen[row]] > own) or (falling[row - queen[row] + n] > own);
end;

procedure SwapQueens(a, b: longint);
var
  column: longint;
begin
  column := queen[a];
  queen[a] := queen[b];
  queen[b] := column;
end;

procedure Exchange(a, b: longint);
begin
  Put(a, -1);
  Put(b, -1);
  SwapQueens(a, b);
  Put(a, 1);
  Put(b, 1);
end;

function Attempt: boolean;
var
  row, other, placed, tries: longint;
begin
  Attempt := false;
  for row := 0 to n - 1 do
    queen[row] := row;
  for row := 0 to 2 * n do
  begin
    rising[row] := 0;
    falling[row] := 0;
  end;
  placed := 0;
  tries := 0;
  while (tries < 4 * n) and (placed < n) do
  begin
    inc(tries);
    SwapQueens(placed, placed + random(n - placed));
    if not Attacked(placed, 0) then
    begin
      Put(placed, 1);
      inc(placed);
    end;
  end;
  for row := placed to n - 1 do
    Put(row, 1);
  for row := placed to n - 1 do
  begin
    tries := 0;
    while Attacked(row, 1) do
    begin
      inc(tries);
      if tries > 7000 then
        exit;
      other := random(n);
      if other = row then
        continue;
      Exchange(row, other);
      if Attacked(row, 1) or Attacked(other, 1) then
        Exchange(row, other);
    end;
  end;
  Attempt := true;
end;

begin
  val(paramstr(1), n);
  { Randomize counts seconds only. }
  RandSeed := longint(GetTickCount64);
  setlength(queen, n);
  setlength(rising, 2 * n + 1);
  setlength(falling, 2 * n + 1);
  while not Attempt do;
  for i := 0 to n - 1 do
    writeln(queen[i] + 1);
end.
