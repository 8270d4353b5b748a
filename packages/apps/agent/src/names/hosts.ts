import { HostError, hostsFile, type HostsEntry } from '@nodecore/host';
import { type Controller, waitFor } from '@nodecore/runtime';
import { fieldsOf } from '@nodecore/state';

import { everything } from '../applied/applied-controller.ts';
import { hostsFiles } from '../etc/definitions.ts';
import { filesSpec } from '../etc/files.ts';
import { kindOf } from '../resources/definitions.ts';
import { hostnameStatuses, staticHosts } from './definitions.ts';

/** What the file says of this machine is its own: only an image's is written. */
export function hostsController(): Controller {
  return {
    name: 'hosts',
    inputs: [staticHosts, hostnameStatuses].map((each) => ({
      ...kindOf(each),
      strength: 'weak' as const,
      items: () => [everything],
    })),
    outputs: [{ ...kindOf(hostsFiles), mode: 'exclusive' }],
    reconcile: async (_item, access) => {
      const [status] = await access.list(kindOf(hostnameStatuses));
      const { hostname, domainname } = fieldsOf(status?.spec ?? null);
      const own = typeof hostname === 'string' && hostname !== '' ? hostname : undefined;
      const domain = typeof domainname === 'string' && domainname !== '' ? `.${domainname}` : '';
      const entries: HostsEntry[] = [];
      let refused: string | undefined;
      for (const { metadata, spec } of await access.list(kindOf(staticHosts))) {
        const entry = { address: metadata.id, names: fieldsOf(spec)['names'] as readonly string[] };
        try {
          hostsFile(undefined, [entry]);
          entries.push(entry);
        } catch (error) {
          if (!(error instanceof HostError)) throw error;
          refused = error.message;
        }
      }
      const contents = hostsFile(own && `${own}${domain}`, entries);
      const spec = filesSpec({ hosts: { mode: 0o644, contents } });
      await access.modify({ ...kindOf(hostsFiles), id: 'hosts' }, () => spec);
      return refused === undefined ? undefined : waitFor(refused);
    },
  };
}
