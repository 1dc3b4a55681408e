#include "providers/scripted/delivery.hpp"

#include <algorithm>
#include <utility>

namespace drover::providers::scripted {

namespace {

/// Enough for a pause to be one, and few enough that each is long.
constexpr std::size_t slow_pieces = 20;

}  // namespace

Delivery delivery_of(const Misbehaviour& fate, std::size_t body_bytes, Duration slow_time) {
  Delivery delivery;
  switch (fate.delivery) {
    case DeliveryFault::cut_body:
      if (body_bytes < 2) break;
      delivery.manner = Delivery::Manner::cut;
      delivery.bytes = 1 + static_cast<std::size_t>(fate.cut_at * static_cast<double>(body_bytes - 2));
      break;
    case DeliveryFault::slow_body: {
      delivery.manner = Delivery::Manner::slow;
      delivery.bytes = std::max<std::size_t>(1, (body_bytes + slow_pieces - 1) / slow_pieces);
      const auto pieces = (body_bytes + delivery.bytes - 1) / delivery.bytes;
      delivery.pause = slow_time / static_cast<Duration::rep>(std::max<std::size_t>(pieces, 2) - 1);
      break;
    }
    case DeliveryFault::closed_keep_alive:
      delivery.manner = Delivery::Manner::closed_after;
      break;
    case DeliveryFault::none:
    case DeliveryFault::error_in_200:
      break;
  }
  return delivery;
}

void deliver(net::Responder& responder, net::HttpResponse response, const Delivery& delivery) {
  switch (delivery.manner) {
    case Delivery::Manner::whole:
      return responder.send(std::move(response));
    case Delivery::Manner::cut:
      return responder.send_partly(std::move(response), delivery.bytes);
    case Delivery::Manner::slow:
      return responder.send_slowly(std::move(response), delivery.bytes, delivery.pause);
    case Delivery::Manner::closed_after:
      return responder.send_and_close_silently(std::move(response));
    case Delivery::Manner::dropped:
      return responder.drop();
  }
}

}  // namespace drover::providers::scripted
