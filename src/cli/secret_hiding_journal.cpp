#include "cli/secret_hiding_journal.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/json.hpp"

namespace drover::cli {
namespace {

/// As JSON writes it within a text.
std::string escaped(const std::string& text) {
  const std::string quoted = dump_json(Json(text));
  return quoted.substr(1, quoted.size() - 2);
}

class SecretHidingJournal final : public storage::Journal {
 public:
  SecretHidingJournal(std::unique_ptr<storage::Journal> journal, const config::Secrets& secrets)
      : journal_(std::move(journal)) {
    for (const auto& [name, value] : secrets) {
      const std::string once = escaped(value);
      const std::string twice = escaped(once);
      if (twice != once) secrets_.emplace_back(name, twice);
      secrets_.emplace_back(name, once);
    }
    std::stable_sort(secrets_.begin(), secrets_.end(),
                     [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  }

  [[nodiscard]] const storage::RecoveryReport& recovery() const noexcept override { return journal_->recovery(); }
  Result<Sequence> commit(std::span<const storage::JournalEntry> entries) override {
    std::vector<storage::JournalEntry> hidden(entries.begin(), entries.end());
    for (auto& entry : hidden) entry.value = config::hide_secrets(entry.value, secrets_);
    return journal_->commit(hidden);
  }
  Result<Fence> reserve_fences(std::uint64_t count) override { return journal_->reserve_fences(count); }
  Result<std::int64_t> add_to_counter(std::string_view name, std::int64_t amount) override {
    return journal_->add_to_counter(name, amount);
  }
  Result<std::int64_t> counter(std::string_view name) override { return journal_->counter(name); }

 private:
  std::unique_ptr<storage::Journal> journal_;
  config::Secrets secrets_;
};

}  // namespace

std::unique_ptr<storage::Journal> hide_in_journal(std::unique_ptr<storage::Journal> journal,
                                                  const config::Secrets& secrets) {
  if (secrets.empty()) return journal;
  return std::make_unique<SecretHidingJournal>(std::move(journal), secrets);
}

}  // namespace drover::cli
