import { open } from 'node:fs/promises';

import { formatStreamed, print, readFormat, type Terminal } from '@nodecore/cli';
import { chosenNodes, type PlannedNode } from '@nodecore/clusters';
import { codeOf } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

import { directoryOf, type PlaceFlags } from './place.ts';

const pollMs = 200;

/** The flags of `osctl cluster logs`. */
export type LogFlags = PlaceFlags & {
  readonly follow?: true;
  readonly services?: true;
  readonly output: string;
};

/** Prints the consoles of a cluster's machines; of several each line behind the name of its machine. Programs get an object for each. */
export async function printLogs(
  machine: string | undefined,
  flags: LogFlags,
  terminal: Terminal,
): Promise<void> {
  const format = await readFormat(flags.output);
  const directory = directoryOf(flags, terminal);
  const plan = await directory.requirePlan();
  const nodes = chosenNodes(plan, machine === undefined ? undefined : [machine]);
  const path = (node: PlannedNode): string =>
    flags.services === true ? directory.services(node) : directory.console(node);
  const consoles = nodes.map((node) => new Console(path(node), node));
  const textOf = async ({ name }: PlannedNode, line: string): Promise<string> => {
    if (format.kind !== 'table') return await formatStreamed({ machine: name, line }, format);
    return nodes.length === 1 ? `${line}\n` : `[${name}] ${line}\n`;
  };
  for (;;) {
    let said = false;
    for (const console of consoles) {
      const lines = await console.more(flags.follow !== true);
      if (lines.length === 0) continue;
      said = true;
      const texts = await Promise.all(lines.map((line) => textOf(console.node, line)));
      await print(terminal.out, texts.join(''));
    }
    if (said) continue;
    if (flags.follow !== true) return;
    await systemClock.sleep(pollMs, terminal.signal);
  }
}

/** The file of a console or of services, read on from where it was. A machine that is switched on anew begins a new one. */
class Console {
  readonly node: PlannedNode;
  readonly #path: string;
  #at = 0;
  #rest = '';

  constructor(path: string, node: PlannedNode) {
    this.node = node;
    this.#path = path;
  }

  /** Lines that came since; the last one without its end when nothing follows. */
  async more(whole: boolean): Promise<readonly string[]> {
    this.#rest += await this.#read();
    const lines = this.#rest.split(/\r*\n/);
    this.#rest = lines.pop() ?? '';
    if (lines.length > 0 || !whole || this.#rest === '') return lines;
    const last = this.#rest;
    this.#rest = '';
    return [last];
  }

  async #read(): Promise<string> {
    try {
      await using file = await open(this.#path, 'r');
      const { size } = await file.stat();
      if (size < this.#at) this.#at = 0;
      const bytes = Buffer.alloc(Math.min(size - this.#at, 1 << 20));
      const { bytesRead } = await file.read(bytes, 0, bytes.length, this.#at);
      this.#at += bytesRead;
      return bytes.toString('utf8', 0, bytesRead);
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return ''; // it was never switched on
      throw error;
    }
  }
}
