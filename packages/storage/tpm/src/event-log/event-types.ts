/** Types of events (TCG PC Client Platform Firmware Profile, table 27), without `EV_`. */
export const eventType = {
  PREBOOT_CERT: 0x0,
  POST_CODE: 0x1,
  NO_ACTION: 0x3,
  SEPARATOR: 0x4,
  ACTION: 0x5,
  EVENT_TAG: 0x6,
  S_CRTM_CONTENTS: 0x7,
  S_CRTM_VERSION: 0x8,
  CPU_MICROCODE: 0x9,
  PLATFORM_CONFIG_FLAGS: 0xa,
  TABLE_OF_DEVICES: 0xb,
  COMPACT_HASH: 0xc,
  IPL: 0xd,
  IPL_PARTITION_DATA: 0xe,
  NONHOST_CODE: 0xf,
  NONHOST_CONFIG: 0x10,
  NONHOST_INFO: 0x11,
  OMIT_BOOT_DEVICE_EVENTS: 0x12,
  POST_CODE2: 0x13,
  EFI_VARIABLE_DRIVER_CONFIG: 0x8000_0001,
  EFI_VARIABLE_BOOT: 0x8000_0002,
  EFI_BOOT_SERVICES_APPLICATION: 0x8000_0003,
  EFI_BOOT_SERVICES_DRIVER: 0x8000_0004,
  EFI_RUNTIME_SERVICES_DRIVER: 0x8000_0005,
  EFI_GPT_EVENT: 0x8000_0006,
  EFI_ACTION: 0x8000_0007,
  EFI_PLATFORM_FIRMWARE_BLOB: 0x8000_0008,
  EFI_HANDOFF_TABLES: 0x8000_0009,
  EFI_PLATFORM_FIRMWARE_BLOB2: 0x8000_000a,
  EFI_HANDOFF_TABLES2: 0x8000_000b,
  EFI_VARIABLE_BOOT2: 0x8000_000c,
  EFI_GPT_EVENT2: 0x8000_000d,
  EFI_HCRTM_EVENT: 0x8000_0010,
  EFI_VARIABLE_AUTHORITY: 0x8000_00e0,
  EFI_SPDM_FIRMWARE_BLOB: 0x8000_00e1,
  EFI_SPDM_FIRMWARE_CONFIG: 0x8000_00e2,
} as const;

const names: ReadonlyMap<number, string> = new Map(
  Object.entries(eventType).map(([name, number]) => [number, name]),
);
const numbers: ReadonlyMap<string, number> = new Map(Object.entries(eventType));

/** The name of a type; its number in hexadecimal when the profile has no name for it. */
export function typeName(number: number): string {
  return names.get(number) ?? `0x${number.toString(16)}`;
}

/** The number that a name of {@link typeName} stands for; undefined for anything else. */
export function typeNumber(name: string): number | undefined {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  return /^0x[0-9a-f]{1,8}$/.test(name) ? Number(name) : undefined;
}
