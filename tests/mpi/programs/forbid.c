/* forbid SYSCALL PROGRAM ARGUMENT...: runs a program for which a system call fails with EPERM, as
 * it does in many containers. */
#define _GNU_SOURCE
#include "forbid.h"

#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(int argc, char** argv) {
  unsigned number = 0;
  if (argc > 2 && strcmp(argv[1], "memfd_create") == 0) number = SYS_memfd_create;
  if (argc > 2 && strcmp(argv[1], "process_vm_readv") == 0) number = SYS_process_vm_readv;
  if (number == 0) {
    fprintf(stderr, "forbid: write memfd_create or process_vm_readv, and a program\n");
    return 2;
  }
  if (forbid(number) != 0) {
    perror("forbid: seccomp");
    return 2;
  }
  execvp(argv[2], argv + 2);
  perror(argv[2]);
  return 2;
}
