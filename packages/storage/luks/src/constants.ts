/** Numbers of libcryptsetup.h that cross the boundary, under their C names. */
export const CRYPT_LUKS2 = 'LUKS2';
/** As the keyslot to open: every one until one opens, except those to ignore. As the keyslot to fill: the first free one. */
export const CRYPT_ANY_SLOT = -1;
/** crypt_token_json_set takes the first free id. */
export const CRYPT_ANY_TOKEN = -1;

/** crypt_keyslot_priority: not tried with CRYPT_ANY_SLOT, only when it is asked for by number. */
export const CRYPT_SLOT_PRIORITY_IGNORE = 0;
/** The default: tried with CRYPT_ANY_SLOT after those to prefer. */
export const CRYPT_SLOT_PRIORITY_NORMAL = 1;
/** Tried first with CRYPT_ANY_SLOT. */
export const CRYPT_SLOT_PRIORITY_PREFER = 2;

/** crypt_status_info: no mapping has the name. */
export const CRYPT_INACTIVE = 1;
/** The mapping exists, and nothing has it open. */
export const CRYPT_ACTIVE = 2;
/** The mapping exists, and a filesystem, another mapping or a program has it open. */
export const CRYPT_BUSY = 3;

/** crypt_set_log_callback: the level of a message that explains a failure. */
export const CRYPT_LOG_ERROR = 1;
/** crypt_set_debug_level: the log callback also gets debug messages, with this level. */
export const CRYPT_LOG_DEBUG = -1;
/** Ends debug messages; messages of other levels still reach the log callback. */
export const CRYPT_LOG_NONE = 0;

/** crypt_pbkdf_type.flags: takes the costs as they are given, without measuring the machine. */
export const CRYPT_PBKDF_NO_BENCHMARK = 0x2;

/** crypt_persistent_flags_set: the flags are those of an activation. */
export const CRYPT_FLAGS_ACTIVATION = 0;

/** The mapping refuses writes; the header never keeps this flag. */
export const CRYPT_ACTIVATE_READONLY = 0x1;
/** Passes discards on to the device below, which then shows which sectors are unused. */
export const CRYPT_ACTIVATE_ALLOW_DISCARDS = 0x8;
/** dm-crypt encrypts on the CPU that submitted the request, instead of spreading the work over all of them. */
export const CRYPT_ACTIVATE_SAME_CPU_CRYPT = 0x40;
/** dm-crypt submits writes from the CPUs that encrypted them, without its thread that sorts them first. */
export const CRYPT_ACTIVATE_SUBMIT_FROM_CRYPT_CPUS = 0x80;
/** Takes a lock below /run/cryptsetup, which needs root, for one memory-hard key derivation at a time on the machine. */
export const CRYPT_ACTIVATE_SERIALIZE_MEMORY_HARD_PBKDF = 0x80000;
/** dm-crypt decrypts reads at once instead of in its workqueue. Since Linux 5.9. */
export const CRYPT_ACTIVATE_NO_READ_WORKQUEUE = 0x1000000;
/** dm-crypt encrypts writes at once instead of in its workqueue. Since Linux 5.9. */
export const CRYPT_ACTIVATE_NO_WRITE_WORKQUEUE = 0x2000000;
