{$R+}
program CountQueens;
var
  n: integer;
  total: smallint;
  full: longint;

procedure Place(columns, left, right: longint);
var
  free, bit: longint;
begin
  if columns = full then
  begin
    total := total + 1;
    exit;
  end;
  free := full and not (columns or left or right);
  while free <> 0 do
  begin
    bit := free and -free;
    free := free xor bit;
    Place(columns or bit, (left or bit) shl 1, (right or bit) shr 1);
  end;
end;

begin
  val(ParamStr(1), n);
  full := (1 shl n) - 1;
  total := 0;
  Place(0, 0, 0);
  writeln(total);
end.
