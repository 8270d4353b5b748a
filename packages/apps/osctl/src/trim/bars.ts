import { type TrimResponse, TrimState } from '@nodecore/api/trim';
import { shortSize } from '@nodecore/cli';

const cells = 20;

/**
 * How far the trims of one node are, as one line: a bar for each that runs, in the order in which they came.
 *
 * @param step percent between lines, so that a log gets ten of them and a terminal a hundred.
 */
export class Bars {
  readonly #step: number;
  readonly #shown = new Map<string, { readonly line: string; readonly mark: string }>();

  constructor(step: number) {
    this.#step = step;
  }

  /** The line after an event; undefined when it would say the same. */
  after(event: TrimResponse): string | undefined {
    const { volume, state } = event;
    const isOver = state !== TrimState.QUEUED && state !== TrimState.RUNNING && state !== TrimState.PAUSED;
    const mark = `${state} ${Math.floor(percentOf(event) / this.#step)}`;
    const before = this.#shown.get(volume);
    if (isOver) this.#shown.delete(volume);
    else this.#shown.set(volume, { line: barOf(event), mark });
    if (before?.mark === mark || (isOver && before === undefined)) return undefined;
    const lines = [...this.#shown.values()].map(({ line }) => line);
    return lines.length === 0 ? undefined : lines.join('   ');
  }
}

function barOf(event: TrimResponse): string {
  const { volume, state, totalBytes, message } = event;
  if (state === TrimState.QUEUED) return `${volume} ${message}`;
  const percent = percentOf(event);
  const full = Math.round((percent * cells) / 100);
  const bar = `[${'#'.repeat(full)}${'.'.repeat(cells - full)}]`;
  const pause = state === TrimState.PAUSED ? ', paused: others wait for I/O' : '';
  return `${volume} ${bar} ${percent} % of ${shortSize(totalBytes)}${pause}`;
}

function percentOf({ doneBytes, totalBytes }: TrimResponse): number {
  return totalBytes === 0n ? 0 : Number((doneBytes * 100n) / totalBytes);
}
