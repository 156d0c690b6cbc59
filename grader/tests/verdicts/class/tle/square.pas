program Square;
uses SysUtils;
var
  n: Integer;
begin
  n := StrToInt(ParamStr(1));
  while n > 0 do
    n := n * 1;
end.
