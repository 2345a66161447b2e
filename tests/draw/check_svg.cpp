#include "check_svg.hpp"

#include <map>
#include <regex>

namespace tutti::core {

namespace {

using Attributes = std::map<std::string, std::string>;

bool entities_are_closed(const std::string& text) {
  static const std::regex entity("&(amp|lt|gt|quot);");
  const std::string rest = std::regex_replace(text, entity, "");
  return rest.find('&') == std::string::npos && rest.find('<') == std::string::npos;
}

/// Digits and letters of the wide fonts in use take up to 0.64 of the size, dashes and blanks less.
double estimated_width(const std::string& text, double size) {
  double width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c & 0xC0) == 0x80) continue;
    const bool narrow = c == ' ' || c == ',' || c == '.' || (c & 0x80) != 0;
    width += narrow ? 0.45 * size : 0.62 * size;
  }
  return width;
}

}  // namespace

SvgReport check_svg(const std::string& document) {
  SvgReport report;
  std::vector<std::string> open;
  std::vector<Attributes> attributes_of;
  double text_width = 0;
  std::string text;
  static const std::regex attribute(R"re(\s+([A-Za-z][-A-Za-z0-9:]*)="([^"<]*)")re");
  for (std::size_t at = 0; at < document.size();) {
    const std::size_t tag = document.find('<', at);
    const std::string between = document.substr(at, tag - at);
    if (!entities_are_closed(between)) report.fault = "bad text: " + between;
    if (!open.empty() && (open.back() == "text" || open.back() == "tspan")) {
      std::string size;
      for (const Attributes& each : attributes_of)
        if (each.contains("font-size")) size = each.at("font-size");
      text += between;
      text_width += estimated_width(between, std::stod(size));
    }
    if (tag == std::string::npos) break;
    const std::size_t end = document.find('>', tag);
    if (end == std::string::npos) report.fault = "a tag does not end";
    if (!report.fault.empty()) return report;
    std::string inside = document.substr(tag + 1, end - tag - 1);
    at = end + 1;
    if (inside.front() == '?') continue;
    if (inside.front() == '/') {
      if (open.empty() || open.back() != inside.substr(1)) {
        report.fault = "unexpected <" + inside + ">";
        return report;
      }
      if (open.back() == "text") {
        const Attributes& mine = attributes_of.back();
        const double x = std::stod(mine.at("x")), y = std::stod(mine.at("y"));
        const double size = std::stod(mine.at("font-size"));
        const std::string anchor = mine.contains("text-anchor")
                                       ? mine.at("text-anchor")
                                       : attributes_of.front()["text-anchor"];
        const double left = anchor == "start" ? x
                            : anchor == "end" ? x - text_width
                                              : x - text_width / 2;
        report.texts.push_back({text, left, y - 0.73 * size, left + text_width, y + 0.25 * size});
      }
      open.pop_back();
      attributes_of.pop_back();
      continue;
    }
    const bool closed = inside.back() == '/';
    if (closed) inside.pop_back();
    const std::string name = inside.substr(0, inside.find_first_of(" \n"));
    Attributes attributes;
    std::string rest = inside.substr(name.size());
    for (std::smatch found;
         std::regex_search(rest, found, attribute, std::regex_constants::match_continuous);) {
      if (!attributes.emplace(found[1], found[2]).second) report.fault = "twice: " + found.str();
      rest = found.suffix();
    }
    if (rest.find_first_not_of(" \n") != std::string::npos)
      report.fault = "bad attributes: " + rest;
    if (open.empty()) {
      if (name != "svg" || report.width > 0) {
        report.fault = "the document is not one <svg>";
        return report;
      }
      report.width = std::stod(attributes.at("width"));
      report.height = std::stod(attributes.at("height"));
    }
    if (closed) continue;
    open.push_back(name);
    attributes_of.push_back(attributes);
    if (name == "text") {
      text.clear();
      text_width = 0;
    }
  }
  if (!open.empty()) report.fault = "<" + open.back() + "> is not closed";
  return report;
}

}  // namespace tutti::core
