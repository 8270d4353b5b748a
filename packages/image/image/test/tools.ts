import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { findProgram, temporaryDirectory } from '@nodecore/testkit';
import type { View } from '@nodecore/view';
import type { ExecutionContext } from 'ava';

/** The view as a file that goes away after the test. */
export async function written(t: ExecutionContext, view: View): Promise<string> {
  const path = join(await temporaryDirectory(t), 'image');
  await view.writeTo(path);
  return path;
}

/** What a program says of it; throws when it finds fault. */
export function judge(name: string, ...args: readonly string[]): string {
  const result = spawnSync(findProgram(name) ?? name, args, {
    encoding: 'utf8',
    env: { ...process.env, MTOOLS_SKIP_CHECK: '1' },
  });
  if (result.status !== 0) throw new Error(`${name}: ${result.status}: ${result.stdout}${result.stderr}`);
  return result.stdout + result.stderr;
}

/** The same with bytes. */
export function judgeBytes(name: string, ...args: readonly string[]): Buffer {
  return execFileSync(findProgram(name) ?? name, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 1 << 28,
  });
}
