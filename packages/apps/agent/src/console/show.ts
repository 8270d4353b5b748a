import { Dashboard, type DashboardNode, KeyFeed } from '@nodecore/api/dashboard';
import type { Clock } from '@nodecore/waiting';

import type { Audience } from './audience.ts';
import { ConsoleScreen } from './console-screen.ts';
import { memberPath } from './member-path.ts';
import type { Terminal } from './terminal.ts';

/** Between questions to the node, while somebody looks. */
const intervalMs = 3000;
/** Nothing announces that another terminal is on the screen, or that a window has another size. */
const lookMs = 1000;

export type ShowParts = {
  readonly clock: Clock;
  readonly node: DashboardNode;
  readonly audience: Pick<Audience, 'isThere' | 'typed'>;
};

/** Shows the dashboard on a terminal until that is lost, or the signal fires; resolves then. */
export async function show(
  terminal: Terminal,
  { clock, node, audience }: ShowParts,
  signal: AbortSignal,
): Promise<void> {
  const lost = new AbortController();
  const ends = AbortSignal.any([signal, lost.signal]);
  const screen = new ConsoleScreen(await terminal.size(), {
    write: (text) => terminal.write(text),
    now: () => clock.now(),
    onLost: () => lost.abort(),
  });
  const dashboard = new Dashboard([node], {
    intervalMs,
    clock,
    signal: ends,
    screen,
    columnOf: memberPath,
  });
  using keys = new KeyFeed(
    (key) => {
      audience.typed();
      dashboard.isWatched = true;
      dashboard.press(key);
    },
    () => dashboard.isTyping,
  );
  using _input = terminal.listen({ onBytes: (bytes) => keys.push(bytes), onLost: () => lost.abort() });
  const look = async (): Promise<void> => {
    for (;;) {
      screen.resize(await terminal.size());
      dashboard.isWatched = await audience.isThere();
      await clock.sleep(lookMs, ends);
    }
  };
  try {
    await Promise.all([dashboard.run(), look()]);
  } catch (error) {
    if (!ends.aborted) throw error;
  } finally {
    lost.abort(); // what goes on of it ends, too
  }
}
