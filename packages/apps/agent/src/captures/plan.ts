import { CaptureDirection, CaptureFormat, type CaptureRequest } from '@nodecore/api/capture';
import type { CaptureInterface, CaptureOptions, Direction } from '@nodecore/capture';

import { CapturesError } from './errors.ts';
import { checkFileName, longestName } from './file-name.ts';
import type { Limits } from './portions.ts';
import type { Format } from './stream-format.ts';

/** A file on the node. */
export type FilePlan = { readonly name: string; readonly nextBytes: bigint; readonly keep: number };

/** What is to be captured, and where to. */
export type Plan = {
  readonly options: CaptureOptions;
  readonly format: Format;
  readonly limits: Limits;
  readonly durationMs: number | undefined;
  readonly file: FilePlan | undefined;
  /** Whose packets they are is told. */
  readonly owners: boolean;
};

const maxInterfaces = 16;
/** Locked memory of all rings of a capture together; one gets no less than its share of the most interfaces. */
const ringsBytes = 64 << 20;
/** What timers take: 24 days. */
const longestMs = 2 ** 31 - 1;
const ethernet = 1;

/**
 * Reads a request. Names of interfaces, filters and the snap length are checked by the capture itself.
 *
 * @param apiPort where the node's API listens.
 * @param available interfaces of the node.
 * @throws {CapturesError} `ERR_CAPTURES_REQUEST`
 */
export function planOf(
  request: CaptureRequest,
  apiPort: number,
  available: readonly CaptureInterface[],
): Plan {
  const { interfaces, promiscuous, snapLength, durationMillis, packets, bytes, file } = request;
  if (interfaces.length > maxInterfaces) throw wrong(`there are at most ${maxInterfaces} interfaces`);
  if (durationMillis > longestMs) throw wrong(`a capture takes at most ${longestMs} ms`);
  const except = request.includeApiTraffic ? [] : apiTraffic(apiPort, interfaces, available);
  return {
    options: {
      interfaces,
      promiscuous,
      direction: directionOf(request.direction),
      except,
      ringBytes: Math.floor(ringsBytes / Math.max(1, interfaces.length)),
      ...(snapLength > 0 && { snapLength }),
      ...filterOf(request),
    },
    format: formatOf(request),
    limits: { packets, bytes },
    durationMs: durationMillis === 0 ? undefined : durationMillis,
    file: file === undefined ? undefined : filePlan(file),
    owners: ownersOf(request),
  };
}

/**
 * Whatever goes to or comes from the API's port, not only the caller's own connection: two captures that saw each
 * other's streams would feed each other without end. With a tag, too, which is in the frame where a network card does
 * not put it there itself.
 */
function apiTraffic(
  port: number,
  interfaces: readonly string[],
  available: readonly CaptureInterface[],
): readonly string[] {
  const text = `tcp port ${port}`;
  const isEthernet = (name: string): boolean =>
    available.some((one) => one.name === name && one.linkType === ethernet);
  return interfaces.every(isEthernet) ? [text, `vlan and ${text}`] : [text];
}

function filterOf({ filter, instructions }: CaptureRequest): Pick<CaptureOptions, 'filter'> {
  if (filter !== '' && instructions.length > 0) throw wrong('a filter is text or instructions, not both');
  if (filter !== '') return { filter };
  return instructions.length > 0 ? { filter: instructions } : {};
}

function directionOf(direction: CaptureDirection): Direction {
  switch (direction) {
    case CaptureDirection.UNSPECIFIED:
      return 'both';
    case CaptureDirection.IN:
      return 'in';
    case CaptureDirection.OUT:
      return 'out';
    default: // a number that a newer client knows
      throw wrong(`direction ${String(direction)} is not known`);
  }
}

function ownersOf({ owners, format, file }: CaptureRequest): boolean {
  if (owners && format !== CaptureFormat.PCAPNG)
    throw wrong('only pcapng has room for the owners of packets');
  if (owners && file !== undefined)
    throw wrong('owners of packets are told to the caller, not in files on the node');
  return owners;
}

function formatOf({ format, interfaces }: CaptureRequest): Format {
  switch (format) {
    case CaptureFormat.UNSPECIFIED:
      return interfaces.length > 1 ? 'pcapng' : 'pcap';
    case CaptureFormat.PCAP:
      return 'pcap';
    case CaptureFormat.PCAPNG:
      return 'pcapng';
    default:
      throw wrong(`format ${String(format)} is not known`);
  }
}

const minNextBytes = 1n << 16n;

function filePlan({ name, nextBytes, keep }: FilePlan): FilePlan {
  checkFileName(name, longestName);
  if (nextBytes > 0n && nextBytes < minNextBytes)
    throw wrong(`a file of a ring holds at least ${minNextBytes} bytes`);
  if (keep > 0 && nextBytes === 0n) throw wrong('a number of files to keep goes with a size');
  if (keep > 99_999) throw wrong('at most 99999 files are kept');
  return { name, nextBytes, keep };
}

function wrong(message: string): CapturesError {
  return new CapturesError('ERR_CAPTURES_REQUEST', message);
}
