import type { KvstoreMember } from '@nodecore/api/kvstore';

import type { Terminal } from '@nodecore/cli';
import { type Flags, printListing } from './listing.ts';
import { hexId } from './member-id.ts';

/** Prints the members as the member on each node knows them: a split view shows. */
export async function printMembers(flags: Flags, terminal: Terminal): Promise<void> {
  await printListing(
    {
      columns: ['id', 'hostname', 'peer urls', 'client urls', 'learner'],
      ask: async ({ client, node }, signal) => {
        const { members } = await client.kvstore.members({ node, signal });
        return members.map(memberOf);
      },
      row: ({ id, hostname, peerUrls, clientUrls, learner }) => [
        id,
        hostname,
        peerUrls.join(','),
        clientUrls.join(','),
        `${learner}`,
      ],
    },
    flags,
    terminal,
  );
}

function memberOf({ id, hostname, peerUrls, clientUrls, isLearner }: KvstoreMember) {
  return { id: hexId(id), hostname, peerUrls, clientUrls, learner: isLearner };
}
