// Preloaded by a rig host's libvirtd, and by it into QEMU. The host shows CPUs and NUMA nodes in its /sys that this
// machine need not have: a thread that is pinned to such a CPU is pinned to CPU modulo those of this machine, and memory
// that is bound to such a node is left where it is. A CPU that /sys does not show is refused as on a real host.
#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The last number of a list such as `0-7,9-15`. */
static int last_cpu(const char *file) {
  FILE *list = fopen(file, "r");
  int number = -1, next;
  while (list && fscanf(list, "%*[,-]") != EOF && fscanf(list, "%d", &next) == 1) number = next;
  if (list) fclose(list);
  return number;
}

static int nth_of(const cpu_set_t *set, int nth) {
  int cpu = -1;
  do cpu++;
  while (!CPU_ISSET(cpu, set) || nth-- > 0);
  return cpu;
}

int sched_setaffinity(pid_t thread, size_t size, const cpu_set_t *mask) {
  int result = syscall(SYS_sched_setaffinity, thread, size, mask);
  if (result == 0 || errno != EINVAL) return result;
  cpu_set_t real, folded;
  CPU_ZERO(&real);
  CPU_ZERO(&folded);
  syscall(SYS_sched_getaffinity, 1, sizeof real, &real); /* the first process of the host is pinned to none */
  int shown = last_cpu("/sys/devices/system/cpu/present"), count = CPU_COUNT(&real);
  for (int cpu = 0; cpu <= shown && cpu < (int)size * 8; cpu++)
    if (CPU_ISSET_S(cpu, size, mask)) CPU_SET(nth_of(&real, cpu % count), &folded);
  return syscall(SYS_sched_setaffinity, thread, sizeof folded, &folded);
}

static long unless_absent(long result) { return result < 0 && errno == EINVAL ? 0 : result; }

long mbind(void *start, unsigned long bytes, int mode, const unsigned long *nodes, unsigned long most, unsigned flags) {
  return unless_absent(syscall(SYS_mbind, start, bytes, mode, nodes, most, flags));
}

long set_mempolicy(int mode, const unsigned long *nodes, unsigned long most) {
  return unless_absent(syscall(SYS_set_mempolicy, mode, nodes, most));
}
