import { printable, printFound, readFormat, Table, type Terminal } from '@nodecore/cli';
import { Backoff, systemClock } from '@nodecore/waiting';

import { unhealthy, unhealthyInTime } from '../outcome.ts';
import { failureOf } from '../nodes/every-node.ts';
import { type Target, Targets } from '../nodes/target.ts';
import { clusterHealth } from './cluster-health.ts';
import { type HealthFlags, namedNodes } from './flags.ts';
import { Look } from './look.ts';
import { type HealthRow, nodeHealth } from './node-health.ts';

/** What becomes well mostly does so at once; what does not is asked more and more rarely. */
const pauses = { firstMs: 500, largestMs: 5_000 };

/**
 * Looks until everything is well, and prints how each check ended.
 *
 * @throws {OutcomeError} `ERR_UNHEALTHY_TIMEOUT` when it is not in time; `ERR_UNHEALTHY` when it is not at the only look.
 */
export async function waitForHealth(flags: HealthFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  const nodes = namedNodes(flags);
  await using targets = await Targets.open({ ...flags, ...(nodes && { nodes }) }, terminal);
  const tell = new Reasons(terminal);
  const end = flags.waitTimeout === 0 ? Infinity : performance.now() + flags.waitTimeout;
  const again = new Backoff(pauses);
  let rows = await lookAt(targets.all, flags, new Look(terminal.signal, end));
  while (flags.waitTimeout > 0 && rows.some(isFailed)) {
    // Also where one look has taken all the time: a wait says what it was for.
    tell.changed(rows);
    const leftMs = end - performance.now();
    if (leftMs <= 0) break;
    await systemClock.sleep(Math.min(again.next(), leftMs), terminal.signal);
    rows = await lookAt(targets.all, flags, new Look(terminal.signal, end));
  }
  await printFound(terminal, format, rows, {
    single: false,
    text: () => new Table(['node', 'check', 'state', 'time', 'reason']).format(rows.map(cells)),
  });
  const failed = rows.filter(isFailed).length;
  if (failed === 0) return;
  throw flags.waitTimeout === 0
    ? unhealthy(failed, rows.length)
    : unhealthyInTime(failed, rows.length, flags.waitTimeout);
}

async function lookAt(
  targets: readonly Target[],
  flags: HealthFlags,
  look: Look,
): Promise<readonly HealthRow[]> {
  const nodes = await Promise.all(
    targets.map(async (target) => {
      try {
        return await nodeHealth(target, flags, look);
      } catch (error) {
        throw failureOf({ node: target.name, error, direct: target.direct });
      }
    }),
  );
  return [...nodes.flatMap(({ rows }) => rows), ...(await clusterHealth(nodes, flags, look))];
}

/** What is waited for, on standard error; a reason that stays is said once. */
class Reasons {
  readonly #terminal: Pick<Terminal, 'error'>;
  readonly #told = new Map<string, string>();

  constructor(terminal: Pick<Terminal, 'error'>) {
    this.#terminal = terminal;
  }

  changed(rows: readonly HealthRow[]): void {
    for (const row of rows) {
      const name = `${row.node === '' ? 'cluster' : row.node}: ${row.check}`;
      const news = isFailed(row) ? `waiting for ${name}: ${row.reason}` : `${name}: ${row.state}`;
      const before = this.#told.get(name);
      if (before === news || (before === undefined && !isFailed(row))) continue;
      this.#told.set(name, news);
      this.#terminal.error.write(`${printable(news)}\n`);
    }
  }
}

function isFailed({ state }: HealthRow): boolean {
  return state === 'failed';
}

function cells({ node, check, state, durationMs, reason }: HealthRow): string[] {
  return [node === '' ? '-' : node, check, state, `${durationMs} ms`, reason];
}
