// What else is known of a file, as fields of nodecore.v1.FileEntry.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "files/walk.h"
#include "files/wire.h"

namespace nodecore::files {

// The number in nodecore.v1.FileType of a d_type.
std::uint32_t WireType(std::uint8_t type) noexcept;

// `item` with its status.
void AddDetails(Wire& wire, const Item& item);

// Names of the extended attributes of a file; none where it can't have any.
std::vector<std::string> AttributeNames(const Item& item);

// What one says; empty when it is gone.
std::string Attribute(const Item& item, const std::string& name);

// Where a symbolic link leads.
std::string TargetOf(const Item& item);

}  // namespace nodecore::files
