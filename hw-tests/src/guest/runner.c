/*
 * PID 1 of a rig machine once it is up: starts commands for the host and carries their bytes.
 *
 * One frame: u32 length of the payload, u8 kind, u32 command id (little endian), payload. See ../frames.ts.
 * Every command is the leader of its own session, so a signal reaches whatever it started. When it has ended, what it
 * left in its pipes is sent first and its exit last; a background child that kept the pipes finds them closed.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { START = 1, INPUT = 2, INPUT_END = 3, SIGNAL = 4, POWER_OFF = 5 };
enum { READY = 16, OUTPUT = 17, ERROR_OUTPUT = 18, EXIT = 19 };
/* pipe(7): a pipe holds 64 KiB, so its rest fits in few chunks. */
enum { HEADER = 9, CHUNK = 65536, LAST_CHUNKS = 4, POWER_OFF_SECONDS = 10 };

struct command {
  struct command *next;
  uint32_t id;
  pid_t pid;
  int in, out, err; /* our ends; -1 when closed */
  char *input;      /* accepted from the host, not yet taken by the command */
  size_t input_length;
  int input_end;
};

static struct command *commands;
static int port;

static void fail(const char *what) {
  fprintf(stderr, "rig: runner: %s: %s\n", what, strerror(errno));
  sync();
  reboot(RB_POWER_OFF);
  _exit(1);
}

static void *grow(void *memory, size_t size) {
  void *grown = realloc(memory, size);
  if (!grown && size) fail("realloc");
  return grown;
}

static void send_all(const void *bytes, size_t length) {
  const char *at = bytes;
  while (length > 0) {
    ssize_t n = write(port, at, length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write to the host");
    at += n;
    length -= (size_t)n;
  }
}

static void put32(unsigned char *to, uint32_t value) {
  for (int i = 0; i < 4; i++) to[i] = (unsigned char)(value >> (8 * i));
}

static uint32_t get32(const unsigned char *from) {
  return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

/* The payload stands at frame + HEADER; header and payload leave in one write. */
static void send_frame(unsigned char *frame, int kind, uint32_t id, uint32_t length) {
  put32(frame, length);
  frame[4] = (unsigned char)kind;
  put32(frame + 5, id);
  send_all(frame, HEADER + length);
}

static void close_end(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static struct command *find(uint32_t id) {
  for (struct command *c = commands; c; c = c->next)
    if (c->id == id) return c;
  return NULL;
}

/* Sends what one pipe holds, in at most `chunks` frames: a command that never stops writing must not stop the others. */
static void drain(struct command *c, int *fd, int kind, int chunks) {
  static unsigned char frame[HEADER + CHUNK];
  while (*fd >= 0 && chunks-- > 0) {
    ssize_t n = read(*fd, frame + HEADER, CHUNK);
    if (n > 0) {
      send_frame(frame, kind, c->id, (uint32_t)n);
    } else if (n == 0) {
      close_end(fd);
    } else if (errno == EAGAIN) {
      return;
    } else if (errno != EINTR) {
      close_end(fd);
    }
  }
}

static void give_input(struct command *c) {
  while (c->in >= 0 && c->input_length > 0) {
    ssize_t n = write(c->in, c->input, c->input_length);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno == EAGAIN) return;
    if (n < 0) { /* EPIPE: the command wants no more */
      close_end(&c->in);
      c->input_length = 0;
      return;
    }
    c->input_length -= (size_t)n;
    memmove(c->input, c->input + n, c->input_length);
  }
  if (c->input_end) close_end(&c->in);
}

static void ended(struct command *c, int status) {
  drain(c, &c->out, OUTPUT, LAST_CHUNKS);
  drain(c, &c->err, ERROR_OUTPUT, LAST_CHUNKS);
  unsigned char frame[HEADER + 5];
  frame[HEADER] = WIFSIGNALED(status) ? 1 : 0;
  put32(frame + HEADER + 1, (uint32_t)(WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status)));
  send_frame(frame, EXIT, c->id, 5);
  close_end(&c->in);
  close_end(&c->out);
  close_end(&c->err);
  free(c->input);
  for (struct command **link = &commands; *link; link = &(*link)->next) {
    if (*link != c) continue;
    *link = c->next;
    break;
  }
  free(c);
}

/* Returns whether any child is left; orphans of commands are children too. */
static int reap(void) {
  int status;
  pid_t pid;
  while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
    for (struct command *c = commands; c; c = c->next) {
      if (c->pid != pid) continue;
      ended(c, status);
      break;
    }
  }
  return pid == 0;
}

/* Payload: NUL-terminated strings: working directory, number of arguments, the arguments, then the environment. */
static void start(uint32_t id, char *payload, size_t length) {
  size_t count = 0;
  for (size_t i = 0; i < length; i++) count += payload[i] == '\0';
  char **strings = grow(NULL, (count + 2) * sizeof *strings);
  size_t at = 0;
  for (size_t i = 0; i < count; i++) {
    strings[i] = payload + at;
    at += strlen(payload + at) + 1;
  }
  strings[count] = NULL;
  const char *directory = strings[0];
  size_t arguments = (size_t)atol(strings[1]);
  char **argv = grow(NULL, (arguments + 1) * sizeof *argv);
  memcpy(argv, strings + 2, arguments * sizeof *argv);
  argv[arguments] = NULL;
  char **environment = strings + 2 + arguments;

  int in[2], out[2], err[2];
  if (pipe2(in, O_CLOEXEC) || pipe2(out, O_CLOEXEC) || pipe2(err, O_CLOEXEC)) fail("pipe2");
  pid_t pid = fork();
  if (pid < 0) fail("fork");
  if (pid == 0) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    setsid();
    if (dup2(in[0], 0) < 0 || dup2(out[1], 1) < 0 || dup2(err[1], 2) < 0) _exit(127);
    environ = environment;
    if (chdir(directory) == 0) execvp(argv[0], argv);
    fprintf(stderr, "%s: %s\n", argv[0], strerror(errno));
    _exit(127); /* as a shell does */
  }
  free(argv);
  free(strings);
  close(in[0]);
  close(out[1]);
  close(err[1]);
  fcntl(in[1], F_SETFL, O_NONBLOCK);
  fcntl(out[0], F_SETFL, O_NONBLOCK);
  fcntl(err[0], F_SETFL, O_NONBLOCK);

  struct command *c = grow(NULL, sizeof *c);
  *c = (struct command){.next = commands, .id = id, .pid = pid, .in = in[1], .out = out[0], .err = err[0]};
  commands = c;
}

/* Everybody may end in order; then the disks are made clean (sysrq: sync, remount read-only) and the machine goes off. */
static void power_off(void) {
  kill(-1, SIGTERM);
  for (int waited = 0; waited < POWER_OFF_SECONDS * 100; waited++) {
    if (!reap()) break;
    nanosleep(&(struct timespec){.tv_nsec = 10 * 1000 * 1000}, NULL);
  }
  kill(-1, SIGKILL);
  sync();
  int trigger = open("/proc/sysrq-trigger", O_WRONLY | O_CLOEXEC);
  if (trigger >= 0 && write(trigger, "u", 1) < 0) fprintf(stderr, "rig: remount read-only: %s\n", strerror(errno));
  reboot(RB_POWER_OFF);
}

static void handle(int kind, uint32_t id, char *payload, size_t length) {
  struct command *c = kind == START || kind == POWER_OFF ? NULL : find(id);
  if (kind == START) start(id, payload, length);
  if (kind == POWER_OFF) power_off();
  if (!c) return; /* it ended while the frame was on its way */
  if (kind == INPUT && c->in >= 0) {
    c->input = grow(c->input, c->input_length + length);
    memcpy(c->input + c->input_length, payload, length);
    c->input_length += length;
    give_input(c);
  }
  if (kind == INPUT_END) {
    c->input_end = 1;
    give_input(c);
  }
  if (kind == SIGNAL && length == 1) kill(-c->pid, (unsigned char)payload[0]);
}

static void receive(void) {
  static char *buffer;
  static size_t have, room;
  if (room - have < CHUNK) buffer = grow(buffer, room = have + 2 * CHUNK);
  ssize_t n = read(port, buffer + have, room - have);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0) fail("read from the host");
  have += (size_t)n;
  size_t at = 0;
  while (have - at >= HEADER) {
    unsigned char *frame = (unsigned char *)buffer + at;
    uint32_t length = get32(frame);
    if (have - at - HEADER < length) break;
    handle(frame[4], get32(frame + 5), buffer + at + HEADER, length);
    at += HEADER + length;
  }
  have -= at;
  memmove(buffer, buffer + at, have);
}

int main(int argc, char **argv) {
  port = open(argc > 1 ? argv[1] : "", O_RDWR | O_CLOEXEC);
  if (port < 0) fail("open the port");
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, NULL);
  signal(SIGPIPE, SIG_IGN);
  int children = signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  if (children < 0) fail("signalfd");

  unsigned char frame[HEADER];
  send_frame(frame, READY, 0, 0);

  struct pollfd *polls = NULL;
  for (;;) {
    size_t count = 2;
    for (struct command *c = commands; c; c = c->next) count += 3;
    polls = grow(polls, count * sizeof *polls);
    polls[0] = (struct pollfd){.fd = port, .events = POLLIN};
    polls[1] = (struct pollfd){.fd = children, .events = POLLIN};
    size_t i = 2;
    for (struct command *c = commands; c; c = c->next) {
      polls[i++] = (struct pollfd){.fd = c->out, .events = POLLIN};
      polls[i++] = (struct pollfd){.fd = c->err, .events = POLLIN};
      polls[i++] = (struct pollfd){.fd = c->input_length > 0 ? c->in : -1, .events = POLLOUT};
    }
    if (poll(polls, count, -1) < 0 && errno != EINTR) fail("poll");

    i = 2;
    for (struct command *c = commands; c; c = c->next) {
      if (polls[i++].revents) drain(c, &c->out, OUTPUT, 1);
      if (polls[i++].revents) drain(c, &c->err, ERROR_OUTPUT, 1);
      if (polls[i++].revents) give_input(c);
    }
    if (polls[1].revents) {
      struct signalfd_siginfo info;
      while (read(children, &info, sizeof info) > 0) continue;
      reap();
    }
    if (polls[0].revents) receive();
  }
}
