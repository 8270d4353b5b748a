import { linkText } from './names.ts';

/** What udev's programs make of a SCSI disk's vital product data: the rest of `scsi-…` or `ata-…`, and of `wwn-…`. */
export type VitalNames = { readonly serial: string; readonly wwn?: string };

const binary = 1;
const ascii = 2;
const naa = 3;

/** Types of designators, best first, with the sub-type of NAA; a vendor's own text needs vendor and model to be unique. */
const wanted: readonly { readonly type: number; readonly sub?: number }[] = [
  { type: naa, sub: 6 },
  { type: naa, sub: 5 },
  { type: naa },
  { type: 2 },
  { type: 1 },
  { type: 0 },
];

export type Inquiry = { readonly vendor: string; readonly model: string };

/** SCSI Primary Commands, page 0x83: the best designator of the logical unit; else page 0x80, the unit's serial number. */
export function scsiNames(
  { vendor, model }: Inquiry,
  page83: Uint8Array | undefined,
  page80: Uint8Array | undefined,
): VitalNames | undefined {
  const who = vendor.padEnd(8) + model.padEnd(16);
  const designators = designatorsOf(page83);
  for (const { type, sub } of wanted) {
    for (const code of [binary, ascii]) {
      const found = designators.find(
        (one) =>
          one.type === type && one.code === code && (sub === undefined || one.bytes.readUInt8() >> 4 === sub),
      );
      if (found === undefined) continue;
      const text = found.bytes.toString(code === ascii ? 'latin1' : 'hex');
      const serial = linkText(`${type}${type === 0 ? who : ''}${text}`);
      return type === naa ? { serial, wwn: `0x${text}` } : { serial };
    }
  }
  const unit = payload(page80, 0x80)?.toString('latin1');
  return unit === undefined ? undefined : { serial: linkText(`S${who}${unit}`) };
}

/** ATA Command Set, IDENTIFY DEVICE, as page 0x89 has it: model, serial number, and the world-wide name where there is one. */
export function ataNames(page89: Uint8Array | undefined): VitalNames | undefined {
  const identify = payload(page89, 0x89)?.subarray(56, 56 + 512);
  if (identify === undefined || identify.length < 512) return undefined;
  const swapped = Buffer.from(identify).swap16();
  const text = (word: number, words: number): string =>
    linkText(swapped.toString('latin1', 2 * word, 2 * (word + words)).replaceAll('\0', ' '));
  const serial = text(10, 10);
  const model = text(27, 20);
  const hasName = (identify.readUInt16LE(2 * 87) & 0xc100) === 0x4100;
  const wwn = swapped.readBigUInt64BE(2 * 108);
  return {
    serial: serial === '' ? model : `${model}_${serial}`,
    ...(hasName && wwn !== 0n ? { wwn: `0x${wwn.toString(16)}` } : {}),
  };
}

type Designator = { readonly type: number; readonly code: number; readonly bytes: Buffer };

function designatorsOf(page: Uint8Array | undefined): readonly Designator[] {
  const bytes = payload(page, 0x83) ?? Buffer.alloc(0);
  const found: Designator[] = [];
  for (let at = 0; at + 4 < bytes.length; at += 4 + bytes.readUInt8(at + 3)) {
    const [code = 0, type = 0, , length = 0] = bytes.subarray(at, at + 4);
    const ofUnit = (type & 0x30) === 0;
    const designator = bytes.subarray(at + 4, at + 4 + length);
    if (ofUnit && designator.length > 0)
      found.push({ type: type & 0x0f, code: code & 0x0f, bytes: designator });
  }
  return found;
}

function payload(page: Uint8Array | undefined, code: number): Buffer | undefined {
  if (page === undefined || page.byteLength < 4 || page[1] !== code) return undefined;
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  return bytes.subarray(4, 4 + bytes.readUInt16BE(2));
}
