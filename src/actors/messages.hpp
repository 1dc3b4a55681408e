#pragma once

#include <caf/all.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "actors/batch_summary.hpp"
#include "actors/device_state.hpp"
#include "actors/journal_pressure.hpp"
#include "actors/open_call.hpp"
#include "actors/session_loop.hpp"
#include "core/batch.hpp"
#include "core/cancellation.hpp"
#include "core/clock.hpp"
#include "core/error.hpp"
#include "core/ids.hpp"
#include "devices/executor.hpp"
#include "devices/look.hpp"
#include "net/http_client.hpp"
#include "providers/admission_queue.hpp"
#include "providers/model_request.hpp"
#include "providers/provider_gate.hpp"
#include "storage/journal.hpp"

/// Every message between actors and every actor's typed interface. All of them
/// stay inside one process (CAF's network layer is not linked), so none is
/// serialised and large values go as shared pointers to constants.
namespace drover::actors {

// ---- the interfaces -------------------------------------------------------

struct JournalAck;
struct Begin;
struct TicketGranted;
struct LineRefused;
struct ScreenStale;
struct CallEnded;
struct Prepared;
struct Looked;
struct Acted;
struct DeviceGone;
struct CancelSession;
struct SessionTimer;

struct LeasePhone;
struct PreparePhone;
struct LookAt;
struct ActOn;
struct StopActing;
struct ReleaseLease;
struct DriverAnswered;
struct DriverConnected;
struct DriverGone;
struct PictureReady;
struct DeviceTimer;

struct AskTicket;
struct AskCall;
struct GiveTicketBack;
struct LeaveLine;
struct ProviderCapacity;
struct CallFinished;
struct CallReturned;
struct ProviderDied;
struct RouterTimer;

struct StartCall;
struct CutOffCall;
struct HttpEnded;
struct ProviderTimer;

struct Append;
struct ReserveFences;
struct FenceBlock;
struct ExtendLease;
struct WriteNow;

struct WantPhones;
struct ForgetWant;
struct PhonesGranted;
struct NoPhones;
struct PhoneReleased;
struct DeviceReport;
struct PhoneDied;
struct FleetTimer;

struct RunBatch;
struct StartBatch;
struct SessionEnded;
struct StopBatch;
struct DispatcherTimer;
struct RestartProvider;

class BatchBook;

/// Takes the journal's word that an append is on disk, or not.
using journal_client_actor = caf::typed_actor<caf::reacts_to<JournalAck>>;

/// One participant of one attempt: runs the session loop.
using session_actor =
    journal_client_actor::extend<caf::reacts_to<Begin>,          // start the loop
                                 caf::reacts_to<TicketGranted>,  // router: look at the screen now
                                 caf::reacts_to<LineRefused>,    // router: no call can be had, and why
                                 caf::reacts_to<ScreenStale>,    // router or provider: look again, the ticket stays
                                 caf::reacts_to<CallEnded>,      // provider or router: the answer or the failure
                                 caf::reacts_to<Prepared>,       // device: the phone is in its known state
                                 caf::reacts_to<Looked>,         // device
                                 caf::reacts_to<Acted>,          // device
                                 caf::reacts_to<DeviceGone>,     // device or fleet: the phone is lost
                                 caf::reacts_to<CancelSession>,  // dispatcher
                                 caf::reacts_to<SessionTimer>>;  // INTERNAL: deadline and pauses

/// One phone: its driver, its lease, its health. Serialises all that is done to it.
using device_actor = caf::typed_actor<caf::reacts_to<LeasePhone>,       // fleet: the holder and its fence
                                      caf::reacts_to<PreparePhone>,     // session
                                      caf::reacts_to<LookAt>,           // session
                                      caf::reacts_to<ActOn>,            // session
                                      caf::reacts_to<StopActing>,       // session: hand out no further primitive
                                      caf::reacts_to<ReleaseLease>,     // session or dispatcher
                                      caf::reacts_to<DriverAnswered>,   // INTERNAL: a primitive has ended
                                      caf::reacts_to<DriverConnected>,  // INTERNAL
                                      caf::reacts_to<DriverGone>,       // INTERNAL: the phone went away by itself
                                      caf::reacts_to<PictureReady>,     // INTERNAL: an image worker is done
                                      caf::reacts_to<DeviceTimer>>;     // INTERNAL: pauses and reconnects

/// The line for the models of one role.
using router_actor = caf::typed_actor<caf::reacts_to<AskTicket>,         // session: may I look
                                      caf::reacts_to<AskCall>,           // session: this is what I want to ask
                                      caf::reacts_to<GiveTicketBack>,    // session: the turn is decided
                                      caf::reacts_to<LeaveLine>,         // session: cancelled or ended
                                      caf::reacts_to<ProviderCapacity>,  // provider: how many calls it takes now
                                      caf::reacts_to<CallFinished>,      // provider: the answer went to the session
                                      caf::reacts_to<CallReturned>,      // provider: it could not serve this call
                                      caf::reacts_to<ProviderDied>,      // root
                                      caf::reacts_to<RouterTimer>>;      // INTERNAL: deadlines

/// One endpoint × key × model: calls it, within its limits.
using provider_actor = caf::typed_actor<caf::reacts_to<StartCall>,       // router
                                        caf::reacts_to<CutOffCall>,      // router: the session no longer wants it
                                        caf::reacts_to<HttpEnded>,       // INTERNAL: from the sockets' threads
                                        caf::reacts_to<ProviderTimer>>;  // INTERNAL: retries, buckets that fill

/// The journal's only writer, on a thread of its own.
using journal_actor = caf::typed_actor<caf::reacts_to<Append>,
                                       caf::reacts_to<WriteNow>,  // INTERNAL: behind everything that shares this commit
                                       caf::reacts_to<ExtendLease>,  // provider: the day's budget
                                       caf::replies_to<ReserveFences>::with<FenceBlock>>;

/// All phones: who is free, who waits for one.
using fleet_actor = caf::typed_actor<caf::reacts_to<WantPhones>,     // dispatcher: all of them or none
                                     caf::reacts_to<ForgetWant>,     // dispatcher
                                     caf::reacts_to<PhoneReleased>,  // device: the lease has ended
                                     caf::reacts_to<DeviceReport>,   // device: its state changed
                                     caf::reacts_to<FleetTimer>>;    // INTERNAL

/// One batch: its tasks, attempts and verdicts.
using dispatcher_actor =
    journal_client_actor::extend<caf::reacts_to<RunBatch>,          // supervisor: once
                                 caf::reacts_to<PhonesGranted>,     // fleet
                                 caf::reacts_to<NoPhones>,          // fleet: not now and not later
                                 caf::reacts_to<PhoneDied>,         // fleet: for the session that holds it
                                 caf::reacts_to<SessionEnded>,      // session
                                 caf::reacts_to<StopBatch>,         // root: Ctrl-C and the like
                                 caf::reacts_to<DispatcherTimer>>;  // INTERNAL

/// Owner of the long-lived actors. A provider that failed is started again after a
/// pause, its open calls go on elsewhere or are failed; the loss of the journal,
/// the router or the fleet ends the batch with a typed error; when the dispatcher
/// is lost, another one ends the batch from its book, as an internal error.
using supervisor_actor = caf::typed_actor<caf::reacts_to<StartBatch>,        // the runtime: one batch at a time
                                          caf::reacts_to<StopBatch>,         // the runtime: Ctrl-C and the like
                                          caf::reacts_to<BatchSummary>,      // dispatcher
                                          caf::reacts_to<RestartProvider>>;  // INTERNAL: after the pause

// ---- journal --------------------------------------------------------------

/// Entries to be written; the client hears of them when they are on disk. They
/// count as waiting for the journal from here until it has let go of them.
struct Append {
  Append() = default;
  Append(std::vector<storage::JournalEntry> entries, journal_client_actor client,
         const std::shared_ptr<JournalPressure>& pressure);
  std::vector<storage::JournalEntry> entries;
  journal_client_actor client;
  std::size_t bytes = 0;
  std::shared_ptr<const WaitingBytes> waiting;
};
struct JournalAck {
  Status status = Done{};
};
struct ReserveFences {
  std::uint64_t count = 0;
};
struct FenceBlock {
  Fence first = 0;
  std::uint64_t count = 0;  ///< 0: none could be had.
};
/// More of the day's budget is to be put down (SharedBudget).
struct ExtendLease {};
struct WriteNow {
  bool last = false;  ///< The journal goes after it.
};

// ---- session --------------------------------------------------------------

struct Begin {};
struct TicketGranted {};
struct LineRefused {
  providers::ProviderFailure failure;
};
struct ScreenStale {
  std::uint64_t call = 0;
  std::uint32_t tries = 0;  ///< That the call had been sent by then.
};
struct CallEnded {
  std::uint64_t call = 0;
  std::shared_ptr<CallReport> report;  ///< Taken by the one session it is for.
  bool served_elsewhere = false;       ///< This provider gave up on it and another has it now.
};
struct Prepared {
  Status status = Done{};
};
struct Looked {
  std::uint64_t operation = 0;
  devices::LookResult look = Error{};
};
struct Acted {
  devices::ActResult result;
};
struct DeviceGone {
  DeviceId device;
  Error error;
};
struct CancelSession {
  CancelReason reason = CancelReason::request;
  std::string cause = {};  ///< What the attempt's reason says; empty: what the reason means.
};
struct SessionTimer {
  std::uint64_t generation = 0;
  bool deadline = false;
};

// ---- device ---------------------------------------------------------------

struct LeasePhone {
  Fence fence = 0;
  session_actor holder;
};
struct PreparePhone {
  Fence fence = 0;
  bool reset = true;
  std::string app;
};
struct LookAt {
  Fence fence = 0;
  std::uint64_t operation = 0;
  bool screenshot = false;
};
struct ActOn {
  std::shared_ptr<const devices::Act> act;
  session_actor sender;  ///< Hears of a refusal even when it is not the holder.
};
struct StopActing {
  Fence fence = 0;
};
struct ReleaseLease {
  Fence fence = 0;
};
struct DriverAnswered {
  std::uint64_t generation = 0;
  devices::PrimitiveResult result = Error{};
};
struct DriverConnected {
  std::uint64_t generation = 0;
  Status status = Done{};
};
struct DriverGone {
  Error error;
};
struct PictureReady {
  std::uint64_t generation = 0;
  Result<Screenshot> picture = Error{};
};
struct DeviceTimer {
  std::uint64_t generation = 0;
};

// ---- router and provider --------------------------------------------------

/// One request on its way to a model. Lives in the router's table until it has ended.
struct ModelCall {
  std::uint64_t number = 0;  ///< Of the session's requests; answers carry it.
  TaskId task;
  providers::SessionNumber session_number = 0;
  session_actor session;
  std::shared_ptr<const providers::ModelRequest> request;
  TimePoint observed_at{};
  Duration observe_took{};
  TimePoint deadline{};
  CancelToken cancel;
  std::shared_ptr<OpenCall> open;  ///< Never null.
  std::uint32_t tries = 0;         ///< Made already, on an earlier screen of the same turn or before it lined up again.
};
struct AskTicket {
  providers::SessionNumber session_number = 0;
  session_actor session;
  std::uint32_t weight = 1;
  TimePoint deadline{};
};
struct AskCall {
  std::shared_ptr<const ModelCall> call;
};
struct GiveTicketBack {
  providers::SessionNumber session_number = 0;
};
struct LeaveLine {
  providers::SessionNumber session_number = 0;
  bool ended = false;  ///< The session will not come back.
};
/// What a provider can take at present.
struct ProviderCapacity {
  std::size_t provider = 0;  ///< Its place in the role's order.
  provider_actor handle;
  std::size_t new_slots = 0;  ///< Further calls that it would start at once.
  std::size_t in_flight_limit = 1;
  double calls_per_minute = 0;
  std::optional<providers::ProviderFailure> out_of_service;  ///< Why it takes none.
  std::optional<providers::ProviderFailure> hindrance;       ///< Why it takes fewer than it could: it refused calls.
  bool for_good = false;                                     ///< And will not by itself.
};
struct CallFinished {
  std::size_t provider = 0;
  providers::SessionNumber session_number = 0;
  std::uint64_t call = 0;
  Duration took{};
};
struct CallReturned {
  std::size_t provider = 0;
  std::shared_ptr<const ModelCall> call;
  providers::ProviderFailure failure;
  std::shared_ptr<CallReport> report;  ///< Null where it was never sent.
  /// The same call with its tries, where it lost nothing but its turn: it keeps its place
  /// in line, for whichever provider may have it first. Null: it could not be served.
  std::shared_ptr<const ModelCall> again = nullptr;
  TimePoint not_before{};  ///< With `again`: this provider has it no sooner.
};
struct ProviderDied {
  std::size_t provider = 0;
};
struct RouterTimer {};
struct StartCall {
  std::shared_ptr<const ModelCall> call;
  Duration queued{};
};
struct CutOffCall {
  providers::SessionNumber session_number = 0;
};
struct HttpEnded {
  std::uint64_t attempt = 0;
  std::shared_ptr<net::HttpOutcome> outcome;
};
struct ProviderTimer {
  std::uint64_t generation = 0;
};

// ---- fleet and dispatcher -------------------------------------------------

/// A phone that was given out.
struct GrantedPhone {
  std::string role;
  DeviceId id;
  device_actor device;
  Fence fence = 0;
};
/// As many phones as there are roles, all of them or none.
struct WantPhones {
  std::uint64_t number = 0;
  std::vector<std::string> roles;
  std::string device;        ///< The only one that will do; empty: any.
  std::set<DeviceId> avoid;  ///< Not these while others could.
  dispatcher_actor dispatcher;
};
struct ForgetWant {
  std::uint64_t number = 0;
};
struct PhonesGranted {
  std::uint64_t number = 0;
  std::vector<GrantedPhone> phones;
};
struct NoPhones {
  std::uint64_t number = 0;
  Error error;
};
struct PhoneReleased {
  DeviceId id;
  Fence fence = 0;
  bool ready = true;  ///< False: the lease ended because the phone went away.
};
/// The actor of a phone that was given out is no more.
struct PhoneDied {
  DeviceId id;
  Fence fence = 0;
  Error error;
};
struct DeviceReport {
  DeviceId id;
  DeviceState state = DeviceState::offline;
  std::string reason;
};
struct FleetTimer {};

struct RunBatch {
  RunRecord run;
  std::vector<Task> tasks;
  RetryRules retries;
  std::uint32_t parallel = 0;  ///< Most attempts at once; 0: as many as there are phones.
  bool reset_phones = true;
  bool require_assertions = false;
  std::shared_ptr<const planner::Planner> planner;
  CancelToken cancel;                 ///< Of the whole run; the dispatcher cancels it on a stop.
  supervisor_actor supervisor;        ///< Hears of the end.
  std::shared_ptr<BatchBook> book{};  ///< Outlives the dispatcher; null: it makes its own.
  /// Set for a dispatcher that takes the book of one that failed over: it ends the batch.
  std::optional<Error> fault{};
};
struct StartBatch {
  RunBatch order;
  std::function<void(BatchSummary)> done;  ///< Called once, by the supervisor.
};
struct SessionEnded {
  TaskId task;
  std::uint32_t attempt = 0;
  SessionResult result;
};
struct StopBatch {
  CancelReason reason = CancelReason::user;
  std::optional<Error> failure;
};
struct DispatcherTimer {
  enum class Alarm : std::uint8_t {
    sessions_late,    ///< They had time to end after a stop.
    attempt_overdue,  ///< One attempt had time to end after its deadline.
    end_late,         ///< The journal and the sessions had time after the last verdict.
  };
  Alarm alarm = Alarm::sessions_late;
  TaskId task;
  std::uint64_t number = 0;  ///< Of the attempt, or of the alarm: late ones are ignored.
};
/// Time to start a provider that failed again.
struct RestartProvider {
  std::size_t place = 0;
};

}  // namespace drover::actors

#define DROVER_LOCAL_MESSAGES(apply)                                                                                   \
  apply(JournalAck) apply(Begin) apply(TicketGranted) apply(LineRefused) apply(ScreenStale) apply(CallEnded)           \
      apply(Prepared) apply(Looked) apply(Acted) apply(DeviceGone) apply(CancelSession) apply(SessionTimer)            \
          apply(LeasePhone) apply(PreparePhone) apply(LookAt) apply(ActOn) apply(StopActing) apply(ReleaseLease)       \
              apply(DriverAnswered) apply(DriverConnected) apply(DriverGone) apply(PictureReady) apply(DeviceTimer)    \
                  apply(AskTicket) apply(AskCall) apply(GiveTicketBack) apply(LeaveLine) apply(ProviderCapacity)       \
                      apply(CallFinished) apply(CallReturned) apply(ProviderDied) apply(RouterTimer) apply(StartCall)  \
                          apply(CutOffCall) apply(HttpEnded) apply(ProviderTimer) apply(Append) apply(ReserveFences)   \
                              apply(FenceBlock) apply(ExtendLease) apply(WriteNow) apply(WantPhones) apply(ForgetWant) \
                                  apply(PhonesGranted) apply(NoPhones) apply(PhoneReleased) apply(PhoneDied)           \
                                      apply(DeviceReport) apply(FleetTimer) apply(RunBatch) apply(StartBatch)          \
                                          apply(RestartProvider) apply(BatchSummary) apply(SessionEnded)               \
                                              apply(StopBatch) apply(DispatcherTimer)

#define DROVER_ALLOW_LOCAL(name) CAF_ALLOW_UNSAFE_MESSAGE_TYPE(drover::actors::name)
DROVER_LOCAL_MESSAGES(DROVER_ALLOW_LOCAL)
#undef DROVER_ALLOW_LOCAL

CAF_BEGIN_TYPE_ID_BLOCK(drover, first_custom_type_id)
#define DROVER_ADD_ID(name) CAF_ADD_TYPE_ID(drover, (drover::actors::name))
DROVER_LOCAL_MESSAGES(DROVER_ADD_ID)
#undef DROVER_ADD_ID
CAF_END_TYPE_ID_BLOCK(drover)
