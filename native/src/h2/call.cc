#include "h2/call.h"

#include <nghttp2/nghttp2.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace nodecore::h2 {

namespace {

// Answers of gRPC have a dozen short ones.
constexpr std::size_t kMostHeaderBytes = 64U << 10;

template <typename Type, void (*Delete)(Type*)>
struct Deleter {
  void operator()(Type* at) const noexcept { Delete(at); }
};

using Session = std::unique_ptr<nghttp2_session, Deleter<nghttp2_session, nghttp2_session_del>>;
using Callbacks =
    std::unique_ptr<nghttp2_session_callbacks, Deleter<nghttp2_session_callbacks, nghttp2_session_callbacks_del>>;

using Options = std::unique_ptr<nghttp2_option, Deleter<nghttp2_option, nghttp2_option_del>>;

nghttp2_nv Field(std::string_view name, std::string_view value) noexcept {
  const auto bytes = [](std::string_view text) { return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data())); };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

std::unexpected<SysError> FailedWith(const char* function, int code) noexcept {
  return std::unexpected(SysError{function, code == NGHTTP2_ERR_NOMEM ? ENOMEM : EINVAL});
}

}  // namespace

struct Call::State {
  Request request;
  std::size_t sent = 0;
  Session session;
  std::int32_t stream = 0;
  const Taker* take = nullptr;

  Headers headers;
  Headers trailers;
  std::size_t header_bytes = 0;
  bool closed = false;
  bool broken = false;
  std::uint32_t closed_with = 0;
  std::string violation;

  static State& Of(void* user) noexcept { return *static_cast<State*>(user); }
  static ssize_t ReadBody(nghttp2_session*, std::int32_t, std::uint8_t* into, std::size_t most, std::uint32_t* flags,
                          nghttp2_data_source*, void* user);
  static int OnHeader(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name, std::size_t name_bytes,
                      const std::uint8_t* value, std::size_t value_bytes, std::uint8_t, void* user);
  static int OnData(nghttp2_session*, std::uint8_t, std::int32_t, const std::uint8_t* at, std::size_t size, void* user);
  static int OnClose(nghttp2_session*, std::int32_t stream, std::uint32_t code, void* user);
  static int OnSent(nghttp2_session*, const nghttp2_frame* frame, void* user);

  std::expected<void, SysError> Open(std::int32_t window_bytes, Windows windows);
};

ssize_t Call::State::ReadBody(nghttp2_session*, std::int32_t, std::uint8_t* into, std::size_t most,
                              std::uint32_t* flags, nghttp2_data_source*, void* user) {
  State& state = Of(user);
  const std::string_view left = std::string_view(state.request.body).substr(state.sent).substr(0, most);
  std::memcpy(into, left.data(), left.size());
  state.sent += left.size();
  if (state.sent == state.request.body.size()) *flags |= NGHTTP2_DATA_FLAG_EOF;
  return static_cast<ssize_t>(left.size());
}

int Call::State::OnHeader(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                          std::size_t name_bytes, const std::uint8_t* value, std::size_t value_bytes, std::uint8_t,
                          void* user) {
  State& state = Of(user);
  state.header_bytes += name_bytes + value_bytes;
  if (frame->hd.type != NGHTTP2_HEADERS || state.header_bytes > kMostHeaderBytes) {
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;  // the stream ends with it
  }
  Headers& list = frame->headers.cat == NGHTTP2_HCAT_RESPONSE ? state.headers : state.trailers;
  list.emplace_back(std::string(reinterpret_cast<const char*>(name), name_bytes),
                    std::string(reinterpret_cast<const char*>(value), value_bytes));
  return 0;
}

int Call::State::OnData(nghttp2_session*, std::uint8_t, std::int32_t, const std::uint8_t* at, std::size_t size,
                        void* user) {
  return (*Of(user).take)(std::as_bytes(std::span(at, size))) ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE;
}

int Call::State::OnClose(nghttp2_session*, std::int32_t stream, std::uint32_t code, void* user) {
  State& state = Of(user);
  if (stream != state.stream) return 0;
  state.closed = true;
  state.closed_with = code;
  return 0;
}

// The faults of the server that we report to it; nghttp2 sends nothing else of these on its own.
int Call::State::OnSent(nghttp2_session*, const nghttp2_frame* frame, void* user) {
  State& state = Of(user);
  // What comes behind a complete answer spoils nothing.
  if (state.closed || !state.violation.empty()) return 0;
  if (frame->hd.type == NGHTTP2_RST_STREAM) state.violation = nghttp2_http2_strerror(frame->rst_stream.error_code);
  if (frame->hd.type != NGHTTP2_GOAWAY) return 0;
  const nghttp2_goaway& goaway = frame->goaway;
  state.violation = nghttp2_http2_strerror(goaway.error_code);
  if (goaway.opaque_data_len > 0) {
    state.violation += ": ";
    state.violation.append(reinterpret_cast<const char*>(goaway.opaque_data), goaway.opaque_data_len);
  }
  return 0;
}

std::expected<void, SysError> Call::State::Open(std::int32_t window_bytes, Windows windows) {
  nghttp2_session_callbacks* made_callbacks = nullptr;
  if (nghttp2_session_callbacks_new(&made_callbacks) != 0) return FailedWith("nghttp2_session_callbacks_new", NGHTTP2_ERR_NOMEM);
  const Callbacks callbacks(made_callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks.get(), OnHeader);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks.get(), OnData);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks.get(), OnClose);
  nghttp2_session_callbacks_set_on_frame_send_callback(callbacks.get(), OnSent);
  nghttp2_option* made_options = nullptr;
  if (nghttp2_option_new(&made_options) != 0) return FailedWith("nghttp2_option_new", NGHTTP2_ERR_NOMEM);
  const Options options(made_options);
  nghttp2_option_set_no_auto_window_update(made_options, windows == Windows::kConsumed ? 1 : 0);
  nghttp2_session* made = nullptr;
  if (const int code = nghttp2_session_client_new2(&made, callbacks.get(), this, made_options); code != 0) {
    return FailedWith("nghttp2_session_client_new2", code);
  }
  session.reset(made);

  const std::array settings{
      nghttp2_settings_entry{NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
      nghttp2_settings_entry{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, static_cast<std::uint32_t>(window_bytes)},
      nghttp2_settings_entry{NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, kMostHeaderBytes},
  };
  if (const int code = nghttp2_submit_settings(made, NGHTTP2_FLAG_NONE, settings.data(), settings.size()); code != 0) {
    return FailedWith("nghttp2_submit_settings", code);
  }
  if (const int code = nghttp2_session_set_local_window_size(made, NGHTTP2_FLAG_NONE, 0, window_bytes); code != 0) {
    return FailedWith("nghttp2_session_set_local_window_size", code);
  }
  std::vector fields{
      Field(":method", "POST"),
      Field(":scheme", request.scheme),
      Field(":authority", request.authority),
      Field(":path", request.path),
      Field("te", "trailers"),
      Field("content-type", "application/grpc"),
      Field("user-agent", "nodecore"),
  };
  for (const auto& [name, value] : request.metadata) {
    const nghttp2_nv& field = fields.emplace_back(Field(name, value));
    if (nghttp2_check_header_value(field.value, field.valuelen) == 0) {
      return FailedWith("nghttp2_check_header_value", NGHTTP2_ERR_INVALID_ARGUMENT);
    }
  }
  const nghttp2_data_provider body{.source = {.ptr = nullptr}, .read_callback = ReadBody};
  stream = nghttp2_submit_request(made, nullptr, fields.data(), fields.size(), &body, nullptr);
  if (stream < 0) return FailedWith("nghttp2_submit_request", stream);
  return {};
}

std::expected<Call, SysError> Call::Begin(Request request, std::int32_t window_bytes, Windows windows) {
  auto state = std::make_unique<State>();
  state->request = std::move(request);
  if (const auto opened = state->Open(window_bytes, windows); !opened) return std::unexpected(opened.error());
  return Call(std::move(state));
}

Call::Call(std::unique_ptr<State> state) noexcept : state_(std::move(state)) {}
Call::Call(Call&& other) noexcept = default;
Call::~Call() = default;

void Call::Feed(Bytes bytes, const Taker& take) {
  if (state_->broken) return;
  state_->take = &take;
  const ssize_t fed = nghttp2_session_mem_recv(state_->session.get(), reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  state_->take = nullptr;
  if (fed >= 0) return;
  state_->broken = true;
  if (fed != NGHTTP2_ERR_CALLBACK_FAILURE && !state_->closed && state_->violation.empty()) {
    state_->violation = nghttp2_strerror(static_cast<int>(fed));
  }
}

// Both fail for a stream or a session that is over, which has no use for them.
void Call::Consume(std::size_t bytes) {
  if (!state_->broken) static_cast<void>(nghttp2_session_consume(state_->session.get(), state_->stream, bytes));
}

void Call::Ping() {
  if (!state_->broken) static_cast<void>(nghttp2_submit_ping(state_->session.get(), NGHTTP2_FLAG_NONE, nullptr));
}

bool Call::has_output() const noexcept {
  return !state_->broken && nghttp2_session_want_write(state_->session.get()) != 0;
}

std::string Call::TakeOutput() {
  std::string output;
  while (has_output()) {
    const std::uint8_t* at = nullptr;
    const ssize_t size = nghttp2_session_mem_send(state_->session.get(), &at);
    if (size < 0) state_->broken = true;
    if (size <= 0) break;
    output.append(reinterpret_cast<const char*>(at), static_cast<std::size_t>(size));
  }
  return output;
}

bool Call::over() const noexcept {
  return state_->closed || state_->broken || nghttp2_session_want_read(state_->session.get()) == 0;
}

const Headers& Call::headers() const noexcept { return state_->headers; }
const Headers& Call::trailers() const noexcept { return state_->trailers; }
std::uint32_t Call::closed_with() const noexcept { return state_->closed_with; }
std::string_view Call::violation() const noexcept { return state_->violation; }

}  // namespace nodecore::h2
