program Gray;
var
  n, code: integer;

procedure Show;
var
  i: integer;
begin
  for i := 1 to n do
    write(code shr (n - i) and 1);
  writeln;
end;

procedure Walk(bits: integer);
begin
  if bits = 0 then
    Show
  else
  begin
    Walk(bits - 1);
    code := code xor (1 shl (bits - 1));
    Walk(bits - 1);
  end;
end;

begin
  val(ParamStr(1), n);
  code := 0;
  Walk(n);
end.
