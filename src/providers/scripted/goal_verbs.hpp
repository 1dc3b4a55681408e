#pragma once

#include <string_view>

#include "providers/scripted/goal_tokens.hpp"

namespace drover::providers::scripted {

/// Whether `word` is one of the space-separated words of `list`.
bool is_one_of(std::string_view word, std::string_view list) noexcept;

/// Whether a clause can begin with the token at `at`: a verb, or a word that is a
/// verb before an article, a number or a quoted text ("order two mugs").
bool begins_clause(const std::vector<GoalToken>& tokens, std::size_t at);

/// The verb that a word ending in -ing is a form of: "turn" for "turning", "use"
/// for "using"; empty where it is none that a clause can begin with.
std::string_view command_of(std::string_view word) noexcept;

namespace verbs {
inline constexpr std::string_view certain =
    "open go show navigate bring visit launch see look take return turn switch enable disable activate deactivate put "
    "set "
    "change choose select pick increase decrease raise lower reduce add buy purchase remove delete clear empty cancel "
    "check pay complete sign log register find type enter write fill create make send submit read tell verify confirm "
    "ensure mute unmute silence scroll tap press click allow deny accept play pause stop save share rename edit move "
    "let "
    "do finish use connect disconnect leave keep get come swipe close dismiss switch give search throw say answer "
    "adjust "
    "schedule compose append discard erase sign report try wait reset restart begin browse view toggle prevent block "
    "proceed continue ask count login logout signin checkout wake remind dial";
inline constexpr std::string_view before_a_noun =
    "order place like note call display start mark post message text file book rate star record schedule drop list "
    "save "
    "lock name track pin print store time lay stick toss pop pack load slip grab fetch";
inline constexpr std::string_view determiners =
    "a an the my it them this that these those one two three four five six seven eight nine ten all for some another "
    "his her their our your both every each to";
inline constexpr std::string_view fillers =
    "please first now next finally also then and i want to would like you can could need should must lets just "
    "after afterwards once when having try help me we id kindly be sure";
inline constexpr std::string_view reaching =
    "open go show navigate visit launch bring see look take return view display get come browse start head enter list";
inline constexpr std::string_view negations =
    "not no never nothing none nobody neither nor dont doesnt didnt isnt arent wasnt werent wont wouldnt shouldnt "
    "couldnt mustnt neednt cant cannot havent hasnt";
inline constexpr std::string_view telling =
    "has have had did was were will can what how tell read report which whats when who where say answer give count why "
    "does is are";
}  // namespace verbs

}  // namespace drover::providers::scripted
