// Clients of the keeper: agents on a socket in the service's directory. Lines of text both ways.
#pragma once

#include <poll.h>

#include <functional>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace nodecore::keeper {

class Clients {
 public:
  // @param greeting sent to each new client; @param heard called with each line of a client.
  Clients(std::string greeting, std::function<void(std::string_view)> heard);

  // Listens at `socket` in the working directory. @returns whether it succeeded.
  bool Listen();
  // Descriptors to poll, and what to do after it.
  void Add(std::vector<pollfd>& fds) const;
  void Hear();
  // A client that does not read misses the line: the keeper never blocks on one.
  void Tell(std::string_view line);
  // Takes no more clients.
  void Close();

 private:
  struct Client {
    int fd;
    std::string heard;
  };

  bool Read(Client& client);

  std::string greeting_;
  std::function<void(std::string_view)> heard_;
  int listener_ = -1;
  std::list<Client> clients_;
};

}  // namespace nodecore::keeper
