import type { ProveEmptyResponse } from '@nodecore/api/storage';

import {
  type Format,
  formatObjects,
  print,
  printable,
  shortSize,
  Table,
  type Terminal,
  UsageError,
} from '@nodecore/cli';
import { everyNode } from '../nodes/every-node.ts';
import type { Target } from '../nodes/target.ts';
import { findDefinition } from './kind.ts';

type Receipt = NonNullable<ProveEmptyResponse['receipt']>;

/** So many places of a kind are shown; `-o yaml` has all of them. */
const shownPlaces = 3;

/**
 * Prints for each node whether a disk is empty, every reason why not, and what was read for that.
 *
 * @throws {UsageError} for another type of resource.
 */
export async function explainDisk(
  targets: readonly Target[],
  { type, device }: { readonly type: string; readonly device: string },
  format: Format,
  terminal: Terminal,
): Promise<void> {
  const { results, throwFailures } = await everyNode(targets, (target) =>
    ask(target, type, device, terminal.signal),
  );
  const answers = results.map(({ target, result }) => ({ node: target.name, ...result }));
  if (format.kind === 'table') await print(terminal.out, answers.map(section).join('\n'));
  else if (answers.length > 0 || targets.length > 1)
    await print(terminal.out, await formatObjects(answers, format, { single: targets.length === 1 }));
  throwFailures();
}

async function ask(
  target: Target,
  name: string,
  device: string,
  signal: AbortSignal,
): Promise<ProveEmptyResponse> {
  const options = { node: target.node, signal };
  const { type } = await findDefinition(target, name, options);
  if (type !== 'Disks.block.nodecore.dev')
    throw new UsageError('--why asks about disks: osctl get disks --why <disk>');
  return await target.client.proveEmpty({ device }, options);
}

function section({ node, device, empty, reasons, receipt }: ProveEmptyResponse & { node: string }): string {
  const verdict = `${node}: ${device}: ${empty ? 'empty, proven' : 'not empty'}`;
  const lines = [verdict, ...reasons.map((reason) => `  ${reason}`)].map((line) => `${printable(line)}\n`);
  return lines.join('') + (receipt === undefined ? '' : `\n${readOf(receipt)}\n${factsOf(receipt)}`);
}

function readOf({ read }: Receipt): string {
  const rows = read.map(({ purpose, ranges }) => [
    purpose,
    String(ranges.length),
    shortSize(ranges.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0n)),
    placesOf(ranges.map(({ offsetBytes }) => offsetBytes)),
  ]);
  return new Table(['read', 'ranges', 'bytes', 'at byte']).format(rows);
}

function placesOf(offsets: readonly bigint[]): string {
  return [...offsets.slice(0, shownPlaces), ...(offsets.length > shownPlaces ? ['…'] : [])].join(', ');
}

function factsOf(receipt: Receipt): string {
  const { sizeBytes, probedAt, backupsOf, begunMillis, durationMillis, limitMillis } = receipt;
  const facts = [
    ['size', shortSize(sizeBytes)],
    ['libblkid looked at byte', probedAt.join(', ') || 'none'],
    ['backups looked for', backupsOf.join(', ') || 'none'],
    ['map of what was written', mapOf(receipt)],
    ['time', `${durationMillis} ms of ${limitMillis} ms, ${new Date(Number(begunMillis)).toISOString()}`],
  ] as const;
  const width = Math.max(...facts.map(([name]) => name.length)) + 3;
  return facts.map(([name, text]) => `${name.padEnd(width)}${printable(text)}\n`).join('');
}

function mapOf({ map, mapUnknown }: Receipt): string {
  if (map === 'read') return 'all of it was read';
  return map === 'sampled' ? 'a part of it was read' : `none: ${mapUnknown}`;
}
