import { Serial } from '@nodecore/waiting';
import { callAsync } from '@nodecore/sys';

import {
  type BpfProgramStruct,
  copyInstructions,
  type Instructions,
  type Libpcap,
  libpcap,
  type Pcap,
} from './ffi.ts';

/** One run of libpcap's compiler; plain data, so that it can be sent to another process. */
export type Request = {
  readonly text: string;
  readonly dlt: number;
  readonly snapLength: number;
  /** In the machine's byte order. */
  readonly netmask: number;
  readonly optimize: boolean;
};

/** What libpcap made of it: `struct bpf_insn` after `struct bpf_insn`, or its own words. */
export type Answer = { readonly instructions: Uint8Array } | { readonly error: string };

// libpcap's scanner and parser are not thread-safe before 1.8, and later its look-ups of names are not: one at a time.
const queue = new Serial();

/** Compiles for a link type, on a pool thread. What has begun can't be interrupted: it may look up names. */
export function compileOnce(request: Request, signal?: AbortSignal): Promise<Answer> {
  return queue.run(async () => {
    const lib = libpcap();
    const handle = lib.pcap_open_dead(request.dlt, request.snapLength);
    if (handle === null) throw new Error('pcap_open_dead: out of memory');
    try {
      return await compileWith(lib, handle, request);
    } finally {
      lib.pcap_close(handle);
    }
  }, signal);
}

/** Runs a task that calls libpcap in its turn. */
export function inTurn<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  return queue.run(task, signal);
}

/** Compiles for an open handle. Only to be called {@link inTurn}. */
export async function compileWith(
  lib: Libpcap,
  handle: Pcap,
  { text, optimize, netmask }: Pick<Request, 'text' | 'optimize' | 'netmask'>,
): Promise<Answer> {
  const compiled: BpfProgramStruct = { bf_len: 0, bf_insns: null };
  const status = await callAsync(lib.pcap_compile, handle, compiled, text, optimize ? 1 : 0, netmask);
  if (status !== 0) return { error: lib.pcap_geterr(handle) };
  try {
    return { instructions: copyInstructions(compiled.bf_insns as Instructions, compiled.bf_len) };
  } finally {
    lib.pcap_freecode(compiled);
  }
}
