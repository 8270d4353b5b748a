// Who asks the keeper: the agent, over a socket of the service's directory. Lines of text both ways.
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
  // @param greeting said to each that comes; @param heard gets each of their lines.
  Clients(std::string greeting, std::function<void(std::string_view)> heard);

  // Listens at `socket` of the working directory. @returns whether it does.
  bool Listen();
  // To poll, and after it.
  void Add(std::vector<pollfd>& fds) const;
  void Hear();
  // Who does not read misses it: nothing here waits for anybody.
  void Tell(std::string_view line);
  // Nobody comes any more.
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
