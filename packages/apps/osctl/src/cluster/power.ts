import { type Format, print, printFound, readFormat, type Terminal, UsageError } from '@nodecore/cli';
import {
  callKeeper,
  type ClusterDirectory,
  keepCluster,
  showCluster,
  startCluster,
  startKeeper,
  stopCluster,
} from '@nodecore/clusters';

import { cacheOf, directoryOf, type PlaceFlags } from './place.ts';
import { sayTo } from './words.ts';

/** Flags of the commands that switch machines. */
export type PowerFlags = PlaceFlags & { readonly node?: readonly string[]; readonly output: string };

/** Switches on a cluster that was stopped, or some of its machines. */
export async function start(flags: PowerFlags, terminal: Terminal): Promise<void> {
  const format = await readFormat(flags.output);
  const directory = directoryOf(flags, terminal);
  await startCluster(directory, cacheOf(terminal), optionsOf(flags, terminal));
  await tellPrograms(directory, format, terminal);
}

/** Switches a cluster off, or some of its machines: what they hold stays. */
export async function stop(
  flags: PowerFlags & { readonly gracePeriod: string },
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  const seconds = Number(flags.gracePeriod);
  if (!(seconds >= 0 && seconds <= 3600))
    throw new UsageError(`--grace-period ${flags.gracePeriod}: seconds`);
  const options = { ...optionsOf(flags, terminal), graceMs: seconds * 1000 };
  const directory = directoryOf(flags, terminal);
  await stopCluster(directory, cacheOf(terminal), options);
  await print(terminal.error, `${flags.node?.join(', ') ?? `cluster ${flags.name}`}: off\n`);
  await tellPrograms(directory, format, terminal);
}

/** Switches machines off and on again without asking them. */
export async function reboot(flags: PowerFlags, terminal: Terminal, fromNetwork = false): Promise<void> {
  const format = await readFormat(flags.output);
  const directory = directoryOf(flags, terminal);
  await directory.requirePlan();
  await keepCluster(directory, cacheOf(terminal));
  await startKeeper(directory, cacheOf(terminal));
  const { nodes, ...options } = optionsOf(flags, terminal);
  const more = { ...(nodes && { nodes }), ...(fromNetwork && { fromNetwork }) };
  await callKeeper(directory, { method: 'reboot', ...more }, options);
  await tellPrograms(directory, format, terminal);
}

/** What is done to one machine's power. */
export const powerActions = ['on', 'off', 'reset', 'pxe'] as const;

/** Does to one machine what its buttons do. */
export async function power(
  machine: string,
  action: (typeof powerActions)[number],
  flags: PlaceFlags & { readonly gracePeriod?: string; readonly output: string },
  terminal: Terminal,
): Promise<void> {
  const one = { ...flags, node: [machine] };
  if (action === 'on') return await start(one, terminal);
  // Without a grace it is the plug that is pulled.
  if (action === 'off') return await stop({ ...one, gracePeriod: flags.gracePeriod ?? '0' }, terminal);
  await reboot(one, terminal, action === 'pxe');
}

/** Programs get the whole cluster as it is now, as of `cluster show`; people have read what was done. */
async function tellPrograms(directory: ClusterDirectory, format: Format, terminal: Terminal): Promise<void> {
  if (format.kind === 'table') return;
  await printFound(terminal, format, [await showCluster(directory)], { single: true, text: () => '' });
}

function optionsOf({ node }: PowerFlags, terminal: Terminal) {
  return {
    onStatus: sayTo(terminal),
    signal: terminal.signal,
    ...(node !== undefined && node.length > 0 && { nodes: node }),
  };
}
