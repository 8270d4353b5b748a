import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Packets on their way from the node to the user, from when they are taken. */
export type Way = {
  readonly nodePids: readonly number[];
  readonly userPids: readonly number[];
  /** Ends the capture in order. @returns packets that the user has. */
  readonly end: () => Promise<number>;
  readonly kill: () => void;
};

/** What a program says on standard error, line by line. */
export class Said {
  readonly lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  #over = false;

  constructor({ stderr }: ChildProcess) {
    if (stderr === null) throw new TypeError('standard error is not read');
    const wake = (): void => {
      for (const one of this.#waiting) one();
    };
    createInterface({ input: stderr })
      .on('line', (line) => {
        this.lines.push(line);
        wake();
      })
      .on('close', () => {
        this.#over = true;
        wake();
      });
  }

  /** @throws when it has ended without such a line. */
  async line(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = this.lines.map((line) => pattern.exec(line)).find((match) => match !== null);
      if (found !== undefined) return found;
      if (this.#over) throw new Error(`no ${String(pattern)} in:\n${this.lines.join('\n')}`);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      await promise;
      this.#waiting.delete(resolve);
    }
  }
}
