import { Table } from '../../output/table.ts';
import { print } from '../../terminal.ts';
import { load, type ConfigOptions } from './file.ts';

/** More nodes would push everything off the screen. */
const shownNodes = 3;

export async function printContexts(options: ConfigOptions): Promise<void> {
  const { osconfig } = await load(options);
  const rows = osconfig.names.map((name) => {
    const { endpoints, nodes, key } = osconfig.context(name);
    key?.[Symbol.dispose]();
    const shown = [...nodes.slice(0, shownNodes), ...(nodes.length > shownNodes ? ['...'] : [])];
    return [name === osconfig.current ? '*' : '', name, endpoints.join(','), shown.join(',')];
  });
  await print(options.terminal.out, new Table(['current', 'name', 'endpoints', 'nodes']).format(rows));
}
