import { keyPath } from '@nodecore/authv1';
import { formatObjects, print, printable, readFormat, Table, type Terminal } from '@nodecore/cli';

import type { GlobalFlags } from '../flags.ts';
import { loadConfig } from '../session.ts';

/** Prints the contexts, the current one with a star. */
export async function printContexts(flags: GlobalFlags, output: string, terminal: Terminal): Promise<void> {
  const format = await readFormat(output);
  const config = await loadConfig(flags, terminal);
  if (format.kind !== 'table') {
    const objects = config.contexts.map(({ name, url, identity }) => ({
      name,
      current: name === config.current,
      url,
      identity,
    }));
    await print(terminal.out, await formatObjects(objects, format, { single: false }));
    return;
  }
  const rows = config.contexts.map(({ name, url, identity }) => [
    name === config.current ? '*' : '',
    name,
    url,
    identity,
  ]);
  await print(terminal.out, new Table(['current', 'name', 'url', 'identity']).format(rows));
}

/** Makes a context current. */
export async function useContext(flags: GlobalFlags, name: string, terminal: Terminal): Promise<void> {
  const config = await loadConfig(flags, terminal);
  config.use(name);
  await config.save();
}

/** Prints the context in use, and where its key is looked for. */
export async function printInfo(flags: GlobalFlags, terminal: Terminal): Promise<void> {
  const { name, url, identity } = (await loadConfig(flags, terminal)).context(flags.context);
  const place = { flag: flags.authv1KeysDir, env: terminal.env };
  const rows = [
    ['Context:', name],
    ['URL:', url],
    ['Identity:', identity],
    ['Key:', keyPath(place, { context: name, identity })],
  ] as const;
  await print(
    terminal.out,
    rows.map(([label, value]) => `${label.padEnd(10)}${printable(value)}\n`).join(''),
  );
}
