/** Runs in a machine: does what each line of standard input says to one filesystem, and answers in a line. JSON both. */
import { execFile } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

import { mounts } from '@nodecore/block';
import * as luks from '@nodecore/luks';
import { Secret } from '@nodecore/sys';
import { eligibility, MountPoint, trim } from '@nodecore/trim';

import { cheap } from '../key-specs.ts';

export type Request =
  /** Makes a filesystem, writes `mib` files of 1 MiB each, and removes every second one. */
  | {
      readonly do: 'fill';
      readonly device: string;
      readonly filesystem: 'ext4' | 'xfs' | 'btrfs';
      readonly encryption: 'none' | 'discards' | 'closed';
      readonly mib: number;
    }
  | { readonly do: 'trim' }
  | { readonly do: 'close' };

export type Answer = {
  readonly disks?: readonly string[];
  readonly skipped?: string;
  readonly ranges?: number;
  readonly longestRangeMs?: number;
  readonly durationMs?: number;
};

const run = promisify(execFile);
const target = '/run/trimmed';
const name = 'trimmed';

async function fill({
  device,
  filesystem,
  encryption,
  mib,
}: Extract<Request, { do: 'fill' }>): Promise<Answer> {
  let source = device;
  if (encryption !== 'none') {
    using key = Secret.random(32);
    await luks.format(device, { key, pbkdf: cheap, overwrite: true });
    const allowDiscards = encryption === 'discards';
    source = (await luks.open(device, { name, keys: [{ key }], allowDiscards })).path;
  }
  await run(`mkfs.${filesystem}`, ['-q', filesystem === 'ext4' ? '-F' : '-f', source]);
  await mkdir(target, { recursive: true });
  await mounts.mount({ source, target, type: filesystem });
  const files = Array.from({ length: mib }, (_, index) => join(target, `file-${index}`));
  // Not zeros, which some layer might leave out.
  for (const [index, file] of files.entries())
    await writeFile(file, Buffer.alloc(1 << 20, (index % 255) + 1));
  await run('sync', ['-f', target]);
  for (const [index, file] of files.entries()) if (index % 2 === 1) await rm(file);
  await run('sync', ['-f', target]);
  return {};
}

async function trimNow(): Promise<Answer> {
  const mounted = await MountPoint.find(target);
  const verdict = eligibility(mounted?.live);
  if (!verdict.eligible || mounted === undefined) return { skipped: verdict.eligible ? '' : verdict.reason };
  const { ranges, longestRangeMs, durationMs } = await trim(mounted);
  return { disks: verdict.disks, ranges, longestRangeMs, durationMs };
}

async function close(): Promise<Answer> {
  await mounts.unmount(target);
  if ((await luks.status(name)) !== undefined) await luks.close(name);
  return {};
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line) as Request;
  const answer = await (request.do === 'fill' ? fill(request) : request.do === 'trim' ? trimNow() : close());
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
