// Dies in the way that its argument names.
// The report must tell how.
program Deaths;
uses
  BaseUnix, SysUtils;
var
  way: string;
  zero: Integer;
  nowhere: ^Integer;
begin
  way := ParamStr(2);
  zero := ParamCount div 100;
  nowhere := nil;
  if way = 'abort' then FpKill(FpGetpid, SIGABRT);
  if way = 'term' then FpKill(FpGetpid, SIGTERM);
  if way = 'kill' then FpKill(FpGetpid, SIGKILL);
  if way = 'divide' then WriteLn(1 div zero);
  if way = 'range' then nowhere^ := 1;
  if way = 'exit' then Halt(StrToInt(ParamStr(3)));
end.
