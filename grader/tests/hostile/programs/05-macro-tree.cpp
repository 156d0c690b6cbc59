// Expands a macro into 32^7 numbers.
// The compiler must be stopped by its time or its memory.
#define A(x) x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x
#define B(x) A(x), A(x), A(x), A(x), A(x), A(x), A(x), A(x), A(x), A(x), A(x), A(x), A(x), A(x), A(x), A(x)
#define C(x) B(x), B(x), B(x), B(x), B(x), B(x), B(x), B(x), B(x), B(x), B(x), B(x), B(x), B(x), B(x), B(x)
#define D(x) C(x), C(x), C(x), C(x), C(x), C(x), C(x), C(x), C(x), C(x), C(x), C(x), C(x), C(x), C(x), C(x)
#define E(x) D(x), D(x), D(x), D(x), D(x), D(x), D(x), D(x), D(x), D(x), D(x), D(x), D(x), D(x), D(x), D(x)
#define F(x) E(x), E(x), E(x), E(x), E(x), E(x), E(x), E(x), E(x), E(x), E(x), E(x), E(x), E(x), E(x), E(x)
#define G(x) F(x), F(x), F(x), F(x), F(x), F(x), F(x), F(x), F(x), F(x), F(x), F(x), F(x), F(x), F(x), F(x)
int numbers[] = {G(1)};
int main() { return numbers[0]; }
