program Square;
uses SysUtils;
var
  n: Integer;
begin
  n := StrToInt(ParamStr(1));
  WriteLn(n div (n - n));
end.
