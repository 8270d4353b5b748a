import type { AddonHandle } from './addon-handle.ts';

/** `Scan` of scan.h, as typed arrays. */
export type AddonScan = {
  readonly fileNames: readonly string[];
  readonly appeared: readonly { readonly id: number; readonly parent: number; readonly name: string }[];
  readonly gone: Uint32Array;
  readonly order: Uint32Array;
  readonly stamps: BigUint64Array;
  readonly starts: Uint32Array;
  /** Four numbers per entry: file, arena, offset, length or negative errno. */
  readonly entries: Int32Array;
  readonly values: readonly BigUint64Array[];
  readonly states: readonly Uint8Array[];
  readonly arenas: readonly ArrayBuffer[];
  readonly held: number;
  readonly limit: number;
};

export type AddonCgroupTree = AddonHandle & {
  /** Every file when `files` is undefined; a column's file is an index into them. */
  submit(
    files: readonly string[] | undefined,
    columnFiles: Uint32Array,
    lines: readonly string[],
    parts: readonly string[],
    texts: boolean,
    maxHeld: number,
  ): void;
  cancel(): void;
  receive(): AddonScan | undefined;
};

export type AddonPressureTrigger = {
  /** When the trigger fired, in ns of CLOCK_MONOTONIC; false when the handle was closed first. */
  wait(): Promise<bigint | false>;
  keepAlive(value: boolean): void;
  receive(): string;
  close(): void;
};

/** The exports that cgroups use. */
export type CgroupAddon = {
  readonly CgroupTree: new (path: string, foreign: boolean) => AddonCgroupTree;
  readonly PressureTrigger: new (path: string, condition: string) => AddonPressureTrigger;
};
