program Square;
uses SysUtils;
var
  n: Integer;
  p: Pointer;
begin
  n := StrToInt(ParamStr(1));
  while n > 0 do
  begin
    GetMem(p, 1048576);
    FillChar(p^, 1048576, n);
  end;
end.
