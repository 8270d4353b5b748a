import type { Readable, Writable } from 'node:stream';

import { type Terminal, UsageError } from '@nodecore/cli';
import { type Key, KeyFeed, type Size } from '@nodecore/api/dashboard';

type Input = Readable & { readonly isTTY?: boolean; setRawMode?: (raw: boolean) => unknown };
type Output = Writable & Partial<Pick<NodeJS.WriteStream, 'isTTY' | 'rows' | 'columns'>>;

export type FullScreenEvents = {
  readonly onKey: (key: Key) => void;
  /** The window has another size, or is shown anew. */
  readonly onResize: () => void;
  /** Whether characters are a text, and not keys. */
  readonly isTyping?: () => boolean;
  /** Nothing more will be typed. */
  readonly onEnd: () => void;
};

/** The other screen, no cursor, no line that goes on in the next. */
const enter = '\u001b[?1049h\u001b[?25l\u001b[?7l';
const leave = '\u001b[m\u001b[?7h\u001b[?25h\u001b[?1049l';
const [clear, home, inverse, plain] = ['\u001b[2J', '\u001b[H', '\u001b[7m', '\u001b[m'];

/** They end the program, which leaves the terminal as it was before. */
const endings = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/** The whole window of a terminal, with its keys. The terminal is as it was before however the program ends, but for SIGKILL. */
export class FullScreen implements Disposable {
  readonly #input: Input;
  readonly #output: Output;
  readonly #events: FullScreenEvents;
  readonly #keys: KeyFeed;
  readonly #undo: (() => void)[] = [];
  #shown = '';
  #size = '';
  #isOpen = false;

  private constructor({ input, out }: Terminal, events: FullScreenEvents) {
    this.#input = input;
    this.#output = out;
    this.#events = events;
    this.#keys = new KeyFeed(events.onKey, events.isTyping);
  }

  /** @throws {UsageError} where there is no terminal to draw on, or to type at. */
  static open(terminal: Terminal, events: FullScreenEvents): FullScreen {
    refuseWithoutTerminal(terminal);
    const screen = new FullScreen(terminal, events);
    screen.#open();
    return screen;
  }

  get size(): Size {
    const { columns = 80, rows = 24 } = this.#output;
    // Some say 0 of a window that nobody has given a size.
    return { width: columns > 0 ? columns : 80, height: rows > 0 ? rows : 24 };
  }

  /** Lines as wide as the window; the first and the last stand out. */
  draw(lines: readonly string[]): void {
    if (!this.#isOpen || this.#output.writableNeedDrain) return;
    const last = lines.length - 1;
    const shown = lines
      .map((line, at) => (at === 0 || at === last ? `${inverse}${line}${plain}` : line))
      .join('\r\n');
    const { width, height } = this.size;
    const size = `${width} ${height}`;
    if (shown === this.#shown && size === this.#size) return;
    // Nothing is erased but for another size, so nothing flickers.
    this.#output.write(`${size === this.#size ? '' : clear}${home}${shown}`);
    this.#shown = shown;
    this.#size = size;
  }

  [Symbol.dispose](): void {
    for (const undo of this.#undo.splice(0).toReversed()) undo();
  }

  #open(): void {
    this.#undo.push(() => this.#keys[Symbol.dispose]());
    this.#listen(process, 'exit', () => this.#leave());
    this.#listen(process, 'uncaughtExceptionMonitor', () => this.#leave());
    for (const signal of endings)
      this.#listen(process, signal, () => {
        this[Symbol.dispose]();
        process.kill(process.pid, signal); // nobody listens any more
      });
    this.#listen(process, 'SIGTSTP', () => {
      this.#leave();
      process.kill(process.pid, 'SIGSTOP');
    });
    this.#listen(process, 'SIGCONT', () => {
      this.#leave(); // whoever had the terminal meanwhile may have set it as they like
      this.#enter();
      this.#events.onResize();
    });
    this.#listen(this.#output, 'resize', this.#events.onResize);
    this.#listen(this.#input, 'end', this.#events.onEnd);
    this.#listen(this.#input, 'error', this.#events.onEnd);
    this.#listen(this.#input, 'data', (bytes: Buffer) => this.#keys.push(bytes));
    this.#undo.push(() => this.#leave());
    this.#enter();
  }

  #listen(
    emitter: NodeJS.EventEmitter,
    event: string,
    // oxlint-disable-next-line typescript/no-explicit-any -- each event has its own
    listener: (...values: any[]) => void,
  ): void {
    emitter.on(event, listener);
    this.#undo.push(() => emitter.off(event, listener));
  }

  #enter(): void {
    this.#isOpen = true;
    this.#size = '';
    this.#input.setRawMode?.(true);
    this.#input.resume();
    this.#output.write(enter);
  }

  #leave(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    try {
      this.#input.setRawMode?.(false);
      this.#input.pause();
      this.#output.write(leave);
    } catch {
      // the terminal is gone, and there is nothing to restore
    }
  }
}

function refuseWithoutTerminal({ input, out, env }: Terminal): void {
  const instead =
    'use osctl memory, osctl processes, osctl pressure or osctl dmesg, which take -o json and have no need of one';
  if (!isTerminal(input) || !isTerminal(out))
    throw new UsageError(`the dashboard needs a terminal; ${instead}`);
  if (env['TERM'] === 'dumb')
    throw new UsageError(`the dashboard can't be drawn on a terminal that is dumb; ${instead}`);
}

function isTerminal(stream: object): boolean {
  return 'isTTY' in stream && stream.isTTY === true;
}
