// Does nothing wrong.
// Its neighbours must not keep it from its answer.
program Honest;
begin
  WriteLn(42);
end.
