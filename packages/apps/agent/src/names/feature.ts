import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

import { kernelArgument } from '@nodecore/config/kernel-arguments';
import type { Configuration } from '@nodecore/config';
import { Originals } from '@nodecore/host';
import type { Json, Store } from '@nodecore/state';
import { aborted } from '@nodecore/waiting';

import { configured } from '../applied/applied-controller.ts';
import type { Layer } from '../applied/layers.ts';
import { hostsFiles } from '../etc/definitions.ts';
import { hostnameOf, setHostname, unnamed } from '../image/hostname.ts';
import { kernelArguments } from '../image/kernel-arguments.ts';
import type { ImagePaths } from '../image/paths.ts';
import { node } from '../node.ts';
import { firmwareUuid } from '../persistence/machine-uuid.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { hostnameSpecs, hostnameStatuses, staticHosts } from './definitions.ts';
import { hostnameController, type HostnameParts, nameMachine, wantedName } from './hostname.ts';
import { hostsController } from './hosts.ts';
import { ownIdentity } from './own-identity.ts';

const owner = 'names';

/** What the machine and its neighbours are called. */
export const names: Feature<undefined> = feature({
  name: 'names',
  needs: { node },
  writes: [hostnameSpecs, hostnameStatuses, staticHosts, hostsFiles],
  make: ({ node: { store, log, options, runDirectory } }) => {
    const { image, container } = options;
    const isOurs = image !== undefined || container !== undefined;
    const parts: HostnameParts = {
      log,
      current: hostname,
      set: isOurs ? (name) => setHostname(name) : undefined,
    };
    const before = new Originals(join(runDirectory, 'hostname-original.json'));
    return {
      handle: undefined,
      controllers: [hostnameController(parts), ...(image ? [hostsController()] : [])],
      run: async (signal) => {
        if (image !== undefined) await publishOwnNames(store, image, before);
        await aborted(signal);
      },
      prepare: async ({ configuration }) => {
        replaceNames(store, configuration);
        // At once: a member of the kvstore that is started next is known by this name.
        await nameMachine(parts, wantedName(store.list(kindOf(hostnameSpecs)).resources));
      },
      configure: ({ configuration }) => {
        const hosts = configuration.all('StaticHostConfig');
        const specs = hosts.map(({ name, hostnames }): [string, Json] => [
          name.text,
          { names: [...hostnames] },
        ]);
        store.replace(kindOf(staticHosts), new Map(specs), owner);
      },
    };
  },
});

/**
 * What the machine is called without a configuration: by the kernel's command line, else by the name it was started with, else by its
 * own identity.
 */
export async function publishOwnNames(
  store: Store,
  { kernelCommandLine }: Pick<ImagePaths, 'kernelCommandLine'>,
  before: Originals,
): Promise<void> {
  const wanted = kernelArguments(await readFile(kernelCommandLine, 'utf8')).get(kernelArgument.hostname);
  await before.remember('hostname', hostname()); // an agent that begins anew finds a name of ours
  const given = (await before.all()).get('hostname') ?? '';
  const own = unnamed.has(given) ? hostnameOf(await ownIdentity(await firmwareUuid())) : given;
  const say = (layer: Layer, name: string): unknown =>
    store.modify({ ...kindOf(hostnameSpecs), id: layer }, () => ({ layer, hostname: name }), { owner });
  say('default', own);
  if (wanted !== undefined) say('cmdline', wanted);
}

/** Only its own layer: the others stay. */
function replaceNames(store: Store, configuration: Configuration): void {
  const { hostname: name } = configuration.get('HostnameConfig') ?? {};
  const key = { ...kindOf(hostnameSpecs), id: configured };
  if (name !== undefined) store.modify(key, () => ({ layer: 'configuration', hostname: name }), { owner });
  else if (store.get(key) !== undefined) store.destroy(key, owner);
}
