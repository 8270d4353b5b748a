import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { command } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

const bin = fileURLToPath(new URL('../bin/osctl.js', import.meta.url));
const home = '\u001b[H';

/** osctl on a terminal of its own (`script`, of util-linux), whose window the test looks at. */
export class PseudoTerminal {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';
  #changed = Promise.withResolvers<void>();

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, 'close').then(() => this.#wake());
    child.stdin!.on('error', () => {}); // the terminal may be gone
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text;
      this.#wake();
    });
  }

  /** A terminal of 80x24; after osctl the shell prints its exit code, and how the terminal is set. */
  static start(
    t: ExecutionContext,
    args: readonly string[],
    env: Readonly<Record<string, string>>,
  ): PseudoTerminal {
    const words = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ');
    const settings = 'stty -g | sed "s/^/settings /"';
    const line = `stty rows 24 cols 80; echo "tty $(tty)"; ${settings}; sh -c 'echo "pid $$"; exec "$@"' sh ${words}; code=$?; echo; echo "exit $code"; ${settings}`;
    const child = spawn('script', ['-qec', line, '/dev/null'], {
      env: { PATH: process.env['PATH'], HOME: '/nonexistent', TERM: 'xterm', LC_ALL: 'C.UTF-8', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    t.timeout(60_000, 'the window never showed what the test waits for');
    t.teardown(() => child.kill('SIGKILL'));
    return new PseudoTerminal(child);
  }

  /** All that was ever written. */
  get output(): string {
    return this.#output;
  }

  /** What is in the window: the last frame that has come to the end of its last line, which stands out as the first does. */
  get window(): string {
    const frames = this.#output.split(home).slice(1);
    const last = frames.findLast((frame) => frame.split('\u001b[m').length > 2) ?? '';
    // oxlint-disable-next-line no-control-regex -- how the first and the last line stand out
    return last.replaceAll(/\u001b\[7?m/gu, '').replaceAll(/\r+\n/gu, '\n');
  }

  type(keys: string): void {
    this.#child.stdin!.write(keys);
  }

  /** Resolves with the window when it is as it should be. */
  async shows(...texts: readonly (string | RegExp)[]): Promise<string> {
    const isThere = (text: string | RegExp): boolean =>
      typeof text === 'string' ? this.window.includes(text) : text.test(this.window);
    await this.#until(() => texts.every(isThere));
    return this.window;
  }

  /** Resolves when all of these were written, one behind the other. */
  async prints(...texts: readonly string[]): Promise<void> {
    await this.#until(() => {
      let at = 0;
      for (const text of texts) {
        at = this.#output.indexOf(text, at);
        if (at === -1) return false;
      }
      return true;
    });
  }

  /** Resolves when the program is stopped, as by SIGSTOP. */
  async stopped(): Promise<void> {
    const path = `/proc/${await this.word('pid')}/stat`;
    while (!/\) T /u.test(await readFile(path, 'utf8'))) await setImmediate();
  }

  /** What the shell said: `tty`, `pid`. */
  async word(name: string): Promise<string> {
    const pattern = new RegExp(`^${name} (\\S+)\\r$`, 'mu');
    await this.#until(() => pattern.test(this.#output));
    return pattern.exec(this.#output)![1]!;
  }

  async resize(columns: number, rows: number): Promise<void> {
    const { stderr } = await command([
      'stty',
      '-F',
      await this.word('tty'),
      'rows',
      String(rows),
      'cols',
      String(columns),
    ]);
    if (stderr !== '') throw new Error(stderr);
  }

  async kill(signal: NodeJS.Signals): Promise<void> {
    process.kill(Number(await this.word('pid')), signal);
  }

  /** After osctl has ended: its exit code, and whether the terminal is as it was before. */
  async end(): Promise<{ readonly code: number; readonly isRestored: boolean }> {
    const code = Number(await this.word('exit'));
    await this.#ended;
    const settings = Array.from(this.#output.matchAll(/^settings (\S+)\r$/gmu), ([, text]) => text);
    const places = ['\u001b[?1049', '\u001b[?25', '\u001b[?7'].map((mode) => {
      const [on, off] = [this.#output.lastIndexOf(`${mode}h`), this.#output.lastIndexOf(`${mode}l`)];
      if (on === off) return true; // never written
      return mode === '\u001b[?1049' ? off > on : on > off;
    });
    return {
      code,
      isRestored: settings.length === 2 && settings[0] === settings[1] && places.every(Boolean),
    };
  }

  async #until(isSo: () => boolean): Promise<void> {
    while (!isSo()) {
      if (this.#child.exitCode !== null)
        throw new Error(`the terminal ended before:\n${this.#output.slice(-4000)}`);
      await this.#changed.promise;
    }
  }

  #wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }
}
