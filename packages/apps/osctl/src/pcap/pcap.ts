import type { CaptureRequestInit, CaptureStart } from '@nodecore/api/capture';

import { print, printable, readFormat, type Terminal, UsageError, writeWhole } from '@nodecore/cli';
import type { GlobalFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets, type Target } from '../nodes/target.ts';
import { FileNames } from './file-names.ts';
import { FileOutput } from './file-output.ts';
import { type Destination, destinationOf, type PcapFlags, requestOf } from './options.ts';
import { PacketCall } from './packet-call.ts';
import { beginning, ending, programs } from './summary.ts';
import type { TalkerOutput } from './talker-output.ts';

/** Captures on all nodes at once, until a limit or an interruption, which is no failure. */
export async function capturePackets(
  flags: PcapFlags & GlobalFlags,
  verbose: 0 | 1 | 2,
  terminal: Terminal,
): Promise<void> {
  const destination = destinationOf(flags);
  const request = await requestOf(flags);
  await using targets = await Targets.open(flags, terminal);
  const several = targets.all.length > 1;
  if (destination.kind === 'stdout') checkStandardOutput(several, terminal);
  const talkers = await talkersOf(destination, several, terminal);
  const { throwFailures } = await everyNode(targets.all, (target) =>
    captureOn({ target, request, destination, several, verbose, terminal, talkers }),
  );
  await talkers?.finish();
  throwFailures();
}

/** One table for all nodes. */
async function talkersOf(
  destination: Destination,
  several: boolean,
  terminal: Terminal,
): Promise<TalkerOutput | undefined> {
  if (destination.kind !== 'talkers') return undefined;
  const { TalkerOutput: Output } = await import('./talker-output.ts');
  return new Output(destination.by, await readFormat(destination.format), several, terminal);
}

function checkStandardOutput(several: boolean, { out }: Terminal): void {
  if (several) throw new UsageError('-o - is for one node; name it with -n <node>, or give a file');
  if ('isTTY' in out && out.isTTY === true)
    throw new UsageError(
      'standard output is a terminal; redirect it, or leave out -o to see packets as lines',
    );
}

type Job = {
  readonly target: Target;
  readonly request: CaptureRequestInit;
  readonly destination: Destination;
  readonly several: boolean;
  readonly verbose: 0 | 1 | 2;
  readonly terminal: Terminal;
  readonly talkers: TalkerOutput | undefined;
};

async function captureOn(job: Job): Promise<void> {
  const { target, request, destination, several, verbose, terminal, talkers } = job;
  const prefix = several ? `${printable(target.name)}: ` : '';
  const say = (text: string): Promise<void> => print(terminal.error, `${prefix}${printable(text)}\n`);
  const call = new PacketCall(target, request, terminal.signal);
  await using files = await filesOf(destination, several ? target.name : undefined);
  const interfaceNames = new Map<number, string>();
  let started: CaptureStart | undefined;
  const parts = call.parts(async (start) => {
    started = start;
    await say(beginning(start));
    if (verbose > 0) for (const text of programs(start)) await say(text);
    if (destination.kind === 'lines' && start.sources.some(({ name }) => name === 'any'))
      await readNames(target, interfaceNames);
  });
  try {
    if (destination.kind === 'lines') {
      const { printLines } = await import('./line-output.ts');
      const options = { json: destination.json, verbose, prefix, node: target.name, interfaceNames };
      await printLines(parts, () => started, options, terminal);
    } else if (talkers !== undefined) {
      await talkers.take(parts, target.name, () => started);
    } else {
      for await (const part of parts) {
        if (destination.kind === 'stdout') await writeWhole(terminal.out, part.bytes);
        else if (started !== undefined) await files?.write(part, started.format);
      }
    }
  } finally {
    // What was cut is of no interest where nothing but headers was asked for.
    const counts =
      talkers === undefined || call.counts === undefined ? call.counts : { ...call.counts, truncated: 0n };
    if (counts !== undefined) await say(ending(counts, call.report));
  }
}

async function filesOf(destination: Destination, node: string | undefined): Promise<FileOutput | undefined> {
  if (destination.kind !== 'files') return undefined;
  const { path, rotation, force } = destination;
  return await FileOutput.prepare(
    new FileNames(path, { numbered: rotation !== undefined, node }),
    rotation,
    force,
  );
}

/** Packets of `any` say only the number of their interface. */
async function readNames({ client, node }: Target, names: Map<number, string>): Promise<void> {
  const { interfaces } = await client.captureInterfaces({ node });
  for (const { index, name } of interfaces) names.set(index, printable(name));
}
