import { formatObjects, print, readFormat, Table } from '@nodecore/cli';
import { load, type ConfigOptions } from './file.ts';

/** More nodes would push everything off the screen. */
const shownNodes = 3;

/** Prints the contexts; in JSON with all of their nodes. */
export async function printContexts(options: ConfigOptions, output: string): Promise<void> {
  const format = await readFormat(output);
  const { osconfig } = await load(options);
  if (format.kind !== 'table') {
    const contexts = osconfig.names.map((name) => {
      const { endpoints, nodes, key } = osconfig.context(name);
      key?.[Symbol.dispose]();
      return { name, current: name === osconfig.current, endpoints, nodes };
    });
    await print(options.terminal.out, await formatObjects(contexts, format, { single: false }));
    return;
  }
  const rows = osconfig.names.map((name) => {
    const { endpoints, nodes, key } = osconfig.context(name);
    key?.[Symbol.dispose]();
    const shown = [...nodes.slice(0, shownNodes), ...(nodes.length > shownNodes ? ['...'] : [])];
    return [name === osconfig.current ? '*' : '', name, endpoints.join(','), shown.join(',')];
  });
  await print(options.terminal.out, new Table(['current', 'name', 'endpoints', 'nodes']).format(rows));
}
