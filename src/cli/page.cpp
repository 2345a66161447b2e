// The page of tutti report with its data put in.

#include "cli/page.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace tutti::core::cli {

std::string page_of(const nlohmann::ordered_json& data) {
  constexpr std::string_view place = R"(<script type="application/json" id="data">{}</script>)";
  const std::string_view page = empty_page();
  const std::size_t at = page.find(place);
  if (at == std::string_view::npos)
    throw std::logic_error("web/dist/report.html has no place for data");
  const std::size_t begin = at + place.find("{}");
  std::string text(page.substr(0, begin));
  // In JSON < stands in strings only. Escaped, nothing there can end the element.
  for (const char c : data.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace))
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  text += page.substr(begin + 2);
  return text;
}

}  // namespace tutti::core::cli
