program Parity;
var
  n, k: int64;
begin
  while not seekeof do
  begin
    read(n, k);
    if n and k = k then
      writeln('odd')
    else
      writeln('even');
  end;
end.
