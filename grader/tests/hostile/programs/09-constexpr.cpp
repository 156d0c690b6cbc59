// Computes in the compiler what would take the program seconds.
// The compiler's own limits, or ours, must end it.
constexpr unsigned long long burn(unsigned long long from, unsigned long long to) {
    return from + 1 == to ? from * from % 7 : burn(from, (from + to) / 2) + burn((from + to) / 2, to);
}
constexpr unsigned long long answer = burn(0, 1ULL << 40);
int main() { return answer != 0; }
