/* NX's names from outside. */
#include <stdio.h>
#include <tutti/icc.h>

int main(void) {
  long x = mynode() + 1, work;
  gisum(&x, 1, &work);
  if (mynode() == 0) printf("the sum is %ld\n", x);
  return 0;
}
