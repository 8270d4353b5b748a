import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Bytes of a node's memory, as the kernel accounts them for all of its groups. */
export type NodeMemory = {
  /** Of processes: nothing but swap could hold it otherwise. */
  readonly anon: number;
  /** Of files, with the image that the node runs from, which stays; the rest is given back when something else needs it. */
  readonly file: number;
};

const fields = ['anon', 'file'] as const;

/**
 * Asks a node how its memory is used.
 *
 * @param osctl runs it with these words and a context, and gives what it prints.
 * @param directory where the columns of the table are written.
 */
export async function memoryOf(
  osctl: (...words: readonly string[]) => Promise<string>,
  node: string,
  directory: string,
): Promise<NodeMemory> {
  const schema = join(directory, 'memory.columns.yaml');
  const columns = fields.map((name) => `  - name: ${name}\n    template: '{{ .MemoryStat.${name} }}'\n`);
  await writeFile(schema, `columns:\n${columns.join('')}`);
  const table = await osctl('-n', node, 'cgroups', '--schema-file', schema);
  const row = table.split('\n').find((line) => /^\.\s/.test(line));
  const numbers = row?.trim().split(/\s+/).slice(1).map(Number) ?? [];
  if (numbers.length !== fields.length || numbers.some((bytes) => !Number.isSafeInteger(bytes)))
    throw new Error(`${node} does not say how its memory is used:\n${table}`);
  const [anon = 0, file = 0] = numbers;
  return { anon, file };
}

/** In words, MiB. */
export function memoryWords({ anon, file }: NodeMemory): string {
  return `processes ${mib(anon)}, files ${mib(file)}`;
}

function mib(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}
