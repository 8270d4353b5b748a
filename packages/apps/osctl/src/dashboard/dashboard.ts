import type { Terminal } from '@nodecore/cli';
import { type Clock, systemClock } from '@nodecore/waiting';

import type { GlobalFlags, MaintenanceFlags } from '../flags.ts';
import { Targets } from '../nodes/target.ts';
import { anchored } from './browse-view.ts';
import { type Frame, frame } from './frame.ts';
import { FullScreen } from './full-screen.ts';
import type { Key } from './keys.ts';
import { NodeWatch } from './node-watch.ts';
import { type Look, ResourceBrowser } from './resource-browser.ts';
import { firstView, pressed, type View, withinExtent } from './view.ts';

export type DashboardFlags = GlobalFlags & MaintenanceFlags & { readonly updateInterval: number };

/** Ages of answers are drawn in seconds. */
const tickMs = 1000;

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
  let view: View = firstView;
  let pausedMs = 0;
  let drawn: Frame | undefined;

  const watches = targets.all.map(
    (target) => new NodeWatch(target, { intervalMs, clock, signal, onChange: () => draw() }),
  );
  const browsers = targets.all.map(
    (target) => new ResourceBrowser(target, { clock, signal, onChange: () => draw() }),
  );
  const draw = (): void => {
    const nowMs = view.paused ? pausedMs : clock.now();
    const nodes = watches.map(({ model }, index) => ({ ...model, browsed: browsers[index]!.browsed }));
    drawn = frame({ nodes, view, nowMs, intervalMs }, screen.size);
    const { extent } = drawn;
    const browse = anchored(view.browse, extent.names ?? []);
    view = { ...view, scroll: withinExtent(view.scroll, extent), browse };
    screen.draw(drawn.lines);
  };
  const turn = (): void => {
    for (const [index, watch] of watches.entries())
      watch.setMode(view.paused ? 'paused' : index === view.index ? 'shown' : 'other');
    for (const [index, browser] of browsers.entries())
      browser.look(index === view.index && !view.paused ? lookOf(view) : 'nothing');
  };
  const onKey = (key: Key): void => {
    if (drawn === undefined || signal.aborted) return;
    const next = pressed(view, key, drawn.extent);
    if (next === 'end') {
      end.abort();
      return;
    }
    if (next.paused && !view.paused) pausedMs = clock.now();
    view = next;
    turn();
    draw();
  };

  using screen = FullScreen.open(terminal, {
    onKey,
    isTyping: () => view.screen === 'resources' && view.browse.isTyping,
    onResize: () => draw(),
    onEnd: () => end.abort(),
  });
  turn();
  draw();
  const tick = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(tickMs, signal);
      draw();
    }
  };
  try {
    await together([tick(), ...[...watches, ...browsers].map((each) => each.run())], end);
  } catch (error) {
    terminal.signal.throwIfAborted();
    if (!isEnd(error, end.signal)) throw error;
  }
}

function lookOf({ screen, browse: { kind } }: View): Look {
  if (screen !== 'resources') return 'nothing';
  return kind === undefined ? 'kinds' : { kind };
}

/** Until the first of them fails, which ends the others. */
async function together(all: readonly Promise<void>[], end: AbortController): Promise<void> {
  try {
    await Promise.all(all);
  } finally {
    end.abort();
    await Promise.allSettled(all);
  }
}

function isEnd(error: unknown, end: AbortSignal): boolean {
  return error === end.reason;
}
