import { Dashboard } from '@nodecore/api/dashboard';
import type { Terminal } from '@nodecore/cli';
import { JsonPath } from '@nodecore/cli/json-path';
import { type Clock, systemClock } from '@nodecore/waiting';

import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { Targets } from '../nodes/target.ts';
import { failureText } from './failure-text.ts';
import { FullScreen } from './full-screen.ts';

export type DashboardFlags = GlobalFlags & MaintenanceFlags & { readonly updateInterval: number };

/** Shows nodes on the whole terminal until the user has seen enough. */
export async function showDashboard(
  flags: DashboardFlags,
  terminal: Terminal,
  clock: Clock = systemClock,
): Promise<void> {
  const { updateInterval: intervalMs } = flags;
  await using targets = await Targets.open(flags, terminal);
  const end = new AbortController();
  const signal = AbortSignal.any([terminal.signal, end.signal]);
  const nodes = targets.all.map((target) => ({ ...target, explain: failureText }));
  using screen = FullScreen.open(terminal, {
    onKey: (key) => dashboard.press(key),
    isTyping: () => dashboard.isTyping,
    onResize: () => dashboard.draw(),
    onEnd: () => end.abort(),
  });
  const onQuit = (): void => end.abort();
  const dashboard = new Dashboard(nodes, { intervalMs, clock, signal, screen, columnOf, onQuit });
  try {
    await dashboard.run();
  } catch (error) {
    terminal.signal.throwIfAborted();
    if (error !== end.signal.reason) throw error;
  }
}

function columnOf(text: string): (spec: unknown) => string {
  const path = new JsonPath(text);
  return (spec) => path.column(spec);
}
