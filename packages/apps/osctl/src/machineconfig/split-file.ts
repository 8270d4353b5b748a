import { join } from 'node:path';

import type { Terminal } from '@nodecore/cli';
import { type DocumentText, documentTexts } from '@nodecore/config';

import { readText } from '../configuration/read-text.ts';
import { makeOutputDirectory, writeFiles } from '../gen/files.ts';

export type SplitRequest = {
  /** Path, or `-` for standard input. */
  readonly file: string;
  readonly directory: string;
  readonly force: boolean;
  readonly json: boolean;
};

/**
 * Writes each document of a configuration to a file of its own, for its owner alone. The names begin with numbers, so that the
 * files one behind the other are the configuration again.
 *
 * @throws {ConfigError} when the text can't be read; {UsageError} for a file that is there.
 */
export async function splitFile(
  { file, directory, force, json }: SplitRequest,
  terminal: Terminal,
): Promise<void> {
  const { text, place } = await readText(file, '<machineconfig-file>', terminal);
  const documents = documentTexts(text, { file: place });
  const digits = String(documents.length).length;
  const files = documents.map((document, index) => ({
    path: join(directory, `${String(index + 1).padStart(digits, '0')}-${fileName(document)}`),
    content: document.text,
    secret: true,
  }));
  await makeOutputDirectory(directory);
  await writeFiles(files, { force, terminal, format: json ? 'json' : 'table' });
}

/** A name may be a path or an address: nothing but letters, digits and a few signs becomes part of a file's name. */
function fileName({ kind, name }: DocumentText): string {
  const words = [kind === '' ? 'machine' : kind, ...(name === undefined ? [] : [name])];
  return `${words.map((word) => word.replaceAll(/[^\w.@-]/gu, '_').slice(0, 64)).join('-')}.yaml`;
}
