/**
 * In a machine: mounts shares of the host as external volumes, `rig-share` to write and `rig-fixed` to read, and one that is
 * not there. Prints what became of them; leaves the file `from-machine` with the text that is given.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { type Inventory, mounts } from '@nodecore/block';
import { parse } from '@nodecore/config';
import { codeOf } from '@nodecore/sys';
import { fromConfiguration, type IntentStore, VolumeManager } from '@nodecore/volumes';

const [text = ''] = process.argv.slice(2);
const mountRoot = '/run/shares';
const documentOf = (name: string, tag: string, readOnly: boolean): string => `apiVersion: v1alpha1
kind: ExternalVolumeConfig
name: ${name}
filesystemType: virtiofs
mount: {readOnly: ${readOnly}, virtiofs: {tag: ${tag}}}
`;
const documents = [
  documentOf('absent', 'no-such-share', false),
  documentOf('fixed', 'rig-fixed', true),
  documentOf('shared', 'rig-share', false),
];

async function* noDisks(): AsyncGenerator<Inventory, void, undefined> {
  yield { disks: [], volumes: [] };
}

const intents: IntentStore = { get: async () => undefined, put: async () => {}, remove: async () => {} };
using configuration = parse(documents.join('---\n'));
const manager = new VolumeManager({ inventory: noDisks(), intents, machineUuid: '' });
manager.apply(fromConfiguration(configuration, { systemDisk: false, mountRoot }));
for await (const _ of manager.changes()) {
  const phases = manager.statuses().map(({ phase }) => phase);
  if (!phases.every((phase) => phase === 'ready' || phase === 'failed')) continue;
  const at = (name: string): string => join(mountRoot, 'var/mnt', name);
  const types = (await mounts.list())
    .filter(({ target }) => target.startsWith(`${mountRoot}/`))
    .map(({ source, type }) => `${source} ${type}`);
  const read = await readFile(join(at('fixed'), 'from-host'), 'utf8');
  await writeFile(join(at('shared'), 'from-machine'), text);
  const refused = await writeFile(join(at('fixed'), 'from-machine'), text).catch((error) => codeOf(error));
  process.stdout.write(JSON.stringify({ phases, types: types.sort(), read, refused }));
  break;
}
await manager.close();
