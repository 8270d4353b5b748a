/** Numbers of libcryptsetup.h that cross the boundary, under their C names. */
export const CRYPT_LUKS2 = 'LUKS2';
export const CRYPT_ANY_SLOT = -1;
export const CRYPT_ANY_TOKEN = -1;

/** crypt_keyslot_priority */
export const CRYPT_SLOT_PRIORITY_IGNORE = 0;
export const CRYPT_SLOT_PRIORITY_NORMAL = 1;
export const CRYPT_SLOT_PRIORITY_PREFER = 2;

/** crypt_status_info */
export const CRYPT_INACTIVE = 1;
export const CRYPT_ACTIVE = 2;
export const CRYPT_BUSY = 3;

/** crypt_set_log_callback: the level of a message that explains a failure. */
export const CRYPT_LOG_ERROR = 1;
/** crypt_set_debug_level */
export const CRYPT_LOG_DEBUG = -1;
export const CRYPT_LOG_NONE = 0;

/** crypt_pbkdf_type.flags */
export const CRYPT_PBKDF_NO_BENCHMARK = 0x2;

/** Activation flags that a mapping can have. */
export const CRYPT_FLAGS_ACTIVATION = 0;

export const CRYPT_ACTIVATE_READONLY = 0x1;
export const CRYPT_ACTIVATE_ALLOW_DISCARDS = 0x8;
export const CRYPT_ACTIVATE_SAME_CPU_CRYPT = 0x40;
export const CRYPT_ACTIVATE_SUBMIT_FROM_CRYPT_CPUS = 0x80;
export const CRYPT_ACTIVATE_SERIALIZE_MEMORY_HARD_PBKDF = 0x80000;
export const CRYPT_ACTIVATE_NO_READ_WORKQUEUE = 0x1000000;
export const CRYPT_ACTIVATE_NO_WRITE_WORKQUEUE = 0x2000000;
