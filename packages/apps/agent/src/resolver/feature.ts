import { join } from 'node:path';

import { writeFileAtomic } from '@nodecore/sys';

import { configured } from '../applied/applied-controller.ts';
import { node } from '../node.ts';
import { kindOf } from '../resources/definitions.ts';
import { type Feature, feature } from '../supervisor/feature.ts';
import { dnsUpstreams, resolverSpecs, resolverStatuses } from './definitions.ts';
import { HostDns } from './host-dns.ts';
import { resolverController } from './resolver.ts';
import { resolverSpec } from './wanted.ts';

const owner = 'resolver';

/** How programs of the node look names up. */
export const resolver: Feature<undefined> = feature({
  name: 'resolver',
  needs: { node },
  writes: [resolverSpecs, resolverStatuses, dnsUpstreams],
  make: ({ node: { store, clock, options } }) => {
    const { image } = options;
    const hostDns = new HostDns();
    let authorities: readonly string[] = [];
    const own = { layer: 'default', searchDomains: [] };
    store.replace(kindOf(resolverSpecs), new Map([['default', own]]), owner);
    const write = (text: string): Promise<void> =>
      // What /etc/resolv.conf of the image leads to.
      writeFileAtomic(join(image?.run ?? '', 'resolv.conf'), text, { mode: 0o644 });
    return {
      handle: undefined,
      controllers: [
        resolverController({ clock, hostDns, authorities: () => authorities, write: image && write }),
      ],
      configure: ({ configuration }) => {
        authorities = configuration.all('TrustedRootsConfig').flatMap(({ certificates }) => certificates);
        const key = { ...kindOf(resolverSpecs), id: configured };
        store.modify(key, () => resolverSpec(configuration), { owner });
      },
      close: () => hostDns[Symbol.asyncDispose](),
    };
  },
});
