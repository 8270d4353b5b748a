import { open } from 'node:fs/promises';
import { join } from 'node:path';

import type { Pbkdf } from '../src/index.ts';
import type { Secret } from '@nodecore/sys';
import { command, type CommandResult, temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';

/** The cheapest key derivation there is: tests are about what is opened, not how slowly. */
export const cheap: Pbkdf = { type: 'argon2id', iterations: 4, memoryKib: 32, parallel: 1 };

/** The same for the program. */
export const cheapArguments = [
  '--pbkdf-force-iterations',
  '4',
  '--pbkdf-memory',
  '32',
  '--pbkdf-parallel',
  '1',
];

/** A sparse file that goes away after the test. */
export async function imageFile(t: ExecutionContext, sizeBytes: number = 20 << 20): Promise<string> {
  const path = join(await temporaryDirectory(t), 'disk.img');
  await using file = await open(path, 'w');
  await file.truncate(sizeBytes);
  return path;
}

/** Runs the cryptsetup program with a key on its standard input (`--key-file -` where the command takes one). */
export async function cryptsetup(args: readonly string[], key?: Secret): Promise<CommandResult> {
  const input = key === undefined ? {} : { input: key.bytes };
  return await command(['cryptsetup', '--batch-mode', ...args], input);
}
