/** SCSI Primary Commands, vital product data: a page is its type, its code, a big-endian length, and the payload. */
function payload(page: Uint8Array | undefined, code: number): Buffer | undefined {
  if (page === undefined || page.byteLength < 4 || page[1] !== code) return undefined;
  const bytes = Buffer.from(page.buffer, page.byteOffset, page.byteLength);
  return bytes.subarray(4, 4 + bytes.readUInt16BE(2));
}

/** Page 0x80, unit serial number. `''` when the page is absent or says nothing. */
export function unitSerialNumber(page: Uint8Array | undefined): string {
  return printable(payload(page, 0x80));
}

type Designator = { readonly rank: number; readonly text: (bytes: Buffer) => string };

const logicalUnit = 0;
// Best first, as the kernel ranks them for its own `wwid` attribute: NAA, EUI-64, SCSI name string, T10 vendor.
const designators: ReadonlyMap<number, Designator> = new Map<number, Designator>([
  [3, { rank: 0, text: (bytes) => `naa.${bytes.toString('hex')}` }],
  [2, { rank: 1, text: (bytes) => `eui.${bytes.toString('hex')}` }],
  [8, { rank: 2, text: printable }],
  [1, { rank: 3, text: (bytes) => `t10.${printable(bytes)}` }],
]);

/** The world-wide name from page 0x83, device identification: the best designator of the logical unit, or `''`. */
export function worldWideName(page: Uint8Array | undefined): string {
  const bytes = payload(page, 0x83) ?? Buffer.alloc(0);
  let best: { rank: number; text: string } | undefined;
  for (let at = 0; at + 4 <= bytes.byteLength; at += 4 + (bytes[at + 3] ?? 0)) {
    const type = (bytes[at + 1] ?? 0) & 0x0f;
    const association = ((bytes[at + 1] ?? 0) >> 4) & 0x03;
    const known = designators.get(type);
    if (known === undefined || association !== logicalUnit) continue;
    const text = known.text(bytes.subarray(at + 4, at + 4 + (bytes[at + 3] ?? 0)));
    if (best === undefined || known.rank < best.rank) best = { rank: known.rank, text };
  }
  return best?.text ?? '';
}

function printable(bytes: Buffer | undefined): string {
  // oxlint-disable-next-line no-control-regex -- padding is spaces or zeros, whatever the vendor liked
  return (bytes?.toString('latin1') ?? '').replaceAll(/[\u0000-\u001f\u007f-\u00ff]/g, '').trim();
}
