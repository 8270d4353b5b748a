#include "clients.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

namespace nodecore::keeper {

namespace {

constexpr const char* kSocket = "socket";
constexpr std::size_t kLongestLine = 256;
constexpr std::size_t kMostClients = 16;

}  // namespace

Clients::Clients(std::string greeting, std::function<void(std::string_view)> heard)
    : greeting_(std::move(greeting)), heard_(std::move(heard)) {}

bool Clients::Listen() {
  unlink(kSocket);
  listener_ = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  strcpy(address.sun_path, kSocket);
  return listener_ >= 0 && bind(listener_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
         listen(listener_, 16) == 0;
}

void Clients::Add(std::vector<pollfd>& fds) const {
  if (listener_ >= 0 && clients_.size() < kMostClients) fds.push_back({listener_, POLLIN, 0});
  for (const auto& client : clients_) fds.push_back({client.fd, POLLIN, 0});
}

void Clients::Hear() {
  while (listener_ >= 0 && clients_.size() < kMostClients) {
    const int fd = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0) break;
    clients_.push_back({fd, {}});
    send(fd, greeting_.data(), greeting_.size(), MSG_NOSIGNAL);
  }
  for (auto client = clients_.begin(); client != clients_.end();) {
    if (Read(*client)) {
      ++client;
      continue;
    }
    close(client->fd);
    client = clients_.erase(client);
  }
}

bool Clients::Read(Client& client) {
  std::array<char, 512> bytes;
  for (;;) {
    const ssize_t size = recv(client.fd, bytes.data(), bytes.size(), 0);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return errno == EAGAIN;
    if (size == 0) return false;
    client.heard.append(bytes.data(), static_cast<std::size_t>(size));
    for (auto end = client.heard.find('\n'); end != std::string::npos; end = client.heard.find('\n')) {
      heard_(std::string_view(client.heard).substr(0, end));
      client.heard.erase(0, end + 1);
    }
    if (client.heard.size() > kLongestLine) return false;
  }
}

void Clients::Tell(std::string_view line) {
  for (const auto& client : clients_) send(client.fd, line.data(), line.size(), MSG_NOSIGNAL);
}

void Clients::Close() {
  unlink(kSocket);
  if (listener_ >= 0) close(listener_);
  listener_ = -1;
}

}  // namespace nodecore::keeper
