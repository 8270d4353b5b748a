import { extname } from 'node:path';

import { CaptureDirection, CaptureFormat, type CaptureRequestInit } from '@nodecore/api/capture';

import { UsageError } from '@nodecore/cli';
import { readFilter } from './filter.ts';
import type { TalkerKind } from './talkers.ts';

/** The flags of `pcap`, as they are typed. */
export type PcapFlags = {
  readonly interface?: readonly string[];
  readonly output?: string;
  readonly bpfFilter?: string;
  readonly duration?: number;
  readonly promiscuous?: true;
  readonly count?: number;
  readonly snaplen?: number;
  readonly direction: 'in' | 'out' | 'both';
  readonly includeApiTraffic?: true;
  readonly fileSize?: number;
  readonly keep?: number;
  readonly pcapng?: true;
  readonly writeOnNode?: string;
  readonly listOnNode?: true;
  readonly fetchFromNode?: string;
  readonly removeOnNode?: string;
  readonly force?: true;
  readonly verbose?: true;
  readonly json?: true;
  readonly owners?: true;
  readonly by?: TalkerKind;
};

/** Where packets go. */
export type Destination =
  | { readonly kind: 'lines'; readonly json: boolean }
  | { readonly kind: 'talkers'; readonly by: TalkerKind; readonly format: string }
  | { readonly kind: 'stdout' }
  | { readonly kind: 'files'; readonly path: string; readonly rotation: Rotation; readonly force: boolean }
  | { readonly kind: 'node' };

/** Goes on in the next file before one is larger. */
export type Rotation = { readonly fileBytes: number; readonly keep: number } | undefined;

/** What timers of the node take. */
const longestMs = 2 ** 31 - 1;

const directions = {
  both: CaptureDirection.UNSPECIFIED,
  in: CaptureDirection.IN,
  out: CaptureDirection.OUT,
} as const;

/** @throws {UsageError} for flags that don't go together. */
export function destinationOf(flags: PcapFlags): Destination {
  const { output, writeOnNode, json, fileSize, keep, force, duration, by, owners } = flags;
  if (duration !== undefined && duration > longestMs)
    throw new UsageError('--duration is at most 596h; leave it out, and interrupt the capture');
  if (owners === true && writeOnNode !== undefined)
    throw new UsageError('--owners are told to you, not to files on the node; leave out --write-on-node');
  if (by !== undefined) return talkers(by, flags);
  const isFile = output !== undefined && output !== '-';
  if (writeOnNode !== undefined && output !== undefined)
    throw new UsageError('packets go to -o or to --write-on-node, not to both');
  if (json === true && (output !== undefined || writeOnNode !== undefined))
    throw new UsageError('--json is for packets on standard output; leave out -o and --write-on-node');
  if (fileSize !== undefined && !isFile && writeOnNode === undefined)
    throw new UsageError('--file-size is for files: it goes with -o <file> or --write-on-node');
  if (keep !== undefined && fileSize === undefined) throw new UsageError('--keep goes with --file-size');
  if (force === true && !isFile) throw new UsageError('--force goes with -o <file>');
  if (writeOnNode !== undefined) return { kind: 'node' };
  if (output === undefined) return { kind: 'lines', json: json === true };
  if (!isFile) return { kind: 'stdout' };
  const rotation = fileSize === undefined ? undefined : { fileBytes: fileSize, keep: keep ?? Infinity };
  return { kind: 'files', path: output, rotation, force: force === true };
}

/** With `--by` no packet is shown, and `-o` says how the table is written, as everywhere else. */
function talkers(
  by: TalkerKind,
  { output, writeOnNode, json, fileSize, keep, force }: PcapFlags,
): Destination {
  if ([writeOnNode, fileSize, keep, force].some((flag) => flag !== undefined))
    throw new UsageError('--by counts packets and writes no file; leave out what is for files');
  return { kind: 'talkers', by, format: json === true ? 'json' : (output ?? 'table') };
}

/** Headers are all that counting needs. */
const countedBytes = 192;

/** What the node is asked. @throws {FilterError} for instructions that can't be read. */
export async function requestOf(flags: PcapFlags): Promise<CaptureRequestInit> {
  const { output, writeOnNode, pcapng, count, duration, fileSize, keep, by } = flags;
  const owners = flags.owners === true || by === 'process' || by === 'container';
  const isPcapng = pcapng === true || owners || extname(output ?? writeOnNode ?? '') === '.pcapng';
  const snaplen = flags.snaplen ?? (by === undefined ? undefined : countedBytes);
  return {
    interfaces: flags.interface ?? ['eth0'],
    promiscuous: flags.promiscuous === true,
    direction: directions[flags.direction],
    includeApiTraffic: flags.includeApiTraffic === true,
    ...(owners && { owners }),
    format: isPcapng ? CaptureFormat.PCAPNG : CaptureFormat.UNSPECIFIED,
    ...(flags.bpfFilter !== undefined && (await readFilter(flags.bpfFilter))),
    ...(snaplen !== undefined && { snapLength: snaplen }),
    ...(count !== undefined && { packets: BigInt(count) }),
    ...(duration !== undefined && { durationMillis: duration }),
    ...(writeOnNode !== undefined && {
      file: { name: writeOnNode, nextBytes: BigInt(fileSize ?? 0), keep: keep ?? 0 },
    }),
  };
}
