#pragma once

#include <cstddef>
#include <cstdint>

#include "core/clock.hpp"
#include "net/http_message.hpp"
#include "net/http_server.hpp"
#include "providers/scripted/misbehaviour.hpp"

namespace drover::providers::scripted {

/// In what way an answer is handed to the network.
struct Delivery {
  enum class Manner : std::uint8_t {
    whole,
    cut,           ///< `bytes` of the body of the announced length, then the connection is closed.
    slow,          ///< Pieces of `bytes`, `pause` between them.
    closed_after,  ///< Whole; then the connection is closed, which no header has said.
    dropped,       ///< Not at all: the connection is closed.
  };
  Manner manner = Manner::whole;
  std::size_t bytes = 0;
  Duration pause{};

  /// Whether the client gets all of it.
  [[nodiscard]] bool arrives() const noexcept { return manner != Manner::cut && manner != Manner::dropped; }
};

/// The way of an answer with a body of that many bytes. `slow_time`: of a slow body,
/// from first piece to last, by the clock of the host.
Delivery delivery_of(const Misbehaviour& fate, std::size_t body_bytes, Duration slow_time);

void deliver(net::Responder& responder, net::HttpResponse response, const Delivery& delivery);

}  // namespace drover::providers::scripted
