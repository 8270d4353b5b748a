/**
 * A program: takes the configurations in the files of its command line into use, one after the other, and writes its heap
 * to the file before them. A text that it keeps on purpose shows that the snapshot has what is kept.
 */
import { readFile } from 'node:fs/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { writeHeapSnapshot } from 'node:v8';

import { Store } from '@nodecore/state';
import { pino } from 'pino';

import { Configurator } from '../src/configuration/configurator.ts';
import { publishConfiguration } from '../src/configuration/machine-config.ts';
import { StateDirectory } from '../src/persistence/state-directory.ts';
import { machineConfigs } from '../src/configuration/definitions.ts';
import { Catalog } from '../src/resources/catalog.ts';
import { FakeClock } from '@nodecore/testkit/fake-clock';

const [snapshot = '', state = '', kept = '', ...files] = process.argv.slice(2);
const clock = new FakeClock();
const store = new Store({ clock });
new Catalog([machineConfigs]).publish(store);
const configurator = new Configurator({
  log: pino({ level: 'silent' }),
  clock,
  prepareState: () => StateDirectory.open(state),
  prepareTrial: async () => {},
  volumeStatuses: () => [],
  admit: async () => [],
  activate: async () => {},
  keysInForce: () => false,
  settle: async () => {},
  publish: (active, persisted) => publishConfiguration(store, active, persisted),
});
for (const file of files) {
  const request = { mode: 'auto', dryRun: false, anonymous: false } as const;
  await configurator.apply({ ...request, text: await readFile(file, 'utf8') });
}
await turn(); // what the last turns of the loop still hold goes
const held = { configurator, store, kept: await readFile(kept, 'utf8') };
writeHeapSnapshot(snapshot);
console.log(held.configurator.active?.version, held.store.list.length, held.kept.length);
