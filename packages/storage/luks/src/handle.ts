import { callFailed, type LuksError, type LuksErrorCode } from './errors.ts';
import {
  type CryptDevice,
  type Cryptsetup,
  cryptsetup,
  type Out,
  type PbkdfStruct,
  readPbkdf,
  type Status,
} from './ffi.ts';
import { call, errorText } from './log.ts';

type Name = keyof Cryptsetup;
type Rest<K extends Name> = Parameters<Cryptsetup[K]> extends [unknown, ...infer R] ? R : never;
type Codes = Readonly<Record<number, LuksErrorCode>>;

/** Functions that answer from memory; everything else goes to a pool thread. */
type Getter =
  | 'crypt_get_cipher'
  | 'crypt_get_cipher_mode'
  | 'crypt_get_device_name'
  | 'crypt_get_label'
  | 'crypt_get_subsystem'
  | 'crypt_get_type'
  | 'crypt_get_uuid';

/** Owns one `crypt_device`. Used inside the queue only. */
export class Handle implements AsyncDisposable, Disposable {
  /** The device, or the mapped name, as errors show it. */
  readonly device: string;
  #pointer: CryptDevice | undefined;

  private constructor(device: string, pointer: CryptDevice) {
    this.device = device;
    this.#pointer = pointer;
    // A key in a pool thread's keyring would outlive the mapping: docs/decisions/luks-queue.md.
    cryptsetup().crypt_volume_key_keyring(pointer, 0);
  }

  /** A handle for a device or a file; nothing is read of its header yet. */
  static async open(device: string): Promise<Handle> {
    return new Handle(device, await init('crypt_init', device));
  }

  /** A handle for an active mapping, with what the kernel knows of it and, where they belong together, the header. */
  static async openMapping(name: string): Promise<Handle> {
    return new Handle(name, await init('crypt_init_by_name', name));
  }

  get #live(): CryptDevice {
    if (this.#pointer === undefined) throw new TypeError('crypt_device used after it was freed');
    return this.#pointer;
  }

  /** Calls on a pool thread and returns the status, whatever it is. */
  async call<K extends Name>(name: K, ...rest: Rest<K>): Promise<Status> {
    return await call(name, ...([this.#live, ...rest] as unknown as Parameters<Cryptsetup[K]>));
  }

  /** Calls on a pool thread; a negative status becomes an error, with `codes` for what is special to the call. */
  async check<K extends Name>(name: K, codes: Codes, ...rest: Rest<K>): Promise<Status> {
    const status = await this.call(name, ...rest);
    if (status < 0) throw this.error(name, status, codes);
    return status;
  }

  /** The error of a call that has just returned `status`. */
  error(name: Name, status: Status, codes?: Codes): LuksError {
    return callFailed(name, this.device, status, errorText(), codes);
  }

  /** A text of the loaded header or mapping; empty when there is none. */
  text(name: Getter): string {
    return cryptsetup()[name](this.#live) ?? '';
  }

  /** The JSON area of the loaded header. The library keeps the text; this is a copy. */
  headerJson(): string {
    const json: Out<string> = [null];
    const status = cryptsetup().crypt_dump_json(this.#live, json, 0);
    if (status < 0 || json[0] === null) throw callFailed('crypt_dump_json', this.device, status);
    return json[0];
  }

  /** The costs that the next keyslot gets: what was set, less what the library has taken off; undefined before. */
  get costs(): PbkdfStruct | undefined {
    const pointer = cryptsetup().crypt_get_pbkdf_type(this.#live);
    return pointer === null ? undefined : readPbkdf(pointer);
  }

  get volumeKeySizeBits(): number {
    return cryptsetup().crypt_get_volume_key_size(this.#live) * 8;
  }

  get sectorSize(): number {
    return cryptsetup().crypt_get_sector_size(this.#live);
  }

  /** For a handle that has only read: closing such descriptors does not wait for the disk, so it needs no other thread. */
  [Symbol.dispose](): void {
    const pointer = this.#pointer;
    this.#pointer = undefined;
    if (pointer !== undefined) cryptsetup().crypt_free(pointer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const pointer = this.#pointer;
    this.#pointer = undefined;
    if (pointer !== undefined) await call('crypt_free', pointer);
  }
}

async function init(name: 'crypt_init' | 'crypt_init_by_name', argument: string): Promise<CryptDevice> {
  const out: Out<CryptDevice> = [null];
  const status = await call(name, out, argument);
  if (status < 0 || out[0] === null) throw callFailed(name, argument, status, errorText());
  return out[0];
}
