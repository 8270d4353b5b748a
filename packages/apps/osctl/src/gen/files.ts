import { OutputError, print, printFound, readFormat, type Terminal, UsageError } from '@nodecore/cli';
import { codeOf, makeDirectory, Secret, type StagedFile, stageFile } from '@nodecore/sys';

import { outputPlace, type OutputPlace, writeStream } from '../configuration/output-place.ts';

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

/**
 * Writes all files or none: when one of them exists and `force` is not set, or has no room, none has changed. Says what it wrote.
 *
 * @throws {UsageError} for a file that exists; {OutputError} for one that can't be written.
 */
export async function writeFiles(files: readonly OutputFile[], { force, terminal, format: text }: WriteOptions): Promise<void> {
  const format = await readFormat(text);
  const outputs: (OutputFile & { readonly place: OutputPlace })[] = [];
  for (const file of files) {
    const place = await outputPlace(file.path);
    if (!force && place.kind === 'file' && place.isThere)
      throw new UsageError(`${file.path} exists; give --force to replace it`);
    outputs.push({ ...file, place });
  }
  await using staging = new AsyncDisposableStack();
  const staged = new Map<string, StagedFile>();
  for (const { path, place, content, secret } of outputs) {
    if (place.kind === 'stream') continue;
    const mode = secret ? 0o600 : 0o644;
    staged.set(path, staging.use(await named(path, stageFile(place.path, bytesOf(content), { mode }))));
  }
  for (const { path, content } of outputs) {
    const file = staged.get(path);
    if (file === undefined) await writeStream(path, bytesOf(content));
    else await named(path, file.commit());
    await print(terminal.error, file === undefined ? '' : `created ${path}\n`);
  }
  const written = files.map(({ path, secret }) => ({ file: path, secret }));
  await printFound(terminal, format, written, { single: false, text: () => '' });
}

function bytesOf(content: OutputFile['content']): string | Uint8Array {
  return content instanceof Secret ? content.bytes : content;
}

/** @throws {OutputError} which names what the command line does. */
async function named<T>(path: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new OutputError(path, codeOf(error) ?? String(error));
  }
}

/** Makes the directory that files are written to. @throws {OutputError} which names it. */
export async function makeOutputDirectory(path: string, mode = 0o700): Promise<void> {
  await named(path, makeDirectory(path, { mode }));
}
