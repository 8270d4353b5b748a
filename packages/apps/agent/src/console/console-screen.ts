import type { DashboardScreen, Size } from '@nodecore/api/dashboard';

const [hideCursor, noWrap, clear, home] = ['\u001b[?25l', '\u001b[?7l', '\u001b[2J', '\u001b[H'];
const [inverse, plain] = ['\u001b[7m', '\u001b[m'];

/** What somebody else wrote over the page stays no longer. */
const freshMs = 60_000;

/** The font of the kernel has few of the blocks, and no ellipsis. */
const glyphs: Readonly<Record<string, string>> = {
  '▁': '_',
  '▂': '_',
  '▃': '▄',
  '▅': '▄',
  '▆': '█',
  '▇': '█',
  '…': '~',
  '‹': '<',
};

export type ConsoleScreenParts = {
  /** Resolves with whether all of it was taken. */
  readonly write: (text: string) => Promise<boolean>;
  readonly now: () => number;
  /** The terminal takes nothing any more. */
  readonly onLost: (error: unknown) => void;
};

/** A terminal of the machine with the newest frame on it: one at a time is written, and those between are left out. */
export class ConsoleScreen implements DashboardScreen {
  readonly #parts: ConsoleScreenParts;
  #size: Size;
  #next: string | undefined;
  #shown: { readonly text: string; readonly atMs: number } | undefined;
  #isWriting = false;

  constructor(size: Size, parts: ConsoleScreenParts) {
    this.#size = size;
    this.#parts = parts;
  }

  get size(): Size {
    return this.#size;
  }

  /** Of another size everything is drawn anew. */
  resize(size: Size): void {
    if (size.width === this.#size.width && size.height === this.#size.height) return;
    this.#size = size;
    this.#shown = undefined;
  }

  draw(lines: readonly string[]): void {
    this.#next = drawn(lines);
    void this.#flush();
  }

  async #flush(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    const { write, now, onLost } = this.#parts;
    try {
      while (this.#next !== undefined) {
        const text = this.#next;
        this.#next = undefined;
        const isFresh = this.#shown !== undefined && now() - this.#shown.atMs < freshMs;
        if (isFresh && text === this.#shown?.text) continue;
        const isWhole = await write(isFresh ? text : `${clear}${text}`);
        this.#shown = isWhole ? { text, atMs: isFresh ? this.#shown!.atMs : now() } : undefined;
      }
    } catch (error) {
      onLost(error);
    } finally {
      this.#isWriting = false;
    }
  }
}

/** What a terminal gets to have these lines on it, the first and the last of which stand out. */
function drawn(lines: readonly string[]): string {
  const last = lines.length - 1;
  const shown = lines.map((line, at) => {
    const text = line.replaceAll(/[▁▂▃▅▆▇…‹]/gu, (glyph) => glyphs[glyph] ?? glyph);
    return at === 0 || at === last ? `${inverse}${text}${plain}` : text;
  });
  return `${hideCursor}${noWrap}${home}${shown.join('\r\n')}`;
}
