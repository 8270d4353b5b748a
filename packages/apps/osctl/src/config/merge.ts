import { Osconfig } from '@nodecore/api';

import { print, printFound, readFormat, readNamed } from '@nodecore/cli';
import { edit, type ConfigOptions } from './file.ts';

/** Takes over the contexts of a file and says which had to be renamed. */
export async function mergeFile(options: ConfigOptions, file: string, output: string): Promise<void> {
  const format = await readFormat(output);
  const other = Osconfig.parse(await readNamed(file, 'the file name'), file);
  const renames = await edit(options, ({ osconfig }) => osconfig.merge(other));
  for (const { from, to } of renames) {
    await print(options.terminal.error, `renamed context "${from}" to "${to}": the name was taken\n`);
  }
  const taken = other.names.map((from) => ({
    context: renames.find((rename) => rename.from === from)?.to ?? from,
    from,
  }));
  await printFound(options.terminal, format, taken, { single: false, text: () => '' });
}
