import { deviceName } from './device-path.ts';
import { eventType } from './event-types.ts';
import { CutShort, LittleEndian } from './little-endian.ts';
import type { Event } from './parse.ts';
import { longest, printable, utf16 } from './text.ts';

/** What an event is about, in at most 40 printable characters; `''` when its data don't tell. Never throws. */
export function describe(event: Event): string {
  return printable(subject(event));
}

function subject({ type, data }: Event): string {
  switch (type) {
    case eventType.EFI_VARIABLE_DRIVER_CONFIG:
    case eventType.EFI_VARIABLE_BOOT:
    case eventType.EFI_VARIABLE_BOOT2:
    case eventType.EFI_VARIABLE_AUTHORITY:
    case eventType.EFI_SPDM_FIRMWARE_CONFIG:
      return variableOf(data)?.name ?? '';
    case eventType.EFI_BOOT_SERVICES_APPLICATION:
    case eventType.EFI_BOOT_SERVICES_DRIVER:
    case eventType.EFI_RUNTIME_SERVICES_DRIVER:
      return imageName(data);
    case eventType.SEPARATOR:
      return 'separator';
    case eventType.S_CRTM_VERSION:
      return utf16(data);
    case eventType.EFI_PLATFORM_FIRMWARE_BLOB2:
    case eventType.EFI_HANDOFF_TABLES2:
      return sizedText(data);
    case eventType.EVENT_TAG:
      return taggedText(data);
    case eventType.ACTION:
    case eventType.EFI_ACTION:
    case eventType.POST_CODE:
    case eventType.POST_CODE2:
    case eventType.OMIT_BOOT_DEVICE_EVENTS:
    case eventType.COMPACT_HASH:
    case eventType.IPL:
      return text(data);
    case eventType.EFI_GPT_EVENT:
    case eventType.EFI_GPT_EVENT2:
      return 'GPT';
    default:
      return '';
  }
}

/** UEFI_VARIABLE_DATA: a variable of the firmware as it was measured; undefined when the data are not one. */
export function variableOf(
  data: Uint8Array,
): { readonly name: string; readonly value: Uint8Array } | undefined {
  return read(data, (reader) => {
    reader.bytes(16); // the vendor's GUID
    const characters = reader.u64();
    const size = reader.u64();
    const name = utf16(reader.bytes(characters * 2));
    return { name, value: reader.bytes(size) };
  });
}

/** UEFI_IMAGE_LOAD_EVENT: where an image was loaded from. */
function imageName(data: Uint8Array): string {
  const path = read(data, (reader) => {
    reader.bytes(24); // where it lies in memory
    return reader.bytes(reader.u64());
  });
  return path === undefined ? '' : deviceName(path);
}

/** UEFI_PLATFORM_FIRMWARE_BLOB2, UEFI_HANDOFF_TABLE_POINTERS2: a byte of size, and the description. */
function sizedText(data: Uint8Array): string {
  const bytes = read(data, (reader) => reader.bytes(reader.u8()));
  return bytes === undefined ? '' : text(bytes);
}

/** TCG_PCClientTaggedEvent: an identifier, a size, and in what Linux and systemd measure, a name. */
function taggedText(data: Uint8Array): string {
  const bytes = read(data, (reader) => {
    reader.u32();
    return reader.bytes(reader.u32());
  });
  return bytes === undefined ? '' : text(bytes);
}

/** Text in one of the two encodings that boot loaders write. */
function text(data: Uint8Array): string {
  const wide = data.length >= 4 && data[0] !== 0 && data[1] === 0 && data[3] === 0;
  return wide ? utf16(data) : Buffer.from(data.subarray(0, 4 * longest)).toString('latin1');
}

function read<T>(data: Uint8Array, parse: (reader: LittleEndian) => T): T | undefined {
  try {
    return parse(new LittleEndian(data));
  } catch (error) {
    if (error instanceof CutShort) return undefined;
    throw error;
  }
}
