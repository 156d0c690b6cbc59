#include <conio.h>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <iostream>
using namespace std;

int n, q[1000];

int energy() {
    int e = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            if (abs(q[i] - q[j]) == i - j) e++;
    return e;
}

int main(int argc, char *argv[]) {
    n = atoi(argv[1]);
    srand(time(0));
    for (int i = 0; i < n; i++) q[i] = i + 1;
    double t = 10;
    int e = energy();
    while (e > 0) {
        int i = rand() % n, j = rand() % n;
        swap(q[i], q[j]);
        int e2 = energy();
        if (e2 <= e || exp((e - e2) / t) > rand() / (RAND_MAX + 1.0)) e = e2;
        else swap(q[i], q[j]);
        t = max(0.2, t * 0.999);
    }
    for (int i = 0; i < n; i++) cout << q[i] << " ";
    getch();
    return 0;
}
