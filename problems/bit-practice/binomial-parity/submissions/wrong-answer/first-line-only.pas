program OneOnly;
var
  n, k: int64;
begin
  readln(n, k);
  if n and k = k then writeln('odd') else writeln('even');
end.
