import { readFormat, type Terminal } from '@nodecore/cli';
import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { everyNode } from '../nodes/every-node.ts';
import { Targets } from '../nodes/target.ts';
import { readConfiguration } from '../configuration/read.ts';
import { type ApplyFlags, printAnswers, sendConfiguration } from '../configuration/send.ts';

export type ApplyRequest = ApplyFlags & {
  readonly output: string;
  /** Path, or `-` for standard input. */
  readonly file: string;
  /** Changes to it before it is sent; `@file` reads one from a file. */
  readonly patches: readonly string[];
};

/** Checks the configuration, then sends it to all nodes at once and prints what each says. */
export async function applyConfiguration(
  request: ApplyRequest,
  flags: GlobalFlags & MaintenanceFlags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(request.output);
  const data = await readConfiguration(request.file, request.patches, terminal, request.isVerbose);
  await using targets = await Targets.open(flags, terminal);
  const { signal } = terminal;
  const { results, throwFailures } = await everyNode(targets.all, (target) =>
    sendConfiguration(target, data, request, { signal }),
  );
  await printAnswers(results, { ...request, format }, terminal);
  throwFailures();
}
