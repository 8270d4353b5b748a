import { CaptureFormat } from '@nodecore/api/capture';

/**
 * Bytes of the whole records at the beginning of `bytes` that fit in `room`; 0 when the first one does not.
 *
 * @param bytes whole records as a node sends them: little-endian, of a pcap file or blocks of a pcapng file.
 */
export function fitting(bytes: Uint8Array, format: CaptureFormat, room: number): number {
  if (bytes.length <= room) return bytes.length;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at < bytes.length;) {
    const end = at + sizeOf(view, at, format);
    if (end > room) return at;
    at = end;
  }
  return bytes.length;
}

/** Bytes of the record there. */
export function sizeOf(view: DataView, at: number, format: CaptureFormat): number {
  return format === CaptureFormat.PCAPNG ? view.getUint32(at + 4, true) : 16 + view.getUint32(at + 8, true);
}
