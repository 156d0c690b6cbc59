// Dies in the way that its argument names.
// The report must tell how.
program Deaths;
uses
  BaseUnix;
var
  way: string;
  zero, status, error: Integer;
  nowhere: ^Integer;
begin
  way := ParamStr(2);
  zero := ParamCount div 100;
  nowhere := nil;
  if way = 'abort' then FpKill(FpGetpid, SIGABRT);
  if way = 'term' then FpKill(FpGetpid, SIGTERM);
  if way = 'kill' then FpKill(FpGetpid, SIGKILL);
  if way = 'divide' then WriteLn(ParamCount div zero);
  if way = 'null' then nowhere^ := 1;
  Val(ParamStr(3), status, error);
  if (way = 'exit') and (error = 0) then Halt(status);
end.
