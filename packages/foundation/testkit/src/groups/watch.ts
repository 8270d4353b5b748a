/** Watches what a test file does to its process. */
import diagnosticsChannel from 'node:diagnostics_channel';

import { type Loadable, watchUses } from './native-uses.ts';

/** What a file did that it can't do in a process it shares with others. */
export class Watch {
  #found: string | undefined;
  #before = state();

  constructor() {
    const load = process.dlopen.bind(process);
    process.dlopen = (...args: Parameters<typeof process.dlopen>) => {
      load(...args);
      // Which files use it, not which one came first and loaded it.
      watchUses(args[0] as Loadable, () => this.#find('uses a native library'));
    };
    diagnosticsChannel.subscribe('child_process', () => this.#find('starts a process'));
    diagnosticsChannel.subscribe('worker_threads', () => this.#find('starts a thread'));
  }

  /** Begins with another file. */
  begin(): void {
    this.#found = undefined;
    this.#before = state();
  }

  /** What the file did since `begin`, and what it left behind; undefined when that is nothing. */
  end(): string | undefined {
    const after = state();
    if (after.process !== this.#before.process) this.#find('changes the process');
    const left = this.leavesOpen();
    if (left !== undefined) this.#find(`leaves something open (${left})`);
    return this.#found;
  }

  /** The kind of something that is open and was not at `begin`. */
  leavesOpen(): string | undefined {
    const before = [...this.#before.open];
    return state().open.find((kind) => {
      const index = before.indexOf(kind);
      if (index >= 0) before.splice(index, 1);
      return index < 0;
    });
  }

  /** What it did so far, without what it left behind. */
  found(): string | undefined {
    return this.#found;
  }

  #find(what: string): void {
    this.#found ??= what;
  }
}

/** What stays until somebody closes it; all else ends by itself, and ava has pipes of its own. */
const lasting = /^(?:Timeout|TCP|TLS|UDP|HTTP2|PipeServer|FSEvent|Process|MessagePort|Signal|StatWatcher)/;

function state(): { readonly process: string; readonly open: readonly string[] } {
  const listeners = process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`);
  const values = [process.env, process.cwd(), process.umask(), listeners.sort()];
  const open = process.getActiveResourcesInfo().filter((kind) => lasting.test(kind));
  return { process: JSON.stringify(values), open };
}
