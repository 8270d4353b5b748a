/** Watches what a test file does to its process. */
import diagnosticsChannel from 'node:diagnostics_channel';

type LoadLibrary = typeof process.dlopen;

/** What a file did that it can't do in a process it shares with others. */
export class Watch {
  #found: string | undefined;
  #before = state();

  /** @param isShared refuses to load native libraries: of several files that do only the first would be seen. */
  constructor(isShared: boolean) {
    const refuse = (): void => {
      this.#find('loads a native library');
      if (isShared) throw new Error('no native library is loaded in a process that test files share');
    };
    const loadAddon: LoadLibrary = process.dlopen.bind(process);
    process.dlopen = (...args: Parameters<LoadLibrary>) => {
      // Many modules bring koffi and never load a library with it.
      if (!args[1].endsWith('koffi.node')) refuse();
      loadAddon(...args);
      const { exports } = args[0] as { exports: { load?: (...library: unknown[]) => unknown } };
      const { load } = exports;
      if (load === undefined) return;
      exports.load = (...library) => {
        refuse();
        return load(...library);
      };
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
    if (after.resources > this.#before.resources) this.#find('leaves something open');
    return this.#found;
  }

  /** Without what is open, for the end of a process. */
  found(): string | undefined {
    return this.#found;
  }

  #find(what: string): void {
    this.#found ??= what;
  }
}

/** What ends by itself: requests to the pool, and turns of the loop. */
const passing = /Req|Immediate/;

function state(): { readonly process: string; readonly resources: number } {
  const listeners = process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`);
  const values = [process.env, process.cwd(), process.umask(), listeners.sort()];
  const open = process.getActiveResourcesInfo().filter((kind) => !passing.test(kind));
  return { process: JSON.stringify(values), resources: open.length };
}
