import { access } from 'node:fs/promises';

import { print, printFound, readFormat, type Terminal, UsageError } from '@nodecore/cli';
import { codeOf, makeDirectory, Secret, writeFileAtomic } from '@nodecore/sys';

import { OutputError } from '../errors.ts';


/** A file to write. What holds a secret is for its owner only. */
export type OutputFile = {
  readonly path: string;
  readonly content: string | Uint8Array | Secret;
  readonly secret: boolean;
};

export type WriteOptions = {
  readonly force: boolean;
  readonly terminal: Terminal;
  /** How standard output is told of the files: `table` says nothing there. */
  readonly format: string;
};

/** Writes all files or, when one of them exists already and `force` is not set, none. Says what it wrote. */
export async function writeFiles(files: readonly OutputFile[], { force, terminal, format: text }: WriteOptions): Promise<void> {
  const format = await readFormat(text);
  for (const { path } of files) {
    if (!force && (await exists(path))) throw new UsageError(`${path} exists; give --force to replace it`);
  }
  for (const { path, content, secret } of files) {
    const data = content instanceof Secret ? content.bytes : content;
    try {
      await writeFileAtomic(path, data, { mode: secret ? 0o600 : 0o644 });
    } catch (error) {
      throw new OutputError(path, codeOf(error) ?? String(error));
    }
    await print(terminal.error, `created ${path}\n`);
  }
  const written = files.map(({ path, secret }) => ({ file: path, secret }));
  await printFound(terminal, format, written, { single: false, text: () => '' });
}

/** Makes the directory that files are written to. @throws {OutputError} which names it. */
export async function makeOutputDirectory(path: string, mode = 0o700): Promise<void> {
  try {
    await makeDirectory(path, { mode });
  } catch (error) {
    throw new OutputError(path, codeOf(error) ?? String(error));
  }
}

async function exists(path: string): Promise<boolean> {
  return await access(path).then(
    () => true,
    () => false,
  );
}
