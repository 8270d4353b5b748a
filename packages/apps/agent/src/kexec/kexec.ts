import { withEntry } from '@nodecore/boot';
import { codeOf } from '@nodecore/sys';
import { kernelParts } from '@nodecore/uki';

import type { DirectStart } from '../lifecycle/lifecycle.ts';
import type { Log } from '../log.ts';
import type { Meta } from '../persistence/meta.ts';
import type { BootMenu, OpenMenu } from '../upgrades/boot-menu.ts';
import { readBootRecord, recordedEntry, writeBootRecord } from '../upgrades/boot-record.ts';
import { entryId } from '../upgrades/entry-spec.ts';
import { nextCommandLine } from './command-line.ts';
import { KexecError } from './errors.ts';
import { readKexecMark, writeKexecMark } from './kexec-mark.ts';
import type { NextKernel } from './loaded-kernel.ts';

export type KexecParts = {
  readonly log: Log;
  readonly menu: Pick<BootMenu, 'with'>;
  /** Undefined while no system disk is known. */
  readonly meta: () => Meta | undefined;
  /** What keeps this machine from it, whatever its menu has. */
  readonly obstacle: () => Promise<string | undefined>;
  /** What lies beside the images on the mounted partition. @returns a path from its root. */
  readonly addition: (root: string) => Promise<string | undefined>;
  readonly runningLine: () => Promise<string>;
  readonly load: (next: NextKernel, signal: AbortSignal) => Promise<void>;
};

/**
 * The way past the firmware, where it is proven: only for the entry that runs and that the firmware would start as well, once it has
 * proven itself, when its file is what the record of the node says.
 */
export class Kexec implements DirectStart {
  readonly #parts: KexecParts;

  constructor(parts: KexecParts) {
    this.#parts = parts;
  }

  async load(signal: AbortSignal): Promise<string | undefined> {
    const { obstacle, menu, load } = this.#parts;
    try {
      const found = await obstacle();
      if (found !== undefined) return found;
      const meta = this.#parts.meta();
      if (meta === undefined) return 'no system disk is known';
      const entry = await menu.with(async (open) => {
        const { entry: id, ...next } = await this.#next(open, meta, signal);
        await load(next, signal);
        return id;
      });
      signal.throwIfAborted();
      await writeKexecMark(meta, { entry, hasFailed: false });
      return undefined;
    } catch (error) {
      // Whatever it is, the firmware starts the machine. A defect of ours has no code, and is told as one.
      if (!(error instanceof Error) || codeOf(error) === undefined) throw error;
      return error.message;
    }
  }

  async forget(): Promise<void> {
    const meta = this.#parts.meta();
    if (meta !== undefined) await writeKexecMark(meta, undefined);
  }

  /**
   * Keeps the digest of what the firmware has started, and what came up, where the record has none: the first release of a disk image.
   *
   * @throws {UpgradeError} `ERR_UPGRADE_NOT_INSTALLED`
   */
  async remember(signal: AbortSignal): Promise<void> {
    const { menu, log } = this.#parts;
    const meta = this.#parts.meta();
    if (meta === undefined) return;
    await menu.with(async ({ partition, booted }) => {
      const record = readBootRecord(meta, log);
      const known = recordedEntry(record, booted);
      if (booted.state !== 'good' || (known?.sha256 ?? '') !== '') return;
      const { name, imageVersion, sequence, sizeBytes } = booted;
      const sha256 = await partition.digest(name, signal);
      await writeBootRecord(meta, withEntry(record, { ...known, imageVersion, sequence, sizeBytes, sha256 }));
      log.info({ entry: name }, 'the digest of what the firmware has started is kept');
    });
  }

  async #next(
    { partition, booted, root }: OpenMenu,
    meta: Meta,
    signal: AbortSignal,
  ): Promise<NextKernel & { readonly entry: string }> {
    const [first] = await partition.entries();
    if (first?.name !== booted.name)
      throw unproven(`the menu starts ${first?.name ?? 'nothing'} next, and ${booted.name} runs`);
    if (booted.state !== 'good') throw unproven(`${booted.name} has not proven itself yet`);
    const entry = entryId(booted);
    const mark = readKexecMark(meta);
    if (mark?.hasFailed === true && mark.entry === entry)
      throw unproven(`the last start of ${booted.name} without the firmware did not become ready`);
    const sha256 = recordedEntry(readBootRecord(meta, this.#parts.log), booted)?.sha256 ?? '';
    if (sha256 === '') throw unproven(`the record of the node has no digest of ${booted.name}`);
    const added = await this.#parts.addition(root);
    if (added !== undefined) throw unproven(`what is in ${added} would be missing`);
    const { linux, initrd, commandLine } = await kernelParts(
      await partition.proven(booted.name, sha256, signal),
    );
    return {
      entry,
      linux,
      initrd,
      commandLine: nextCommandLine(commandLine, await this.#parts.runningLine()),
    };
  }
}

function unproven(why: string): KexecError {
  return new KexecError('ERR_KEXEC_UNPROVEN', why);
}
