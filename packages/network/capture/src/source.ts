import {
  both,
  compileForInterface,
  encode,
  forDatagramSocket,
  type Instruction,
  type Program,
  program,
  withSnapLength,
} from '@nodecore/bpf';
import type { PacketRingOptions } from '@nodecore/native';

import { everything, except, onceOnLoopback, onlyDirection } from './guard.ts';
import { anyInterface, type CaptureInterface, findInterface, interfaces } from './interfaces.ts';
import { linkTypes } from './link-type.ts';
import { type CaptureOptions, checkOptions, largestSnapLength } from './options.ts';
import { ringSize } from './ring-size.ts';

/** What a capture takes from, as files describe it. */
export type CapturedInterface = Pick<CaptureInterface, 'name' | 'linkType'> & {
  readonly snapLength: number;
  /** The filter's text, where it was text. */
  readonly filter: string | undefined;
  /** What the kernel runs: the filter, and what directions, exceptions and the snap length add to it. */
  readonly program: Program;
};

/** One interface of a capture, and what runs on it. */
export type Source = CaptureInterface & CapturedInterface & { readonly ring: PacketRingOptions };

export function describeSource({ name, linkType, snapLength, filter, program }: Source): CapturedInterface {
  return { name, linkType, snapLength, filter, program };
}

/** Finds the interfaces and compiles their filters. Nothing is opened yet. */
export async function prepareSources(options: CaptureOptions, retireMs: number): Promise<readonly Source[]> {
  checkOptions(options);
  const found = options.interfaces.map(findInterface);
  return await Promise.all(found.map((one) => prepareSource(one, options, retireMs)));
}

async function prepareSource(
  one: CaptureInterface,
  options: CaptureOptions,
  retireMs: number,
): Promise<Source> {
  const { filter, promiscuous = false, snapLength = largestSnapLength, ringBytes = 64 << 20 } = options;
  const list = await programOf(one, options, snapLength);
  return {
    ...one,
    filter: typeof filter === 'string' ? filter : undefined,
    snapLength,
    program: list,
    ring: {
      interfaceIndex: one.index,
      cooked: one.linkType === linkTypes.sll2,
      promiscuous,
      filter: encode(list),
      ...ringSize(ringBytes, snapLength),
      retireMs,
    },
  };
}

/** What the kernel runs: guards first, then the filter, which says how much of a packet is kept. */
async function programOf(one: CaptureInterface, options: CaptureOptions, bytes: number): Promise<Program> {
  const { filter, except: excluded = [], direction = 'both' } = options;
  const compile = async (text: string): Promise<Program> =>
    (await compileForInterface(one.name, text, { snapLength: bytes })).program;
  const texts = await Promise.all(excluded.map(compile));
  const main = typeof filter === 'string' ? await compile(filter) : toProgram(filter);
  const onSocket = one.linkType === linkTypes.sll2 ? forDatagramSocket : (list: Program): Program => list;
  const guards = [
    ...loopbackGuards(one),
    ...(direction === 'both' ? [] : [onlyDirection(direction)]),
    ...texts.map((text) => except(onSocket(text))),
  ];
  return withSnapLength(
    guards.reduceRight((rest, guard) => both(guard, rest), onSocket(main)),
    bytes,
  );
}

function toProgram(instructions: readonly Instruction[] | undefined): Program {
  return instructions === undefined ? everything : program(instructions);
}

/** Both directions of a packet on loopback are the same packet. */
function loopbackGuards(one: CaptureInterface): readonly Program[] {
  if (one.loopback) return [onceOnLoopback(one.index)];
  if (one.name !== anyInterface) return [];
  return interfaces()
    .filter((other) => other.loopback)
    .map((other) => onceOnLoopback(other.index));
}
