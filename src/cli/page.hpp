#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace tutti::core::cli {

/// The page of web/, without data.
std::string_view empty_page();

/// The same with data in it: {"results": [...], "records": [...], "profiles": [...], "schedules":
/// [...]}, each of which may be left out.
std::string page_of(const nlohmann::ordered_json& data);

}  // namespace tutti::core::cli
