import { MachineError } from './errors.ts';

/** EFI_SECURE_BOOT_ENABLE_DISABLE_GUID f0a30bc7-af08-4556-99c4-001009c93a44, as EFI writes a GUID. */
const guid = Buffer.from('c70ba3f008af564599c4001009c93a44', 'hex');
const name = Buffer.from('SecureBootEnable\0', 'utf16le');
/** AUTHENTICATED_VARIABLE_HEADER of EDK II: the vendor's GUID is its last field; name and value follow. */
const headerBytes = 60;
const startOfVariable = 0x55aa;
const added = 0x3f;

/**
 * Does in a variable store of OVMF what a user does in the firmware's setup: switches Secure Boot off. Keys stay
 * enrolled, so the machine is not in setup mode.
 */
export function switchSecureBootOff(machine: string, store: Buffer): void {
  const field = Buffer.concat([guid, name]);
  for (let at = store.indexOf(field); at !== -1; at = store.indexOf(field, at + 1)) {
    const header = at + guid.length - headerBytes;
    if (header < 0 || store.readUInt16LE(header) !== startOfVariable) continue;
    if (store.readUInt8(header + 2) !== added) continue; // an earlier value, kept until the store is compacted
    store.writeUInt8(0, at + field.length);
    return;
  }
  throw new MachineError(
    'ERR_MACHINE_NOT_SET_UP',
    machine,
    'the variable store of OVMF has no SecureBootEnable',
  );
}
