/**
 * libcryptsetup.so.12, function by function, exactly as its header has them.
 * No logic here. The names stay in C spelling so that they can be searched in the manual.
 */
import { koffi, lazy, loadLibrary } from '@nodecore/sys';
import type { KoffiFunc, TypeObject } from 'koffi';

// Koffi pointers are bare bigints: C would accept any of them anywhere. The brand makes tsc refuse.
declare const brand: unique symbol;
export type CryptDevice = bigint & { readonly [brand]: 'crypt_device' };
export type PbkdfPointer = bigint & { readonly [brand]: 'crypt_pbkdf_type' };
export type LogCallback = bigint & { readonly [brand]: 'crypt_log_callback' };

koffi().opaque('crypt_device');

/**
 * The costs of a key derivation: `time_ms` milliseconds, `max_memory_kb` KiB. With CRYPT_PBKDF_NO_BENCHMARK, `iterations`
 * counts instead of `time_ms`.
 */
export const crypt_pbkdf_type: TypeObject = koffi().struct('crypt_pbkdf_type', {
  type: 'const char *',
  hash: 'const char *',
  time_ms: 'uint32_t',
  iterations: 'uint32_t',
  max_memory_kb: 'uint32_t',
  parallel_threads: 'uint32_t',
  flags: 'uint32_t',
});

/** What crypt_format is told about a LUKS2 header: `data_alignment` in sectors of 512 bytes, `sector_size` in bytes. */
export const crypt_params_luks2: TypeObject = koffi().struct('crypt_params_luks2', {
  pbkdf: 'const crypt_pbkdf_type *',
  integrity: 'const char *',
  integrity_params: 'const void *',
  data_alignment: 'size_t',
  data_device: 'const char *',
  sector_size: 'uint32_t',
  label: 'const char *',
  subsystem: 'const char *',
});

/** What crypt_get_active_device fills in; `offset`, `iv_offset` and `size` in sectors of 512 bytes. */
export const crypt_active_device: TypeObject = koffi().struct('crypt_active_device', {
  offset: 'uint64_t',
  iv_offset: 'uint64_t',
  size: 'uint64_t',
  flags: 'uint32_t',
});

const crypt_log_callback: TypeObject = koffi().proto(
  'void crypt_log_callback(int level, const char *msg, void *usrptr)',
);

export type PbkdfStruct = {
  readonly type: string;
  readonly hash: string | null;
  readonly time_ms: number;
  readonly iterations: number;
  readonly max_memory_kb: number;
  readonly parallel_threads: number;
  readonly flags: number;
};

export type ParamsLuks2Struct = {
  readonly pbkdf: null; // what crypt_set_pbkdf_type has set
  readonly integrity: null;
  readonly integrity_params: null;
  readonly data_alignment: number;
  readonly data_device: null;
  readonly sector_size: number;
  readonly label: string | null;
  readonly subsystem: string | null;
};

export type ActiveDeviceStruct = {
  offset: number | bigint;
  iv_offset: number | bigint;
  size: number | bigint;
  flags: number;
};

export type Out<T> = [T | null];
export type Status = number; // 0, a keyslot, or a negative errno
type Passphrase = Uint8Array | null;

/** The functions we use. Every one that reads a disk, derives a key or asks the kernel is called asynchronously. */
export type Cryptsetup = {
  readonly crypt_init: KoffiFunc<(cd: Out<CryptDevice>, device: string) => Status>;
  readonly crypt_init_by_name: KoffiFunc<(cd: Out<CryptDevice>, name: string) => Status>;
  /** Takes the pointer: it is dead after this call. */
  readonly crypt_free: KoffiFunc<(cd: CryptDevice) => void>;
  readonly crypt_set_log_callback: KoffiFunc<
    (cd: CryptDevice | null, log: LogCallback | null, usrptr: null) => void
  >;
  /** Of the whole library. */
  readonly crypt_set_debug_level: KoffiFunc<(level: number) => void>;
  readonly crypt_volume_key_keyring: KoffiFunc<(cd: CryptDevice, enable: number) => Status>;
  readonly crypt_load: KoffiFunc<(cd: CryptDevice, type: string, params: null) => Status>;
  readonly crypt_format: KoffiFunc<
    (
      cd: CryptDevice,
      type: string,
      cipher: string,
      cipher_mode: string,
      uuid: string | null,
      volume_key: null,
      volume_key_size: number,
      params: ParamsLuks2Struct,
    ) => Status
  >;
  readonly crypt_set_pbkdf_type: KoffiFunc<(cd: CryptDevice, pbkdf: PbkdfStruct) => Status>;
  /** Points into the handle: read it at once, with `readPbkdf`. */
  readonly crypt_get_pbkdf_type: KoffiFunc<(cd: CryptDevice) => PbkdfPointer | null>;
  readonly crypt_keyslot_add_by_volume_key: KoffiFunc<
    (
      cd: CryptDevice,
      keyslot: number,
      volume_key: null,
      volume_key_size: number,
      passphrase: Passphrase,
      passphrase_size: number,
    ) => Status
  >;
  readonly crypt_keyslot_add_by_passphrase: KoffiFunc<
    (
      cd: CryptDevice,
      keyslot: number,
      passphrase: Passphrase,
      passphrase_size: number,
      new_passphrase: Passphrase,
      new_passphrase_size: number,
    ) => Status
  >;
  readonly crypt_keyslot_set_priority: KoffiFunc<
    (cd: CryptDevice, keyslot: number, priority: number) => Status
  >;
  readonly crypt_token_external_disable: KoffiFunc<() => void>;
  readonly crypt_token_json_set: KoffiFunc<(cd: CryptDevice, token: number, json: string | null) => Status>;
  readonly crypt_token_assign_keyslot: KoffiFunc<(cd: CryptDevice, token: number, keyslot: number) => Status>;
  readonly crypt_token_unassign_keyslot: KoffiFunc<
    (cd: CryptDevice, token: number, keyslot: number) => Status
  >;
  readonly crypt_repair: KoffiFunc<(cd: CryptDevice, type: string, params: null) => Status>;
  readonly crypt_resize: KoffiFunc<(cd: CryptDevice, name: string, new_size: bigint) => Status>;
  readonly crypt_keyslot_destroy: KoffiFunc<(cd: CryptDevice, keyslot: number) => Status>;
  readonly crypt_persistent_flags_set: KoffiFunc<(cd: CryptDevice, type: number, flags: number) => Status>;
  readonly crypt_activate_by_passphrase: KoffiFunc<
    (
      cd: CryptDevice,
      name: string | null,
      keyslot: number,
      passphrase: Passphrase,
      passphrase_size: number,
      flags: number,
    ) => Status
  >;
  readonly crypt_deactivate: KoffiFunc<(cd: CryptDevice | null, name: string) => Status>;
  readonly crypt_status: KoffiFunc<(cd: CryptDevice | null, name: string) => number>;
  readonly crypt_get_active_device: KoffiFunc<
    (cd: CryptDevice, name: string, cad: ActiveDeviceStruct) => Status
  >;
  readonly crypt_dump_json: KoffiFunc<(cd: CryptDevice, json: Out<string>, flags: number) => Status>;
  readonly crypt_get_type: KoffiFunc<(cd: CryptDevice) => string | null>;
  readonly crypt_get_uuid: KoffiFunc<(cd: CryptDevice) => string | null>;
  readonly crypt_get_label: KoffiFunc<(cd: CryptDevice) => string | null>;
  readonly crypt_get_subsystem: KoffiFunc<(cd: CryptDevice) => string | null>;
  readonly crypt_get_cipher: KoffiFunc<(cd: CryptDevice) => string | null>;
  readonly crypt_get_cipher_mode: KoffiFunc<(cd: CryptDevice) => string | null>;
  readonly crypt_get_device_name: KoffiFunc<(cd: CryptDevice) => string | null>;
  readonly crypt_get_volume_key_size: KoffiFunc<(cd: CryptDevice) => number>;
  readonly crypt_get_sector_size: KoffiFunc<(cd: CryptDevice) => number>;
};

/** The library, loaded at first use. Throws `LibraryError` where it is not installed. */
export const cryptsetup: () => Cryptsetup = lazy(() => {
  const lib = loadLibrary('libcryptsetup.so.12', {
    debian: 'libcryptsetup12',
    fedora: 'cryptsetup-libs',
  });
  return {
    crypt_init: lib.func('int crypt_init(_Out_ crypt_device **cd, const char *device)'),
    crypt_init_by_name: lib.func('int crypt_init_by_name(_Out_ crypt_device **cd, const char *name)'),
    crypt_free: lib.func('void crypt_free(crypt_device *cd)'),
    crypt_set_log_callback: lib.func(
      'void crypt_set_log_callback(crypt_device *cd, crypt_log_callback *log, void *usrptr)',
    ),
    crypt_set_debug_level: lib.func('void crypt_set_debug_level(int level)'),
    crypt_volume_key_keyring: lib.func('int crypt_volume_key_keyring(crypt_device *cd, int enable)'),
    crypt_load: lib.func('int crypt_load(crypt_device *cd, const char *requested_type, void *params)'),
    crypt_format: lib.func(
      'int crypt_format(crypt_device *cd, const char *type, const char *cipher, const char *cipher_mode, ' +
        'const char *uuid, const void *volume_key, size_t volume_key_size, crypt_params_luks2 *params)',
    ),
    crypt_set_pbkdf_type: lib.func(
      'int crypt_set_pbkdf_type(crypt_device *cd, const crypt_pbkdf_type *pbkdf)',
    ),
    crypt_get_pbkdf_type: lib.func('const crypt_pbkdf_type *crypt_get_pbkdf_type(crypt_device *cd)'),
    crypt_keyslot_add_by_volume_key: lib.func(
      'int crypt_keyslot_add_by_volume_key(crypt_device *cd, int keyslot, const void *volume_key, ' +
        'size_t volume_key_size, const void *passphrase, size_t passphrase_size)',
    ),
    crypt_keyslot_add_by_passphrase: lib.func(
      'int crypt_keyslot_add_by_passphrase(crypt_device *cd, int keyslot, const void *passphrase, ' +
        'size_t passphrase_size, const void *new_passphrase, size_t new_passphrase_size)',
    ),
    crypt_keyslot_set_priority: lib.func(
      'int crypt_keyslot_set_priority(crypt_device *cd, int keyslot, int priority)',
    ),
    crypt_token_external_disable: lib.func('void crypt_token_external_disable(void)'),
    crypt_token_json_set: lib.func('int crypt_token_json_set(crypt_device *cd, int token, const char *json)'),
    crypt_token_assign_keyslot: lib.func(
      'int crypt_token_assign_keyslot(crypt_device *cd, int token, int keyslot)',
    ),
    crypt_token_unassign_keyslot: lib.func(
      'int crypt_token_unassign_keyslot(crypt_device *cd, int token, int keyslot)',
    ),
    crypt_repair: lib.func('int crypt_repair(crypt_device *cd, const char *requested_type, void *params)'),
    crypt_resize: lib.func('int crypt_resize(crypt_device *cd, const char *name, uint64_t new_size)'),
    crypt_keyslot_destroy: lib.func('int crypt_keyslot_destroy(crypt_device *cd, int keyslot)'),
    crypt_persistent_flags_set: lib.func(
      'int crypt_persistent_flags_set(crypt_device *cd, int type, uint32_t flags)',
    ),
    crypt_activate_by_passphrase: lib.func(
      'int crypt_activate_by_passphrase(crypt_device *cd, const char *name, int keyslot, ' +
        'const void *passphrase, size_t passphrase_size, uint32_t flags)',
    ),
    crypt_deactivate: lib.func('int crypt_deactivate(crypt_device *cd, const char *name)'),
    crypt_status: lib.func('int crypt_status(crypt_device *cd, const char *name)'),
    crypt_get_active_device: lib.func(
      'int crypt_get_active_device(crypt_device *cd, const char *name, _Out_ crypt_active_device *cad)',
    ),
    crypt_dump_json: lib.func(
      'int crypt_dump_json(crypt_device *cd, _Out_ const char **json, uint32_t flags)',
    ),
    crypt_get_type: lib.func('const char *crypt_get_type(crypt_device *cd)'),
    crypt_get_uuid: lib.func('const char *crypt_get_uuid(crypt_device *cd)'),
    crypt_get_label: lib.func('const char *crypt_get_label(crypt_device *cd)'),
    crypt_get_subsystem: lib.func('const char *crypt_get_subsystem(crypt_device *cd)'),
    crypt_get_cipher: lib.func('const char *crypt_get_cipher(crypt_device *cd)'),
    crypt_get_cipher_mode: lib.func('const char *crypt_get_cipher_mode(crypt_device *cd)'),
    crypt_get_device_name: lib.func('const char *crypt_get_device_name(crypt_device *cd)'),
    crypt_get_volume_key_size: lib.func('int crypt_get_volume_key_size(crypt_device *cd)'),
    crypt_get_sector_size: lib.func('int crypt_get_sector_size(crypt_device *cd)'),
  };
});

/** What the library's struct holds now. */
export function readPbkdf(pointer: PbkdfPointer): PbkdfStruct {
  return koffi().decode(pointer, crypt_pbkdf_type) as PbkdfStruct;
}

/** A C function pointer to a JavaScript function, valid for the life of the process. */
export function registerLog(log: (level: number, message: string) => void): LogCallback {
  return koffi().register(log, koffi().pointer(crypt_log_callback)) as LogCallback;
}
