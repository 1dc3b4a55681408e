#pragma once

#include <string_view>

namespace drover::providers::scripted {

/// Words and phrases that mean the same. Phrases are separated by `|` and are
/// stemmed when the lexicon is built. Where two rows come to the same stems
/// ("call" and "called"), a text in a row's own spelling means that row, and any
/// other form ("calls") the upper one.
struct SynonymRow {
  std::string_view name;
  std::string_view phrases;
};

/// Where a thing is looked for: the topics right above it, space-separated.
struct TopicRow {
  std::string_view name;
  std::string_view broader;
};

inline constexpr SynonymRow synonym_rows[] = {
    // Switching and confirming.
    {"turn_on", "turn on|switch on|enable|activate"},
    {"turn_off", "turn off|switch off|disable|deactivate"},
    {"ok", "ok|okay|yes|agree|accept|got it|understood|i agree|sure|alright"},
    {"confirm", "confirm"},
    {"continue", "continue|proceed|next|go on|carry on"},
    {"cancel", "cancel"},
    {"no", "no|no thanks|no thank you|not now|not interested|maybe later|later|remind me later|ask later|not today"},
    {"dismiss", "dismiss|close|skip|hide|x"},
    {"allow", "allow|while using the app|only this time|allow only while using the app|permit|grant"},
    {"deny", "deny|dont allow|don't allow|do not allow|refuse|block|reject|decline"},
    {"save", "save|done|apply|finish|keep"},
    {"wait", "wait"},
    {"retry", "retry|try again|reload|refresh"},
    {"delete", "delete|remove|erase|discard|trash|bin it|throw away|get rid of|take out"},
    {"empty", "empty|clear|clear all|remove all|delete all"},
    {"add", "add|new|create|compose|plus|+|make"},
    {"edit", "edit|modify|amend|rename|adjust"},
    {"more",
     "more|more options|overflow|menu|navigation drawer|open navigation drawer|hamburger|drawer|see more|show more"},
    {"increase",
     "increase|raise|turn up|louder|brighter|bigger|larger|higher|longer|one more|minute more|one minute more|hour "
     "more"},
    {"decrease",
     "decrease|lower|reduce|turn down|quieter|dimmer|darker|smaller|shorter|minus|less|one less|one minute less"},
    {"send", "send|submit|post"},
    {"undo", "undo|revert"},
    {"share", "share"},
    {"filter", "filter|sort|filter and sort|sort by"},
    {"forget", "forget|unpair"},
    {"redeem", "redeem|apply code|apply voucher|use code"},
    {"connect", "connect|join network"},
    {"learn_more", "learn more|more information|find out more"},
    {"favourite",
     "favourite|favorite|wish list|wishlist|like|heart|bookmark|star|saved item|remembered|remember|for later"},
    {"search", "search|find|look for|look up|lookup|magnifier"},
    {"home", "home|home screen|homepage|start page"},
    {"back", "back|navigate up|go back"},
    // Accounts.
    {"sign_in", "sign in|log in|login|signin|log on|sign me in|log me in|log into|sign into|authenticate"},
    {"sign_out", "sign out|log out|logout|signout|log off|sign me out|log me out"},
    {"sign_up", "sign up|signup|register|create account|create an account|registration|join"},
    {"user_name", "user name|username|user id|user|login name|account name"},
    {"email", "email|e mail|email address|e mail address|mail"},
    {"password", "password|passcode|passphrase|pass word"},
    {"pin", "pin|pin code"},
    {"account", "account|profile|my account|my profile"},
    {"call", "call|dial|phone call|ring up"},
    {"name", "name|full name|called"},
    {"address",
     "address|street|shipping address|delivery address|place for deliveries|delivery place|street and number"},
    {"phone_number", "phone number|telephone|mobile number|telephone number"},
    {"recipient", "recipient|send to|to whom"},
    // Shopping.
    {"basket",
     "basket|cart|shopping cart|shopping basket|shopping bag|trolley|my bag|to bag|to the bag|into "
     "bag|into the bag|into my bag|in my bag|in the bag"},
    {"checkout", "checkout|check out|go to checkout|proceed to checkout|to the till"},
    {"buy", "buy|purchase|buy now"},
    {"place_order",
     "place order|place the order|place my order|order now|complete order|complete purchase|confirm order|"
     "confirm purchase|submit order|complete the purchase|complete the order|finish order|buy it|order it"},
    {"pay", "pay|pay now|payment"},
    {"order",
     "order|purchases|order history|past purchases|my orders|past orders|earlier purchases|"
     "previous orders|previous purchases|bought before|bought|bought earlier|ordered before|ordered|ordered earlier"},
    {"product", "product|article|goods|merchandise"},
    {"shop", "shop|store|market|shopping|webshop|supermarket"},
    {"price", "price|cost|how expensive"},
    {"total", "total|sum|grand total|subtotal"},
    {"quantity", "quantity|qty|amount|number of items"},
    {"voucher", "voucher|coupon|discount code|promo code|gift code|voucher code"},
    {"delivery", "delivery|shipping"},
    {"order_done",
     "thank you for your order|order placed|order confirmed|order received|order complete|thank you|thanks for your "
     "order"},
    {"shoe", "shoe|sneaker|trainers|footwear"},
    {"trousers", "trousers|pants"},
    {"jumper", "jumper|sweater|pullover"},
    {"mug", "mug|cup"},
    {"headphones", "headphones|earphones|headset|earbuds"},
    {"sofa", "sofa|couch|settee"},
    {"torch", "torch|flashlight"},
    {"mobile", "mobile|cellular|cell phone|cellphone|smartphone"},
    // Radios and networks.
    {"airplane_mode",
     "airplane mode|flight mode|aeroplane mode|plane mode|aircraft mode|airplane|aeroplane|flight safe mode"},
    {"wifi", "wifi|wi fi|wlan|wireless lan|wireless network|wireless internet"},
    {"bluetooth", "bluetooth"},
    {"mobile_data", "mobile data|cellular data|cell data|data connection|mobile internet"},
    {"hotspot", "hotspot|hot spot|tethering|tether|share connection|internet sharing"},
    {"roaming", "roaming|data abroad|data roaming"},
    {"network", "network|internet|connection|connectivity|network and internet|network internet"},
    {"automatic_time",
     "set time automatically|time automatically|automatic time|automatic date and time|set the time automatically"},
    {"show_passwords", "show passwords|passwords while typing|show passwords while typing|show the passwords"},
    {"serial", "serial number|serial"},
    {"kernel", "kernel|kernel version"},
    {"model", "model|model number"},
    {"near", "near|nearby|neighbourhood|neighborhood|vicinity|close by|around here|near you|near me"},
    {"stock", "in stock|sold out|out of stock|available|availability|stock"},
    {"archive", "archive|archived|put away|stow away"},
    {"pin_top", "pin note|pin|stay at the top|stay on top|keep at the top|at the top|pinned|pin to top|unpin"},
    {"mark_read", "mark all as read|mark as read|all as read"},
    {"return_goods", "return|send back|give back|return items"},
    {"world_clock", "world clock|what time it is in|time in other cities"},
    {"developer", "developer|developer options|developers"},
    {"all_apps", "all apps|app drawer|list of all apps|list of apps"},
    {"express", "express|tomorrow|next day|overnight"},
    {"title_label", "label|caption"},
    {"city", "city|town|postcode and city|postcode|zip|zip code"},
    {"nfc", "nfc|near field communication|contactless"},
    {"vpn", "vpn|virtual private network"},
    {"data_saver", "data saver|data saving|save data"},
    {"sim", "sim|sim card"},
    // Display.
    {"dark_mode",
     "dark mode|dark theme|night theme|dark colours|dark colors|dark appearance|black background|dark design|"
     "dark look|dark scheme|dark|night mode"},
    {"light_mode", "light mode|light theme|bright theme|light colours|light colors"},
    {"night_light",
     "night light|blue light|blue light filter|eye comfort|night shift|eye protection|warm colours at night"},
    {"brightness", "brightness|screen brightness|brightness level"},
    {"adaptive_brightness",
     "adaptive brightness|auto brightness|automatic brightness|adjust brightness automatically|"
     "adapt brightness"},
    {"auto_rotate",
     "auto rotate|autorotate|auto rotation|rotate screen|screen rotation|rotate automatically|"
     "auto rotate screen|rotation|rotate"},
    {"screen_timeout",
     "screen timeout|screen time out|sleep after|turn off screen after|display timeout|"
     "screen stays on|screen lock delay"},
    {"font_size",
     "font size|text size|size of the text|size of text|letter size|larger text|bigger "
     "text|font|letter|writing|lettering"},
    {"wallpaper", "wallpaper|background picture|background image"},
    {"theme", "theme|appearance|colour scheme|color scheme"},
    {"display", "display|screen settings"},
    // Sound.
    {"volume", "volume|loudness|media volume"},
    {"ringtone", "ringtone|ring tone|phone ringtone"},
    {"vibration", "vibration|vibrate|buzz|buzzing|haptic|vibrate for calls|vibrate on calls"},
    {"silent", "silent|mute|silent mode|muted|silence"},
    {"do_not_disturb", "do not disturb|dnd|quiet mode|dont disturb|don't disturb|undisturbed"},
    {"sound", "sound|audio|sounds|noise|tones"},
    {"touch_sounds",
     "touch sounds|sounds on touch|sound when i touch|sounds when i touch|tap sounds|click sounds|key tones|keypad "
     "tones|dial tones|dial pad tones|keypress sounds"},
    {"notification", "notification|alert|push message|push notification"},
    // Device.
    {"battery", "battery|charge level|battery level"},
    {"battery_saver",
     "battery saver|power saver|power saving|power saving mode|low power mode|save battery|save power|"
     "energy saver|energy saving|battery saving"},
    {"storage", "storage|disk space|free space|memory card"},
    {"about_phone",
     "about phone|about device|about the phone|phone information|device information|about this phone|"
     "system information|phone info|about tablet|about|device info"},
    {"version", "version|release|build|software version|android version|os version|system version|build number"},
    {"language", "language|languages and input|locale"},
    {"date_time", "date and time|date time|time zone|timezone|24 hour format|24 hour|clock format"},
    {"location", "location|gps|positioning|location access|whereabouts"},
    {"security", "security"},
    {"screen_lock", "screen lock|lock screen|phone lock"},
    {"fingerprint", "fingerprint"},
    {"always_on",
     "always on display|always show time|always show the time|always shows the time|time on the lock screen|ambient "
     "display"},
    {"device_name", "device name|name of the phone|phone name|name of this phone|name of the device"},
    {"choose", "choose|pick|select"},
    {"start", "start|begin"},
    {"stop", "stop|pause"},
    {"result", "result"},
    {"privacy", "privacy"},
    {"accessibility", "accessibility"},
    {"permission", "permission|app permission|access right"},
    {"update", "update|upgrade|system update|software update"},
    {"backup", "backup|back up"},
    {"reset", "reset|factory reset|wipe|erase all data"},
    {"settings", "settings|preferences|configuration|system settings|setting"},
    {"help", "help|support|faq|feedback"},
    {"english", "english"},
    {"german", "german|deutsch"},
    {"french", "french|français"},
    {"spanish", "spanish|español|castellano"},
    {"japanese", "japanese|日本語"},
    {"arabic", "arabic|العربية"},
    {"chinese", "chinese|中文|简体中文"},
    {"italian", "italian|italiano"},
    {"portuguese", "portuguese|português"},
    {"hour", "hour"},
    {"minute", "minute"},
    {"keyboard", "keyboard|input method"},
    {"system", "system"},
    // Small apps.
    {"note", "note|memo|jotting|notepad"},
    {"task", "task|to do|todo|to do list|checklist|to do item"},
    {"reminder", "reminder|remind me"},
    {"alarm", "alarm|wake me up|wake up call|alarm clock|wake me"},
    {"timer", "timer|countdown|egg timer"},
    {"stopwatch", "stopwatch|stop watch"},
    {"clock", "clock"},
    {"calendar", "calendar|agenda|diary"},
    {"event", "event|appointment|meeting"},
    {"contact", "contact|address book|people|contacts list"},
    {"message", "message|text message|sms|chat|conversation|dm"},
    {"camera", "camera"},
    {"photo", "photo|picture|image|gallery|album|photograph"},
    {"video", "video|movie|film|clip"},
    {"music", "music|song|playlist|track"},
    {"map", "map|directions|route"},
    {"weather", "weather|forecast|rain|temperature"},
    {"calculator", "calculator|calculate|compute"},
    {"file", "file|document|folder"},
    {"browser", "browser|web browser|website|web page"},
    {"news", "news|headline|article list"},
    {"title", "title|subject|heading|headline text"},
    {"text_body", "text|body|content|description|details"},
};

inline constexpr TopicRow topic_rows[] = {
    {"airplane_mode", "network"},
    {"wifi", "network"},
    {"bluetooth", "network device"},
    {"mobile_data", "network mobile sim"},
    {"hotspot", "network"},
    {"roaming", "mobile_data network sim"},
    {"nfc", "network"},
    {"vpn", "network"},
    {"data_saver", "network mobile_data"},
    {"sim", "network"},
    {"network", "settings"},
    {"dark_mode", "theme display"},
    {"light_mode", "theme display"},
    {"night_light", "display"},
    {"brightness", "display"},
    {"adaptive_brightness", "brightness display"},
    {"auto_rotate", "display"},
    {"screen_timeout", "display"},
    {"screen_lock", "security"},
    {"fingerprint", "security"},
    {"always_on", "display"},
    {"device_name", "about_phone"},
    {"font_size", "display accessibility"},
    {"wallpaper", "display theme"},
    {"theme", "display"},
    {"display", "settings"},
    {"volume", "sound"},
    {"ringtone", "sound"},
    {"vibration", "sound"},
    {"silent", "sound"},
    {"do_not_disturb", "sound notification"},
    {"touch_sounds", "sound"},
    {"sound", "settings"},
    {"notification", "settings"},
    {"battery", "settings"},
    {"battery_saver", "battery"},
    {"storage", "settings"},
    {"about_phone", "settings system"},
    {"version", "about_phone system"},
    {"update", "system about_phone"},
    {"automatic_time", "date_time system"},
    {"show_passwords", "security"},
    {"serial", "about_phone"},
    {"kernel", "version about_phone"},
    {"model", "about_phone"},
    {"near", "location"},
    {"stock", "product shop"},
    {"world_clock", "clock"},
    {"archive", "more"},
    {"mark_read", "more"},
    {"developer", "system"},
    {"return_goods", "order"},
    {"backup", "system"},
    {"reset", "system"},
    {"language", "system"},
    {"date_time", "system"},
    {"keyboard", "system language"},
    {"system", "settings"},
    {"location", "privacy settings"},
    {"security", "settings privacy"},
    {"pin", "screen_lock security"},
    {"privacy", "settings"},
    {"accessibility", "settings"},
    {"permission", "privacy"},
    {"sign_in", "account more"},
    {"sign_out", "account more settings"},
    {"sign_up", "sign_in account"},
    {"password", "sign_in"},
    {"account", "more"},
    {"order", "account more shop"},
    {"favourite", "account more shop"},
    {"address", "account"},
    {"basket", "shop"},
    {"checkout", "basket shop"},
    {"place_order", "checkout basket shop"},
    {"pay", "checkout basket shop"},
    {"buy", "shop product"},
    {"product", "shop"},
    {"price", "product shop"},
    {"total", "basket checkout"},
    {"quantity", "basket"},
    {"voucher", "basket checkout"},
    {"delivery", "order checkout shop"},
    {"settings", "more account"},
    {"help", "more settings"},
    {"alarm", "clock"},
    {"timer", "clock"},
    {"stopwatch", "clock"},
    {"task", "note"},
    {"reminder", "task calendar"},
    {"event", "calendar"},
    {"photo", "camera"},
    {"phone_number", "contact"},
};

/// Words that say little about what is meant.
inline constexpr std::string_view generic_words =
    "use mode option screen page button list menu thing item feature function section area tab entry window field "
    "icon row app application device phone value state status info information current now";

/// Words that carry no meaning of their own here.
inline constexpr std::string_view stop_words =
    "a an the my me i im your you our us we it its this that these those there their them of to in into on onto for "
    "from "
    "with at by as is are be been am was were and or another please just can could would should will want need like "
    "which who so all any some have has had do does did let lets then than also too very really out up over "
    "via using through when where if not dont what how itself myself";

/// What an app of a topic is called on most phones, where that is not the topic's own name.
struct AppNameRow {
  std::string_view topic;
  std::string_view name;
};

inline constexpr AppNameRow app_name_rows[] = {
    {"note", "Notes"}, {"message", "Messages"}, {"contact", "Contacts"}, {"photo", "Photos"}, {"map", "Maps"},
    {"file", "Files"}, {"task", "Tasks"},       {"call", "Phone"},       {"email", "Mail"},
};

/// The app that a topic lives in, for choosing an app by a goal's words.
inline constexpr std::string_view app_topics =
    "settings shop clock calendar note contact message camera photo video music map weather calculator file browser "
    "news "
    "call task email";

}  // namespace drover::providers::scripted
