#include "seccomp.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <vector>

namespace nodecore::keeper {

namespace {

#if defined(__x86_64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_X86_64;
// x32 has the same architecture, and this bit in its numbers.
constexpr unsigned kForeignNumbers = 0x4000'0000;
#elif defined(__aarch64__)
constexpr unsigned kArchitecture = AUDIT_ARCH_AARCH64;
constexpr unsigned kForeignNumbers = 0x8000'0000;
#else
#error "the system calls of this architecture are not known"
#endif

// Another kernel, code in this one, its memory, and the end of the machine.
constexpr unsigned kOfKernel[] = {
    SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load,
    SYS_reboot,      SYS_swapon,       SYS_swapoff,       SYS_acct,       SYS_userfaultfd,
#ifdef SYS_iopl
    SYS_iopl,        SYS_ioperm,
#endif
};

// Programs of the kernel, keys, other processes, mounts and namespaces.
constexpr unsigned kOfService[] = {
    SYS_bpf,           SYS_perf_event_open,  SYS_ptrace,     SYS_process_vm_readv, SYS_process_vm_writev,
    SYS_pidfd_getfd,   SYS_kcmp,             SYS_add_key,    SYS_request_key,      SYS_keyctl,
    SYS_mount,         SYS_umount2,          SYS_pivot_root, SYS_move_mount,       SYS_open_tree,
    SYS_fsopen,        SYS_fsconfig,         SYS_fsmount,    SYS_fspick,           SYS_mount_setattr,
    SYS_unshare,       SYS_setns,            SYS_quotactl,   SYS_open_by_handle_at, SYS_io_uring_setup,
    SYS_fanotify_init, SYS_sethostname,      SYS_setdomainname, SYS_vhangup,       SYS_syslog,
};

std::vector<sock_filter> FilterOf(Refusals refusals) {
  std::vector<unsigned> calls(std::begin(kOfKernel), std::end(kOfKernel));
  if (refusals == Refusals::kService) calls.insert(calls.end(), std::begin(kOfService), std::end(kOfService));
  std::vector<sock_filter> filter{
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kForeignNumbers, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
  };
  for (const unsigned call : calls) {
    filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 1));
    filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
  }
  filter.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  return filter;
}

}  // namespace

int RefuseCalls(Refusals refusals) {
  if (refusals == Refusals::kNone) return 0;
  auto filter = FilterOf(refusals);
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return errno;
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) return errno;
  return 0;
}

}  // namespace nodecore::keeper
