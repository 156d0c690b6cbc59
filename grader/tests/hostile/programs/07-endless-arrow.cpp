// Follows an arrow from type to type without end.
// The compiler must be stopped, or stop, and its messages be cut.
template <int n>
struct Next {
    Next<n + 1> operator->() const;
};
int main() { return Next<0>()->value; }
