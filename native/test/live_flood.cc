// Lets frames come in on an interface, a million a second and more: live_flood INTERFACE FRAME_BYTES COUNT PER_SECOND
// [PERCENT]
// An XDP program passes them to the network stack (BPF_PROG_RUN with live frames, bpf_prog_run.rst), which costs the
// kernel less than sending does. PERCENT of them go to UDP port 5000, the others to 5001; all by default. Prints how many
// came in, and how many a second.

#include <linux/bpf.h>
#include <net/if.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <thread>
#include <vector>

#include "frame.h"

namespace {

constexpr std::size_t kPortBytes = 14 + 20 + 2;

long Bpf(int command, bpf_attr& attributes) { return syscall(SYS_bpf, command, &attributes, sizeof attributes); }

// return XDP_PASS
int LoadPass() {
  const bpf_insn instructions[] = {{BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, XDP_PASS}, {BPF_JMP | BPF_EXIT, 0, 0, 0, 0}};
  bpf_attr attributes{};
  attributes.prog_type = BPF_PROG_TYPE_XDP;
  attributes.insns = reinterpret_cast<std::uint64_t>(instructions);
  attributes.insn_cnt = 2;
  attributes.license = reinterpret_cast<std::uint64_t>("GPL");
  return static_cast<int>(Bpf(BPF_PROG_LOAD, attributes));
}

bool ComeIn(int program, unsigned interface, std::span<const std::uint8_t> frame, std::uint32_t count) {
  if (count == 0) return true;
  xdp_md context{};
  context.data_end = static_cast<std::uint32_t>(frame.size());
  context.ingress_ifindex = interface;
  bpf_attr attributes{};
  attributes.test.prog_fd = static_cast<std::uint32_t>(program);
  attributes.test.data_in = reinterpret_cast<std::uint64_t>(frame.data());
  attributes.test.data_size_in = context.data_end;
  attributes.test.ctx_in = reinterpret_cast<std::uint64_t>(&context);
  attributes.test.ctx_size_in = sizeof context;
  attributes.test.repeat = count;
  attributes.test.flags = BPF_F_TEST_XDP_LIVE_FRAMES;
  attributes.test.batch_size = 64;
  return Bpf(BPF_PROG_TEST_RUN, attributes) == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const unsigned interface = if_nametoindex(argv[1]);
  const std::size_t size = std::max<std::size_t>(std::strtoul(argv[2], nullptr, 10), 60);
  const std::uint64_t count = std::strtoull(argv[3], nullptr, 10);
  const double per_second = std::strtod(argv[4], nullptr);
  const double share = argc > 5 ? std::strtod(argv[5], nullptr) / 100 : 1;

  const std::vector<std::uint8_t> matching = nodecore::test::Frame(size);
  std::vector<std::uint8_t> other = matching;
  nodecore::test::Put16(&other[kPortBytes], 5001);

  const int program = LoadPass();
  if (interface == 0 || program < 0) {
    std::perror("live_flood");
    return 1;
  }
  const auto begin = std::chrono::steady_clock::now();
  std::uint64_t done = 0;
  double owed = 0;
  while (done < count) {
    std::this_thread::sleep_until(begin + std::chrono::duration<double>(static_cast<double>(done) / per_second));
    // What a millisecond owes, so that a late wake-up is made up for at once.
    const auto now = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() + 0.001;
    const auto due = std::min<std::uint64_t>(count, static_cast<std::uint64_t>(now * per_second));
    const auto batch = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, due - std::min(due, done)));
    owed += batch * share;
    const auto wanted = std::min(batch, static_cast<std::uint32_t>(owed));
    owed -= wanted;
    if (!ComeIn(program, interface, matching, wanted) || !ComeIn(program, interface, other, batch - wanted)) {
      std::perror("live_flood");
      return 1;
    }
    done += batch;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  std::printf("%llu %.0f\n", static_cast<unsigned long long>(done), static_cast<double>(done) / took.count());
}
