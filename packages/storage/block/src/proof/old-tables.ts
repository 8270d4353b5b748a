import type { DeviceFile } from '../devices/device-file.ts';
import { type GptHeader, isZero, parseGptHeader } from '../content/gpt-header.ts';

/** Tables with more partitions than this say where enough of them begin. */
const maxStarts = 24;
const maxLinks = 32;
const entryBytes = 16;
const firstEntry = 446;
const extendedTypes: ReadonlySet<number> = new Set([0x05, 0x0f, 0x85]);

/**
 * Where the partitions of tables begin that are, or were, on a device: a GUID table whose header is in one of the sectors,
 * and an MBR or one link of a chain of logical partitions. Damaged entries count: nothing is decided by them, they only say
 * where to look.
 */
export async function startsNamedBy(device: DeviceFile, sectors: readonly bigint[]): Promise<bigint[]> {
  const starts = new Set<bigint>();
  for (const at of sectors) {
    const sector = await sectorAt(device, at);
    if (sector === undefined) continue;
    const header = parseGptHeader(sector);
    const named = header === undefined ? await inChain(device, at, sector) : await inGpt(device, header, at);
    for (const start of named) if (start > 0n && start < device.sizeBytes) starts.add(start);
  }
  return [...starts].sort((one, other) => (one < other ? -1 : 1)).slice(0, maxStarts);
}

/** The entries of a first copy follow its header, those of a second one precede it; on a moved disk, too. */
async function inGpt(device: DeviceFile, header: GptHeader, at: bigint): Promise<bigint[]> {
  const sector = BigInt(device.sectorSize);
  const bytes = header.entryCount * header.entrySize;
  if (header.entrySize < 128 || bytes === 0 || bytes > 1 << 20) return [];
  const entriesAt = at + (header.entriesLba - header.ownLba) * sector;
  if (entriesAt < 0n || entriesAt + BigInt(bytes) > device.sizeBytes) return [];
  const entries = await device.read(entriesAt, bytes);
  return Array.from({ length: header.entryCount }, (_, n) => entries.subarray(n * header.entrySize)).flatMap(
    (entry) => (isZero(entry.subarray(0, 16)) ? [] : [entry.readBigUInt64LE(32) * sector]),
  );
}

/** Of an MBR, or of a boot record of a logical partition, which counts from itself and names the next one. */
async function inChain(device: DeviceFile, from: bigint, sector: Buffer): Promise<bigint[]> {
  const unit = BigInt(device.sectorSize);
  const starts: bigint[] = [];
  let extendedAt: bigint | undefined = from === 0n ? undefined : from;
  let at = from;
  let record: Buffer | undefined = sector;
  for (let links = 0; links < maxLinks && record !== undefined; links += 1) {
    let next: bigint | undefined;
    for (const { type, lba } of entriesOf(record)) {
      if (!extendedTypes.has(type)) starts.push(at + lba * unit);
      else next = (extendedAt ?? 0n) + lba * unit;
    }
    if (next === undefined || next === at) break;
    extendedAt ??= next;
    at = next;
    record = await sectorAt(device, at);
  }
  return starts;
}

function entriesOf(record: Buffer): { readonly type: number; readonly lba: bigint }[] {
  if (record.readUInt16LE(510) !== 0xaa55) return [];
  return [0, 1, 2, 3]
    .map((n) => record.subarray(firstEntry + n * entryBytes))
    .map((entry) => ({ type: entry.readUInt8(4), lba: BigInt(entry.readUInt32LE(8)) }))
    .filter(({ type, lba }) => type !== 0 && type !== 0xee && lba > 0n);
}

async function sectorAt(device: DeviceFile, at: bigint): Promise<Buffer | undefined> {
  const { sectorSize, sizeBytes } = device;
  return at < 0n || at + BigInt(sectorSize) > sizeBytes ? undefined : await device.read(at, sectorSize);
}
