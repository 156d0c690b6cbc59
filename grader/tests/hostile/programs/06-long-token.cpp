// Pastes an unknown name together that is a million characters long.
// The message that quotes it must be cut.
#define P_(a, b, c, d) a##b##c##d
#define P(a, b, c, d) P_(a, b, c, d)
#define A P(x, x, x, x)
#define B P(A, A, A, A)
#define C P(B, B, B, B)
#define D P(C, C, C, C)
#define E P(D, D, D, D)
#define F P(E, E, E, E)
#define G P(F, F, F, F)
#define H P(G, G, G, G)
#define I P(H, H, H, H)
#define J P(I, I, I, I)
int main() { return J; }
