import { EfiError } from '../errors.ts';
import { guidBytes, guidText } from '../guid.ts';
import { type SignatureList, encodeSignatureLists } from '../signature-list.ts';
import { keyVariable } from './attributes.ts';
import { type KeyVariable, nameBytes, vendorOf } from './key-variables.ts';

/** EFI_FIRMWARE_VOLUME_HEADER: a signature, and how long it is itself. */
const volumeSignature = 0x28;
const volumeHeaderLength = 0x30;
/** VARIABLE_STORE_HEADER of EDK II behind it. */
const storeHeaderBytes = 28;
const authenticatedStore = 'aaf32c78-947b-439a-a180-2e144ec37792';
const formatted = 0x5a;
const healthy = 0xfe;
/** AUTHENTICATED_VARIABLE_HEADER. */
const headerBytes = 60;
const startOfVariable = 0x55aa;
const added = 0x3f;

/** A variable in a store. */
export type StoredVariable = {
  readonly name: string;
  readonly vendor: string;
  readonly attributes: number;
  readonly value: Buffer;
};

/**
 * A variable store of OVMF with keys of one's own, from one without: a machine that has it starts signed images only, from its
 * first boot on. Nothing is read or written.
 *
 * @param blank `OVMF_VARS_4M.fd`, or another store without keys. Not changed.
 * @param others variables without a signature, such as boot options.
 * @throws {EfiError} `ERR_EFI_STORE` when it is no store, has keys already, or no room for these.
 * @example
 * ```ts
 * const blank = await readFile('/usr/share/OVMF/OVMF_VARS_4M.fd');
 * const list = certificateList(await readFile('uki-signing-cert.pem'), owner);
 * await writeFile('variables.fd', variableStore(blank, { PK: [list], KEK: [list], db: [list] }));
 * ```
 */
export function variableStore(
  blank: Uint8Array,
  keys: Readonly<Partial<Record<KeyVariable, readonly SignatureList[]>>>,
  others: readonly StoredVariable[] = [],
): Buffer {
  const store = Buffer.from(blank);
  const { end, limit } = boundsOf(store);
  const present = storedVariables(store).map(({ name }) => name);
  let at = end;
  // PK last, as firmware enrols them: with it the store leaves setup mode.
  const keyVariables = (['KEK', 'db', 'dbx', 'PK'] as const).flatMap((name) => {
    const lists = keys[name];
    if (lists === undefined) return [];
    const value = encodeSignatureLists(lists);
    return [{ name, vendor: vendorOf(name), attributes: keyVariable, value }];
  });
  for (const variable of [...keyVariables, ...others]) {
    const { name } = variable;
    if (present.includes(name)) throw new EfiError('ERR_EFI_STORE', `the variable store has ${name} already`);
    const bytes = encodeVariable(variable);
    if (at + bytes.length > limit)
      throw new EfiError('ERR_EFI_STORE', `the variable store has no room for ${name}`);
    store.set(bytes, at);
    at = aligned(at + bytes.length);
  }
  return store;
}

/**
 * The variables of a store that count, in their order.
 *
 * @throws {EfiError} `ERR_EFI_STORE` for what is no store of OVMF.
 */
export function storedVariables(store: Uint8Array): readonly StoredVariable[] {
  return [...walk(Buffer.from(store.buffer, store.byteOffset, store.length))].flatMap(
    ({ variable }) => variable ?? [],
  );
}

function encodeVariable({ name, vendor, attributes, value }: StoredVariable): Buffer {
  const text = Buffer.concat([nameBytes(name), Buffer.alloc(2)]);
  const header = Buffer.alloc(headerBytes);
  header.writeUInt16LE(startOfVariable, 0);
  header.writeUInt8(added, 2);
  header.writeUInt32LE(attributes, 4);
  header.writeUInt32LE(text.length, 36);
  header.writeUInt32LE(value.length, 40);
  header.set(guidBytes(vendor), 44);
  return Buffer.concat([header, text, value]);
}

type Walked = { readonly end: number; readonly variable?: StoredVariable };

function* walk(store: Buffer): Generator<Walked> {
  const { start, limit } = storeRange(store);
  for (let at = start; at + headerBytes <= limit && store.readUInt16LE(at) === startOfVariable;) {
    const nameSize = store.readUInt32LE(at + 36);
    const valueSize = store.readUInt32LE(at + 40);
    const end = at + headerBytes + nameSize + valueSize;
    if (end > limit) throw new EfiError('ERR_EFI_STORE', 'a variable reaches behind the end of its store');
    const name = store.subarray(at + headerBytes, at + headerBytes + nameSize).toString('utf16le');
    const isCurrent = store.readUInt8(at + 2) === added; // an earlier value stays until the store is compacted
    const variable = {
      name: name.replace(/\0+$/u, ''),
      vendor: guidText(store, at + 44),
      attributes: store.readUInt32LE(at + 4),
      value: store.subarray(end - valueSize, end),
    };
    at = aligned(end);
    yield { end: at, ...(isCurrent && { variable }) };
  }
}

function boundsOf(store: Buffer): { readonly end: number; readonly limit: number } {
  const { start, limit } = storeRange(store);
  let end = start;
  for (const walked of walk(store)) end = walked.end;
  return { end, limit };
}

function storeRange(store: Buffer): { readonly start: number; readonly limit: number } {
  const isVolume =
    store.length > 0x100 && store.toString('latin1', volumeSignature, volumeSignature + 4) === '_FVH';
  if (!isVolume) throw new EfiError('ERR_EFI_STORE', 'not a variable store: it is no volume of firmware');
  const at = store.readUInt16LE(volumeHeaderLength);
  if (at + storeHeaderBytes > store.length || guidText(store, at) !== authenticatedStore) {
    throw new EfiError('ERR_EFI_STORE', 'not a variable store with authenticated variables');
  }
  const size = store.readUInt32LE(at + 16);
  const isUsable = store.readUInt8(at + 20) === formatted && store.readUInt8(at + 21) === healthy;
  if (!isUsable || size < storeHeaderBytes || at + size > store.length) {
    throw new EfiError('ERR_EFI_STORE', 'the variable store is not healthy');
  }
  return { start: aligned(at + storeHeaderBytes), limit: at + size };
}

function aligned(at: number): number {
  return Math.ceil(at / 4) * 4;
}
