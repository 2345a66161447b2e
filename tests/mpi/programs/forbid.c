/* forbid SYSCALL PROGRAM ARGUMENT...: runs a program for which a system call fails with EPERM, as
 * it does in many containers. */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
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
  struct sock_filter steps[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof steps / sizeof steps[0], steps};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
    perror("forbid: seccomp");
    return 2;
  }
  execvp(argv[2], argv + 2);
  perror(argv[2]);
  return 2;
}
