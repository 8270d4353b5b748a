import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { type Terminal, UsageError } from '@nodecore/cli';
import { codeOf, decodeText, TextError } from '@nodecore/sys/pure';

/** The program that `$OS_EDITOR` or `$EDITOR` names, with its arguments; else what the system has: `vi`, on Windows `notepad`. */
export function editorOf(
  env: Terminal['env'],
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  const words = [env['OS_EDITOR'], env['EDITOR']]
    .map((text) => (text ?? '').trim().split(/\s+/u))
    .find(([program]) => program !== '');
  return words ?? [platform === 'win32' ? 'notepad' : 'vi'];
}

/**
 * Has a text edited in a file that only its owner may read, and that is gone afterwards.
 *
 * @throws {UsageError} when the editor is not there or ends with an error: what it wrote counts for nothing. When it wrote
 *   something other than UTF-8, the file stays.
 */
export async function edit(text: string, { env }: Pick<Terminal, 'env'>): Promise<string> {
  const file = await keep(text);
  try {
    await run([...editorOf(env), file], env);
    const edited = decodeText(await readFile(file));
    await rm(dirname(file), { recursive: true });
    return edited;
  } catch (error) {
    if (error instanceof TextError)
      throw new UsageError(`${file}:${error.line}:${error.column}: ${error.message}; nothing was changed`);
    await rm(dirname(file), { recursive: true });
    throw error;
  }
}

/** Puts a text into a new file that only its owner may read. @returns its path. */
export async function keep(text: string): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'osctl-')), 'machineconfig.yaml');
  await writeFile(file, text, { mode: 0o600 });
  return file;
}

async function run([program = '', ...args]: readonly string[], env: Terminal['env']): Promise<void> {
  const editor = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...env } });
  try {
    const [code, signal] = (await once(editor, 'close')) as [number | null, string | null];
    if (code === 0) return;
    throw new UsageError(`${program} ended with ${signal ?? `exit code ${code}`}: nothing was changed`);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    throw new UsageError(`${program}: not found; name your editor in OS_EDITOR or EDITOR`);
  }
}
