import type { ExecutionContext } from 'ava';

import type { VolumeState } from './agent-node.ts';
import { type Cell, idOf, isFilesystem, nameOf, passphrase } from './matrix-cells.ts';

/** Runs a shell script inside, with arguments, and returns what it printed; it fails when any command does. */
export type Shell = (script: string, ...argv: readonly string[]) => Promise<string>;

/** Where a ready volume is used: its mount, its opened mapping, or its partition. */
export function placeOf(cell: Cell, state: VolumeState | undefined): string {
  if (isFilesystem(cell)) return `/var/mnt/${nameOf(cell)}/file`;
  return cell.key === 'none' ? (state?.location ?? '') : `/dev/mapper/luks2-${idOf(cell)}`;
}

type States = ReadonlyMap<string, VolumeState>;

const kept = (cells: readonly Cell[]): readonly Cell[] => cells.filter(({ content }) => content !== 'swap');

function places(cells: readonly Cell[], states: States): readonly string[] {
  return cells.flatMap((cell) => [placeOf(cell, states.get(idOf(cell))), nameOf(cell)]);
}

/** Leaves the name of each volume in it: as a file, or at the beginning of a raw one. */
export async function leaveTraces(sh: Shell, cells: readonly Cell[], states: States): Promise<void> {
  const script =
    'while [ $# -gt 0 ]; do printf %s "$2" | dd of="$1" conv=notrunc,fsync status=none; shift 2; done';
  await sh(script, ...places(kept(cells), states));
}

/** Every volume is in use as its content wants, and has what was left in it. */
export async function checkTraces(
  t: ExecutionContext,
  sh: Shell,
  { cells, states }: { readonly cells: readonly Cell[]; readonly states: States },
): Promise<void> {
  const script = 'while [ $# -gt 0 ]; do head -c "${#2}" "$1"; echo; shift 2; done';
  const names = (await sh(script, ...places(kept(cells), states))).split('\n');
  t.deepEqual(names, kept(cells).map(nameOf));
  const swaps = (await sh('cat /proc/swaps')).split('\n');
  const wanted = cells.filter(({ content }) => content === 'swap');
  t.is(swaps.filter((line) => /\spartition\s/.test(line)).length, wanted.length, swaps.join('\n'));
}

/** What blkid, cryptsetup, mount and the checkers, which know nothing of us, find on volumes that were given up. */
export async function checkContents(
  t: ExecutionContext,
  sh: Shell,
  { cells, states }: { readonly cells: readonly Cell[]; readonly states: States },
): Promise<void> {
  for (const cell of cells) {
    const id = idOf(cell);
    const state = states.get(id);
    const device = state?.location ?? '';
    const type = cell.key === 'none' ? cell.content : 'crypto_LUKS';
    const probe = 'blkid -p -o value -s PART_ENTRY_NAME -s TYPE -s UUID "$1"';
    const blank = type === 'raw';
    const told = blank ? [id] : [id, type, state?.uuid ?? ''];
    t.deepEqual((await sh(probe, device)).split('\n').sort(), told.sort(), id);
    if (cell.key === 'nodeID') continue; // nobody else has the key
    const source = cell.key === 'static' ? '/dev/mapper/checked' : device;
    const script = `
      [ "$2" = "$1" ] || printf %s '${passphrase}' | cryptsetup open --key-file - --readonly "$1" checked
      ${checks[cell.content]}
      [ "$2" = "$1" ] || cryptsetup close checked`;
    t.is(await sh(script, device, source, nameOf(cell)), cell.content === 'swap' ? 'swap' : nameOf(cell), id);
  }
}

const readMounted = 'mount -o ro "$2" /mnt; cat /mnt/file; umount /mnt';
const quietly = (check: string): string => `${check} "$2" > /tmp/check 2>&1 || { cat /tmp/check; exit 1; }`;

const checks: Readonly<Record<Cell['content'], string>> = {
  xfs: `${quietly('xfs_repair -n')}\n${readMounted}`,
  ext4: `${quietly('e2fsck -fn')}\n${readMounted}`,
  btrfs: `${quietly('btrfs check --readonly')}\n${readMounted}`,
  swap: 'blkid -p -o value -s TYPE "$2"',
  raw: 'head -c "${#3}" "$2"',
};
