import { CaptureError, type CapturedInterface, type CaptureStatistics } from '@nodecore/capture';
import { pcapHeader, pcapngHeader, pcapngStatistics } from '@nodecore/capture/formats';

export type Format = 'pcap' | 'pcapng';

/** What is around the records of batches in a file. */
export type StreamFormat = {
  readonly header: Uint8Array;
  /** @param started nanoseconds since the epoch, as `ended`. */
  readonly trailer: (statistics: CaptureStatistics, started: bigint, ended: bigint) => Uint8Array;
};

/** @throws {CaptureError} `ERR_CAPTURE_OPTION` for a pcap file of several link types. */
export function streamFormat(format: Format, interfaces: readonly CapturedInterface[]): StreamFormat {
  return format === 'pcap' ? pcap(interfaces) : pcapng(interfaces);
}

function pcap(interfaces: readonly CapturedInterface[]): StreamFormat {
  const [first, ...others] = interfaces;
  if (first === undefined) throw new TypeError('no interface');
  const odd = others.find((one) => one.linkType !== first.linkType);
  if (odd !== undefined) {
    const message = `a pcap file holds one link type, and ${odd.name} has another than ${first.name}: use pcapng`;
    throw new CaptureError('ERR_CAPTURE_OPTION', message);
  }
  return {
    header: pcapHeader(first.linkType, first.snapLength),
    trailer: () => new Uint8Array(),
  };
}

function pcapng(interfaces: readonly CapturedInterface[]): StreamFormat {
  return {
    header: pcapngHeader(interfaces, { application: 'nodecore' }),
    trailer: ({ interfaces }, started, ended) =>
      Buffer.concat(
        interfaces.map(({ seen, dropped }, index) =>
          pcapngStatistics({ interface: index, started, ended, received: seen, dropped }),
        ),
      ),
  };
}
