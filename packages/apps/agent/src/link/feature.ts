import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { parse } from '@nodecore/config';
import type { Store } from '@nodecore/state';
import { onAbort, Signal } from '@nodecore/waiting';

import { api } from '../api/feature.ts';
import { bootConfiguration } from '../configuration/sources-feature.ts';
import { kernelArguments } from '../image/kernel-arguments.ts';
import { machineStatuses } from '../lifecycle/definitions.ts';
import { node } from '../node.ts';
import { hostDirectory, persistence } from '../persistence/feature.ts';
import { kindOf } from '../resources/definitions.ts';
import { dropStrings } from '../strings.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { extensionStatuses } from '../system/definitions.ts';
import { linkStatuses } from './definitions.ts';
import { machineFacts } from './facts.ts';
import { inFile } from './identity-place.ts';
import { identityPlaces } from './identity-places.ts';
import { kernelLines } from './kernel-lines.ts';
import { tpmSealer } from './key-sealer.ts';
import { Link } from './link.ts';

/** The node's link to its fleet, which begins before STATE is open. */
export const link: Feature<undefined> = feature({
  name: 'link',
  needs: { node, api, bootConfiguration, hostDirectory, persistence },
  reads: [machineStatuses, extensionStatuses],
  writes: [linkStatuses],
  make: ({ node: { options, store, log, clock, runDirectory }, api: { server }, ...needs }) => {
    const { image, lines } = options;
    const facts = { store, publicKey: () => server.publicKey, osRelease: image?.osRelease };
    const all = new Link({
      log,
      clock,
      store,
      server,
      facts: () => machineFacts(facts),
      factsChanged: (signal) => changes(store, server.changed, signal),
      lines: (signal) => (image === undefined ? (lines?.follow(signal) ?? none()) : kernelLines(signal)),
    });
    let ofMedium: string | undefined;
    let ofConfiguration: string | undefined;
    const use = (): void => all.use(ofConfiguration ?? ofMedium);
    const temporary = inFile(
      join(runDirectory, 'link-identity.json'),
      'it is in memory until a system is installed: a reboot before that makes another machine',
    );
    const places = {
      state: () => needs.persistence.volume,
      clock,
      temporary,
      sealer: tpmSealer(),
      waits: (reason: string) => all.wait(reason),
    };
    return {
      handle: undefined,
      run: async (signal) => {
        ofMedium = linkOf(await needs.bootConfiguration.text());
        if (image !== undefined)
          ofMedium ??= kernelArguments(await readFile(image.kernelCommandLine, 'utf8')).get('os.link');
        use();
        dropStrings(log);
        const { hostDirectory: directory } = needs;
        if (directory !== undefined)
          await all.run(inFile(join(directory.path, 'link-identity.json')), signal);
        else
          for await (const { place, signal: until } of identityPlaces(places, signal))
            await all.run(place, until);
      },
      configure: ({ configuration }) => {
        ofConfiguration = configuration.get('LinkAgentConfig')?.apiUrl.bytes.toString('utf8');
        use();
      },
      dispose: () => all[Symbol.dispose](),
    };
  },
});

/** The URL of a configuration that need not be complete. */
function linkOf(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  using configuration = parse(text);
  return configuration.get('LinkAgentConfig')?.apiUrl.bytes.toString('utf8');
}

/** Once at the beginning, and whenever what the node says of itself may be something else. */
async function* changes(
  store: Store,
  certificate: Signal,
  signal: AbortSignal,
): AsyncGenerator<undefined, void, undefined> {
  const changed = new Signal();
  const ended = new AbortController();
  using _ended = onAbort(signal, () => ended.abort());
  const follow = async (): Promise<void> => {
    for (;;) {
      await certificate.next(ended.signal);
      changed.notify();
    }
  };
  const watch = async (definition: typeof machineStatuses): Promise<void> => {
    for await (const _batch of store.watch(kindOf(definition), { signal: ended.signal })) changed.notify();
  };
  const watching = Promise.allSettled([follow(), watch(machineStatuses), watch(extensionStatuses)]);
  try {
    changed.notify();
    while (!signal.aborted) {
      await changed.wait(signal).catch(() => {});
      if (!signal.aborted) yield undefined;
    }
  } finally {
    ended.abort();
    await watching;
  }
}

async function* none(): AsyncGenerator<string, void, undefined> {}
