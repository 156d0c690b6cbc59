#pragma once

class Queens {
public:
    explicit Queens(int n) : full_((1u << n) - 1) {}
    long long count() const { return place(0, 0, 0); }

private:
    long long place(unsigned columns, unsigned left, unsigned right) const;
    unsigned full_;
};
