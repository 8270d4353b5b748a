import type { Instruction } from '@nodecore/bpf';

import { CaptureError } from './errors.ts';
import type { Direction } from './guard.ts';

/** What to capture. Every kind of capture takes these. */
export type CaptureOptions = {
  /** Names of interfaces, or `any` alone. */
  readonly interfaces: readonly string[];
  /** pcap-filter(7) text, compiled for each interface's own link type, or instructions that run on all of them. */
  readonly filter?: string | readonly Instruction[];
  /** pcap-filter(7) texts of what is left out, whatever `filter` says: a program's own connections. */
  readonly except?: readonly string[];
  readonly direction?: Direction;
  /** Default false. Ends with the capture, also when the process is killed. Not with `any`. */
  readonly promiscuous?: boolean;
  /** Bytes kept of each packet; default 262144, which is all of it. */
  readonly snapLength?: number;
  /** Locked kernel memory per interface; default 64 MiB, and never less than four packets of the snap length take. */
  readonly ringBytes?: number;
};

/** Bytes of a packet that are kept at most: as much as libpcap takes. */
export const largestSnapLength = 262_144;
const smallestRingBytes = 1 << 20;
const largestRingBytes = 1 << 30;

/** @throws {CaptureError} `ERR_CAPTURE_OPTION`, which names the option. */
export function checkOptions(options: CaptureOptions): void {
  const { interfaces, promiscuous = false, snapLength, ringBytes } = options;
  if (interfaces.length === 0) throw wrong('interfaces', 'names none');
  if (new Set(interfaces).size < interfaces.length) throw wrong('interfaces', 'names one twice');
  if (interfaces.includes('any')) {
    if (interfaces.length > 1) throw wrong('interfaces', 'has others beside any, which is all of them');
    if (promiscuous) throw wrong('promiscuous', 'needs interfaces by name');
  }
  checkRange('snapLength', snapLength, 1, largestSnapLength);
  checkRange('ringBytes', ringBytes, smallestRingBytes, largestRingBytes);
}

export function checkRange(name: string, value: number | undefined, least: number, most: number): void {
  if (value === undefined || (Number.isInteger(value) && value >= least && value <= most)) return;
  throw wrong(name, `is a whole number from ${least} to ${most}, not ${value}`);
}

function wrong(name: string, what: string): CaptureError {
  return new CaptureError('ERR_CAPTURE_OPTION', `${name} ${what}`);
}
