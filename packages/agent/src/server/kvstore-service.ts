import {
  type BootstrapRequest,
  type BootstrapResponseInit,
  type KvstoreServiceHandlers,
  type KvstoreStatusResponseInit,
} from '@nodecore/api';
import { type MemberStatus, status } from '@nodecore/kvstore';

import { bootstrap } from '../kvstore/bootstrap.ts';
import type { KvstoreNode } from '../kvstore/kvstore-node.ts';
import { audited } from './audit.ts';
import { type CallContext, type HandlerOptions, streaming, unary } from './handlers.ts';

/** The kvstore as this node's member sees it. */
export function kvstoreService({ member }: KvstoreNode, options: HandlerOptions): KvstoreServiceHandlers {
  return {
    status: unary(options, async (_request: object, { signal }: CallContext) => {
      const { kvstore } = member;
      return statusOf(await status(kvstore, kvstore.endpoints[0] ?? '', { signal }));
    }),

    bootstrap: streaming(
      options,
      async function* (
        _request: BootstrapRequest,
        context: CallContext,
      ): AsyncGenerator<BootstrapResponseInit> {
        const note = audited(options.log, context, { action: 'kvstore-bootstrap' });
        yield* note.over(bootstrap(member, context.signal));
      },
    ),
  };
}

function statusOf(found: MemberStatus): KvstoreStatusResponseInit {
  const { storageVersion = '', dbSizeBytes, dbSizeInUseBytes, leaderId, errors } = found;
  const { memberId, version, raftIndex, raftTerm, raftAppliedIndex, isLearner } = found;
  return {
    memberId,
    version,
    storageVersion,
    dbSize: dbSizeBytes,
    dbSizeInUse: dbSizeInUseBytes,
    leader: leaderId,
    raftIndex,
    raftTerm,
    raftAppliedIndex,
    errors,
    isLearner,
  };
}
