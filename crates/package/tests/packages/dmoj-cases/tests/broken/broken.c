int main(void) { return
