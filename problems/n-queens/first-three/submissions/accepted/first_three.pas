program FirstThree;

var
  n, total, i: longint;
  queen: array[1..13] of longint;
  column: array[1..13] of boolean;
  rising: array[2..26] of boolean;
  falling: array[-12..12] of boolean;

procedure Place(row: longint);
var
  c: longint;
begin
  if row > n then
  begin
    inc(total);
    if total <= 3 then
    begin
      for i := 1 to n - 1 do
        write(queen[i], ' ');
      writeln(queen[n]);
    end;
    exit;
  end;
  for c := 1 to n do
    if not (column[c] or rising[row + c] or falling[row - c]) then
    begin
      queen[row] := c;
      column[c] := true;
      rising[row + c] := true;
      falling[row - c] := true;
      Place(row + 1);
      column[c] := false;
      rising[row + c] := false;
      falling[row - c] := false;
    end;
end;

begin
  readln(n);
  total := 0;
  fillchar(column, sizeof(column), 0);
  fillchar(rising, sizeof(rising), 0);
  fillchar(falling, sizeof(falling), 0);
  Place(1);
  writeln(total);
end.
