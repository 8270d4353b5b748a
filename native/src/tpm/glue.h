// The JavaScript handle of a connection to a TPM. No logic, no checks of arguments.
#pragma once

#include <napi.h>

namespace nodecore::tpm {

void Define(Napi::Env env, Napi::Object exports);

}  // namespace nodecore::tpm
