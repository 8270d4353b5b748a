import { readdir, readFile } from 'node:fs/promises';

import { loadCommand } from '@nodecore/cli';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { errors } from '../src/schema/all.ts';
import { fileOf } from '../src/schema/answer.ts';
import { bareProgram } from './whole-program.ts';

const directory = new URL('../schemas/', import.meta.url);
const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true, validateFormats: false });
const compiled = new Map<string, Promise<ValidateFunction>>();

/** The names of the published schemas. */
export async function publishedSchemas(): Promise<readonly string[]> {
  return (await readdir(directory)).toSorted();
}

export async function publishedSchema(name: string): Promise<object> {
  return JSON.parse(await readFile(new URL(name, directory), 'utf8')) as object;
}

/**
 * Compares what a command line has printed as JSON with the published schema of its command.
 *
 * @throws {Error} with everything that is not as it was promised.
 */
export async function requireShape(args: readonly string[], out: string): Promise<void> {
  if (!asksForJson(args) || out === '') return;
  await requireSchema(args, fileOf(await commandOf(args)), out);
}

/** The same of the errors that it has printed for programs. */
export async function requireErrors(args: readonly string[], error: string): Promise<void> {
  const objects = error.split('\n').filter((line) => line.startsWith('{'));
  if (objects.length > 0) await requireSchema(args, fileOf(errors), objects.join('\n'));
}

async function requireSchema(args: readonly string[], name: string, out: string): Promise<void> {
  const schema = compiled.get(name) ?? publishedSchema(name).then((each) => ajv.compile(each));
  compiled.set(name, schema);
  const isValid = await schema;
  for (const document of documentsOf(out))
    if (!isValid(document))
      throw new Error(
        `osctl ${args.join(' ')} prints what ${name} does not have: ${ajv.errorsText(isValid.errors)}\n${out.slice(0, 4096)}`,
      );
}

function asksForJson(args: readonly string[]): boolean {
  return args.some(
    (word, index) =>
      ['--json', '-ojson', '--output=json'].includes(word) ||
      (word === 'json' && ['-o', '--output'].includes(args[index - 1] ?? '')),
  );
}

/** The command that a line means: words of flags in front of it are none. */
async function commandOf(args: readonly string[]): Promise<string> {
  const words: string[] = [];
  let command = bareProgram();
  for (const word of args) {
    const found = command.commands.find((each) => each.name() === word || each.aliases().includes(word));
    if (found === undefined) continue;
    command = found;
    words.push(found.name());
    await loadCommand(found);
  }
  return words.join(' ');
}

/** The whole, or the lines of a stream. */
function documentsOf(out: string): readonly unknown[] {
  try {
    return [JSON.parse(out)];
  } catch {
    return out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
  }
}
