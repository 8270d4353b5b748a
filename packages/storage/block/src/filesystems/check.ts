import { withDiskLock } from '../devices/disk-lock.ts';
import { BlockError } from '../errors.ts';
import { stateOf } from './state.ts';
import { type Outcome, outcomeOf, type Tool } from './tool.ts';
import { xfsLosses } from './xfs-losses.ts';

export type CheckOptions = {
  readonly type: 'xfs' | 'ext4';
  /** The kernel has refused to mount it: checked whatever its superblock says. */
  readonly refused?: boolean;
  /** How far the program is: `pass 1 of 5, 43 %`. */
  readonly onProgress?: (progress: string) => void;
  readonly signal?: AbortSignal;
};

/** What came of a check. */
export type FilesystemCheck = {
  readonly result:
    | 'recovered' // the journal was replayed, and nothing was wrong
    | 'intact' // everything was looked at, and nothing was wrong
    | 'repaired'; // what could be put right without a loss was
  readonly durationMs: number;
};

const e2fsck: Tool = { name: 'e2fsck', debian: 'e2fsprogs' };
const xfsRepair: Tool = { name: 'xfs_repair', debian: 'xfsprogs' };

/**
 * Checks a filesystem that is not mounted, if it needs that: ext4 that was not unmounted, ext4 and xfs in which errors were
 * found, and what the kernel has refused. Repairs what can be repaired without a loss, and leaves the rest: e2fsck(8) `-p` does
 * that by itself, xfs_repair(8) is asked before what it would do. The log of xfs is never thrown away.
 *
 * An abort ends the program and waits for it; another check goes on from there. Needs root.
 *
 * @returns undefined when it needed no check.
 * @throws {BlockError} `ERR_BLOCK_DAMAGED` with what the program said, when somebody has to decide what may be lost.
 */
export async function check(path: string, options: CheckOptions): Promise<FilesystemCheck | undefined> {
  const { type, refused = false } = options;
  return withDiskLock(
    path,
    async () => {
      const state = await stateOf(path, type);
      if (state === 'clean' && !refused) return undefined;
      const begin = performance.now();
      const repaired = type === 'ext4' ? await checkExt4(path, options) : await checkXfs(path, options);
      const looked = refused || state === 'errors' ? 'intact' : 'recovered';
      return { result: repaired ? 'repaired' : looked, durationMs: Math.round(performance.now() - begin) };
    },
    options,
  );
}

/** e2fsck(8), EXIT CODE: bits. @returns whether something was put right. */
async function checkExt4(
  path: string,
  { refused = false, onProgress, signal }: CheckOptions,
): Promise<boolean> {
  const args = ['-p', '-C', '3', ...(refused ? ['-f'] : []), path];
  const onText = (text: string): void => {
    const line = /^(\d) (\d+) (\d+)\b[^\n]*\n?$/mu.exec(
      text.slice(text.lastIndexOf('\n', text.length - 2) + 1),
    );
    if (line === null) return;
    const [, pass = '', done = '0', all = '1'] = line;
    onProgress?.(`pass ${pass} of 5, ${Math.floor((100 * Number(done)) / Math.max(Number(all), 1))} %`);
  };
  const outcome = await outcomeOf(e2fsck, args, path, { ...(signal && { signal }), onText });
  signal?.throwIfAborted();
  const { code } = outcome;
  if (typeof code !== 'number' || code >= 8) throw failed(e2fsck, path, outcome);
  if ((code & 4) === 0) return code !== 0;
  throw damaged(
    e2fsck,
    path,
    said(path, outcome),
    `look at it with "e2fsck -n ${path}", save what can be read, then decide`,
  );
}

/** xfs_repair(8), EXIT STATUS with `-e`. @returns whether something was put right. */
async function checkXfs(path: string, { onProgress, signal }: CheckOptions): Promise<boolean> {
  await requireNoLoss(path, signal);
  const onText = (text: string): void => {
    const phase = [...text.matchAll(/^Phase (\d)/gmu)].at(-1)?.[1];
    if (phase !== undefined) onProgress?.(`phase ${phase} of 7`);
  };
  const outcome = await outcomeOf(xfsRepair, ['-e', path], path, { ...(signal && { signal }), onText });
  signal?.throwIfAborted();
  switch (outcome.code) {
    case 0:
      return false;
    case 4:
      return true;
    case 2:
      throw damaged(
        xfsRepair,
        path,
        said(path, outcome),
        `its log can not be replayed; "xfs_repair -L ${path}" throws it away, and with it the last changes`,
      );
    case 1:
      throw damaged(
        xfsRepair,
        path,
        said(path, outcome),
        `look at it with "xfs_repair -n ${path}", and restore from a backup`,
      );
    default:
      throw failed(xfsRepair, path, outcome);
  }
}

/** xfs_repair clears what it can't make sense of, and counts that as repaired. */
async function requireNoLoss(path: string, signal: AbortSignal | undefined): Promise<void> {
  const outcome = await outcomeOf(xfsRepair, ['-n', path], path, signal === undefined ? {} : { signal });
  signal?.throwIfAborted();
  if (outcome.code !== 0 && outcome.code !== 1) throw failed(xfsRepair, path, outcome);
  const losses = xfsLosses(outcome.stderr);
  if (losses.length === 0) return;
  const next = `look at all of it with "xfs_repair -n ${path}", save what can be read, then decide`;
  throw damaged(xfsRepair, path, losses.slice(0, maxReasons), next);
}

function damaged(tool: Tool, path: string, reasons: readonly string[], next: string): BlockError {
  const message = `${tool.name} can not repair ${path} without a loss: ${next}`;
  return new BlockError('ERR_BLOCK_DAMAGED', path, message, { reasons });
}

function failed(tool: Tool, path: string, outcome: Outcome): BlockError {
  const [why = ''] = said(path, outcome);
  return new BlockError('ERR_BLOCK_FAILED', path, `${tool.name} on ${path}: exit ${outcome.code}: ${why}`);
}

const maxReasons = 5;

/** The last lines, which say why it ended. */
function said(path: string, { stdout, stderr }: Outcome): readonly string[] {
  const lines = `${stdout}\n${stderr}`.split('\n').map((line) => line.replace(`${path}: `, '').trim());
  return lines.filter((line) => line !== '').slice(-maxReasons);
}
