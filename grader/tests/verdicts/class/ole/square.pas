program Square;
uses SysUtils;
var
  n: Integer;
begin
  n := StrToInt(ParamStr(1));
  while n > 0 do
    WriteLn('0123456789012345678901234567890123456789');
end.
