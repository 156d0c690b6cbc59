#define MOST 1000
