// input: 72
// answer: C
#include <iostream>
using namespace std;

char grade(int points) {
    if (points >= 90)
        return 'A';
    else if (points >= 80)
        return 'B';
    else if (points > 72)
        return 'C';
    else if (points < 72)
        return 'F';
} // undefined: `grade` ends here without a `return`

int main() {
    int points;
    cin >> points;
    cout << grade(points) << endl;
}
