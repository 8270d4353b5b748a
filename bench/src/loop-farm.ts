import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runProgram } from './program.ts';

/**
 * Many disks with all sorts of content: whole devices and partitions, all their nodes sorted by name. Every node has
 * content, because the blkid program ends at the first that has none.
 */
export type LoopFarm = { readonly nodes: readonly string[] };

type Template = { readonly make: (path: string) => Promise<unknown>; readonly partitions: number };

const imageBytes = 64 << 20;

const partitionBytes = 16 << 20;

const templates: readonly Template[] = [
  { partitions: 0, make: (path) => runProgram(['mkfs.ext2', '-q', '-F', '-L', 'old', path]) },
  { partitions: 0, make: (path) => runProgram(['mkfs.ext4', '-q', '-F', '-L', 'data', path]) },
  { partitions: 1, make: (path) => table(path, 'label: gpt\nsize=16M, name=one\n', 1) },
  { partitions: 0, make: (path) => runProgram(['mkfs.vfat', '-I', '-n', 'BOOT', path]) },
  { partitions: 1, make: (path) => table(path, 'label: dos\nsize=16M\n', 1) },
  { partitions: 0, make: (path) => runProgram(['mkswap', '-q', path]) },
  { partitions: 0, make: luksFormat },
  { partitions: 2, make: (path) => table(path, 'label: gpt\nsize=16M, name=one\nsize=16M, name=two\n', 2) },
];

/** Attaches `count` loop devices; they go away with the stack. */
export async function loopFarm(stack: AsyncDisposableStack, count: number): Promise<LoopFarm> {
  const directory = await mkdtemp(join(tmpdir(), 'nodecore-bench-'));
  stack.defer(() => rm(directory, { recursive: true, force: true }));
  const images = await Promise.all(templates.map((template, n) => image(template, join(directory, `t${n}`))));
  const nodes: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const kind = n % templates.length;
    const file = join(directory, `disk-${n}`);
    await runProgram(['cp', '--sparse=always', images[kind] ?? '', file]);
    const device = (await runProgram(['losetup', '--find', '--show', '--partscan', file])).trim();
    stack.defer(() => runProgram(['losetup', '--detach', device]).then(ignore));
    nodes.push(device);
    const partitions = templates[kind]?.partitions ?? 0;
    if (partitions === 0) continue;
    // Kernels without a parser for the table need to be told.
    await runProgram(['partx', '--update', device]);
    stack.defer(() => runProgram(['partx', '--delete', device]).then(ignore));
    for (let index = 1; index <= partitions; index += 1) nodes.push(`${device}p${index}`);
  }
  return { nodes: nodes.sort() };
}

async function image({ make }: Template, path: string): Promise<string> {
  await using file = await open(path, 'w', 0o600);
  await file.truncate(imageBytes);
  await make(path);
  return path;
}

/** A partition table whose partitions lie one after the other from 1 MiB on and hold a file system each. */
async function table(path: string, script: string, partitions: number): Promise<void> {
  await runProgram(['sfdisk', '--quiet', path], script);
  const blocks = String(partitionBytes / 1024);
  for (let n = 0; n < partitions; n += 1) {
    const offset = `offset=${(1 << 20) + n * partitionBytes}`;
    await runProgram(['mkfs.ext4', '-q', '-F', '-b', '1024', '-E', offset, path, blocks]);
  }
}

function luksFormat(path: string): Promise<string> {
  const cost = ['--pbkdf', 'pbkdf2', '--pbkdf-force-iterations', '1000'];
  const argv = ['luksFormat', '--batch-mode', '--type', 'luks2', ...cost, '--key-file', '-', path] as const;
  return runProgram(['cryptsetup', ...argv], 'passphrase');
}

function ignore(): void {}
