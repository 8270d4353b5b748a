import type { Clock } from '@nodecore/waiting';

import type { ColumnOf } from './body.ts';
import { anchored } from './browse-view.ts';
import type { DashboardNode } from './dashboard-node.ts';
import { type Frame, frame, type Size } from './frame.ts';
import type { Key } from './keys.ts';
import { NodeWatch } from './node-watch.ts';
import { type Look, ResourceBrowser } from './resource-browser.ts';
import { firstView, pressed, type View, withinExtent } from './view.ts';

/** Ages of answers are drawn in seconds. */
const tickMs = 1000;

/** What a dashboard is drawn on. */
export type DashboardScreen = {
  readonly size: Size;
  /** Lines as wide as the window; the first and the last stand out. */
  draw(lines: readonly string[]): void;
};

export type DashboardOptions = {
  /** Between questions to a node. */
  readonly intervalMs: number;
  readonly clock: Clock;
  /** Ends {@link Dashboard.run}. */
  readonly signal: AbortSignal;
  readonly screen: DashboardScreen;
  readonly columnOf: ColumnOf;
  /** The user has seen enough. Without it nobody can end the dashboard, and the key goes back to where it began. */
  readonly onQuit?: () => void;
};

/** Nodes on a screen: asked again and again while somebody looks, and drawn as they are; keys change what is shown, and nothing else. */
export class Dashboard {
  readonly #nodes: readonly DashboardNode[];
  readonly #options: DashboardOptions;
  readonly #watches: readonly NodeWatch[];
  readonly #browsers: readonly ResourceBrowser[];
  #view: View = firstView;
  #pausedMs = 0;
  #drawn: Frame | undefined;
  #isWatched = true;

  constructor(nodes: readonly DashboardNode[], options: DashboardOptions) {
    const { intervalMs, clock, signal } = options;
    const onChange = (): void => this.draw();
    this.#nodes = nodes;
    this.#options = options;
    this.#watches = nodes.map((node) => new NodeWatch(node, { intervalMs, clock, signal, onChange }));
    this.#browsers = nodes.map((node) => new ResourceBrowser(node, { clock, signal, onChange }));
  }

  /** Whether characters are a text, and not keys. */
  get isTyping(): boolean {
    return this.#view.screen === 'resources' && this.#view.browse.isTyping;
  }

  /** While nobody looks no node is asked, and nothing is drawn. */
  set isWatched(isWatched: boolean) {
    if (isWatched === this.#isWatched) return;
    this.#isWatched = isWatched;
    this.#turn();
    this.draw();
  }

  press(key: Key): void {
    const { signal, clock, onQuit } = this.#options;
    if (this.#drawn === undefined || signal.aborted) return;
    const next = pressed(this.#view, key, this.#drawn.extent);
    if (next === 'end' && onQuit !== undefined) {
      onQuit();
      return;
    }
    const view = next === 'end' ? firstView : next;
    if (view.paused && !this.#view.paused) this.#pausedMs = clock.now();
    this.#view = view;
    this.#turn();
    this.draw();
  }

  draw(): void {
    if (!this.#isWatched) return;
    const { clock, screen, intervalMs, columnOf, onQuit } = this.#options;
    const view = this.#view;
    const nowMs = view.paused ? this.#pausedMs : clock.now();
    const nodes = this.#watches.map(({ model }, index) => ({
      ...model,
      notes: this.#nodes[index]!.notes?.() ?? [],
      browsed: this.#browsers[index]!.browsed,
    }));
    const model = { nodes, view, nowMs, intervalMs, columnOf, isEndless: onQuit === undefined };
    const drawn = (this.#drawn = frame(model, screen.size));
    const browse = anchored(view.browse, drawn.extent.names ?? []);
    this.#view = { ...view, scroll: withinExtent(view.scroll, drawn.extent), browse };
    screen.draw(drawn.lines);
  }

  /** Goes on until the signal fires, with whose reason it rejects. */
  async run(): Promise<void> {
    const { clock, signal } = this.#options;
    this.#turn();
    this.draw();
    const tick = async (): Promise<void> => {
      for (;;) {
        await clock.sleep(tickMs, signal);
        this.draw();
      }
    };
    await Promise.all([tick(), ...[...this.#watches, ...this.#browsers].map((each) => each.run())]);
  }

  #turn(): void {
    const isResting = this.#view.paused || !this.#isWatched;
    const { index: shown } = this.#view;
    for (const [index, watch] of this.#watches.entries())
      watch.setMode(isResting ? 'paused' : index === shown ? 'shown' : 'other');
    for (const [index, browser] of this.#browsers.entries())
      browser.look(index === shown && !isResting ? lookOf(this.#view) : 'nothing');
  }
}

function lookOf({ screen, browse: { kind } }: View): Look {
  if (screen !== 'resources') return 'nothing';
  return kind === undefined ? 'kinds' : { kind };
}
