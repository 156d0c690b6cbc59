program Grid;
var
  m, n, i, j: longint;

procedure Put(value, digits: longint);
var
  b: longint;
begin
  value := value xor (value shr 1);
  for b := digits - 1 downto 0 do
    write((value shr b) and 1);
end;

begin
  val(ParamStr(1), m);
  val(ParamStr(2), n);
  for i := 0 to (1 shl m) - 1 do
  begin
    for j := 0 to (1 shl n) - 1 do
    begin
      if j > 0 then write(' ');
      Put(i, m);
      Put(j, n);
    end;
    writeln;
  end;
end.
