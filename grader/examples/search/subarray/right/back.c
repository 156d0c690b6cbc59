#include <stdio.h>
long long a[100002], run[100002];
int end[100002];
int main() {
  int n, at = 0;
  scanf("%d", &n);
  for (int i = 1; i <= n; i++) scanf("%lld", &a[i]);
  for (int i = n; i >= 1; i--) {
    int more = i < n && run[i + 1] > 0;
    run[i] = a[i] + (more ? run[i + 1] : 0);
    end[i] = more ? end[i + 1] : i;
    if (at == 0 || run[i] > run[at] || (run[i] == run[at] && end[i] - i <= end[at] - at)) at = i;
  }
  printf("%lld %d %d\n", run[at], at, end[at]);
}
