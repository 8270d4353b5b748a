import type { CopyReport } from '@nodecore/api/file';
import { print, type Terminal, UsageError } from '@nodecore/cli';

import { TruncatedError } from '../files/errors.ts';
import { Failures } from '../files/failures.ts';
import { remotePath } from '../files/remote-path.ts';
import type { GlobalFlags } from '../flags.ts';
import { onlyNode } from '../nodes/only-node.ts';
import type { Target } from '../nodes/target.ts';
import { prepareDirectory } from './directory.ts';
import { extract } from './extract.ts';

export type CopyFlags = { readonly oneFileSystem?: true };

/** Brings a tree of one node here. */
export async function copy(
  source: string,
  target: string,
  flags: CopyFlags & GlobalFlags,
  terminal: Terminal,
): Promise<void> {
  const root = remotePath(source);
  const isStream = target === '-';
  if (isStream && (terminal.out as { isTTY?: boolean }).isTTY === true)
    throw new UsageError('a terminal can not show an archive: redirect the output to a file or a program');
  const failures = new Failures();
  await onlyNode(flags, terminal, async (node) => {
    const pieces = new Pieces(node, { root, oneFileSystem: flags.oneFileSystem === true }, terminal.signal);
    if (isStream) {
      for await (const data of pieces.all()) await print(terminal.out, data);
    } else {
      const directory = await prepareDirectory(target);
      const left = await extract(pieces.all(), directory);
      if (left > 0) await print(terminal.error, `osctl: ${left} devices and pipes were left out\n`);
    }
    const { sockets, failed, failures: named } = pieces.report;
    if (sockets > 0n) await print(terminal.error, `osctl: ${sockets} sockets were left out\n`);
    failures.add(node.name, named, Number(failed) - named.length);
  });
  await failures.tell(terminal);
}

/** The archive of one call, and what the node says of it. */
class Pieces {
  readonly #target: Target;
  readonly #request: { readonly root: Uint8Array; readonly oneFileSystem: boolean };
  readonly #signal: AbortSignal;
  #report: CopyReport | undefined;

  constructor(
    target: Target,
    request: { readonly root: Uint8Array; readonly oneFileSystem: boolean },
    signal: AbortSignal,
  ) {
    this.#target = target;
    this.#request = request;
    this.#signal = signal;
  }

  async *all(): AsyncGenerator<Uint8Array, void, undefined> {
    const { client, node } = this.#target;
    for await (const { data, report } of client.files.copy(this.#request, { node, signal: this.#signal })) {
      if (data.length > 0) yield data;
      this.#report = report ?? this.#report;
    }
    if (this.#report === undefined) throw new TruncatedError();
  }

  /** Once all is there. */
  get report(): CopyReport {
    if (this.#report === undefined) throw new TruncatedError();
    return this.#report;
  }
}
