import {
  type BootstrapRequest,
  type BootstrapResponseInit,
  type DefragmentRequest,
  type DefragmentResponseInit,
  type DisarmAlarmsRequest,
  DowngradeAction,
  type DowngradeRequest,
  type KvstoreServiceHandlers,
  type KvstoreSnapshotResponseInit,
  type RecoverRequest,
  type RecoverSpaceResponseInit,
  type RemoveMemberRequest,
} from '@nodecore/api/kvstore';
import {
  alarms,
  cancelDowngrade,
  disarm,
  enableDowngrade,
  forfeitLeadership,
  type Kvstore,
  members,
  removeMember,
  snapshotStream,
  status,
  validateDowngrade,
} from '@nodecore/kvstore';

import { bootstrap } from './bootstrap.ts';
import { defragmentOwn, readPressure } from './defragmentation.ts';
import type { KvstoreNode } from './kvstore-node.ts';
import { endpointOf, leaveCluster } from './leave.ts';
import type { Member } from './member.ts';
import { hexId } from './member-state.ts';
import { requireReplaceable } from './replaceable.ts';
import { recoverSpaceOf } from './space-recovery.ts';
import { keepUpload } from './upload.ts';
import { audited } from '../server/audit.ts';
import { ServerError } from '../server/errors.ts';
import {
  type CallContext,
  type HandlerOptions,
  collecting,
  streaming,
  streamingLarge,
  unary,
} from '../server/handlers.ts';
import { alarmKind, wireAlarm, wireDefragmentation, wireSpaceRecovery, wireStatus } from './kvstore-wire.ts';

/** The kvstore as this node's member sees it. */
export function kvstoreService(node: KvstoreNode, options: HandlerOptions): KvstoreServiceHandlers {
  const { member } = node;
  const { log } = options;
  return {
    status: unary(options, async (_request: object, { signal }: CallContext) => {
      const { kvstore } = member;
      return wireStatus(await status(kvstore, endpointOf(kvstore), { signal }));
    }),

    members: unary(options, async (_request: object, { signal }: CallContext) => {
      const { kvstore } = member;
      const found = await members(kvstore, { endpoint: endpointOf(kvstore), signal });
      return { members: found.map(({ name, ...each }) => ({ ...each, hostname: name })) };
    }),

    alarms: unary(options, async (_request: object, { signal }: CallContext) => ({
      alarms: (await alarms(member.kvstore, { signal })).map(wireAlarm),
    })),

    disarmAlarms: unary(options, async (request: DisarmAlarmsRequest, context: CallContext) => {
      const named = request.alarms.map(({ memberId, type }) => ({ memberId, kind: alarmKind(type) }));
      const shown = named.map(({ memberId, kind }) => `${hexId(memberId)}:${kind}`);
      const note = audited(log, context, { action: 'kvstore-disarm', alarms: shown });
      await note.of(Promise.resolve().then(() => disarmEach(member.kvstore, named, context.signal)));
      return { disarmed: request.alarms };
    }),

    forfeitLeadership: unary(options, async (_request: object, context: CallContext) => {
      const { signal } = context;
      const { kvstore } = member;
      const note = audited(log, context, { action: 'kvstore-forfeit-leadership' });
      const { memberId } = await status(kvstore, endpointOf(kvstore), { signal });
      const successor = await note.of(forfeitLeadership(kvstore, memberId, { signal }));
      return { member: successor?.name ?? '' };
    }),

    snapshot: streamingLarge(
      options,
      async function* (_request: object, context: CallContext): AsyncGenerator<KvstoreSnapshotResponseInit> {
        const note = audited(log, context, { action: 'kvstore-snapshot' });
        let sentBytes = 0n;
        const answers = note.over(snapshot(member, context.signal), () => ({
          sentBytes: `${sentBytes}`,
        }));
        for await (const answer of answers) {
          sentBytes += BigInt(answer.data?.length ?? 0);
          yield answer;
        }
      },
    ),

    defragment: streaming(
      options,
      async function* (
        { dryRun, force }: DefragmentRequest,
        context: CallContext,
      ): AsyncGenerator<DefragmentResponseInit> {
        const note = audited(log, context, { action: 'kvstore-defragment', dryRun, force });
        const { signal } = context;
        const work = defragmentOwn(member, { dryRun, force, readPressure, signal });
        for await (const event of note.over(work)) yield wireDefragmentation(event);
      },
    ),

    recoverSpace: streaming(
      options,
      async function* (_request: object, context: CallContext): AsyncGenerator<RecoverSpaceResponseInit> {
        const note = audited(log, context, { action: 'kvstore-recover-space' });
        for await (const event of note.over(recoverSpaceOf(member, context.signal)))
          yield wireSpaceRecovery(event);
      },
    ),

    // Not interrupted when the caller goes: between leaving and the end of its data it would be neither.
    leave: unary(options, async (_request: object, context: CallContext) => {
      const note = audited(log, context, { action: 'kvstore-leave' });
      await note.of(leaveCluster(member));
      return {};
    }),

    removeMember: unary(options, async ({ memberId, force }: RemoveMemberRequest, context: CallContext) => {
      const fields = { action: 'kvstore-remove-member', member: hexId(memberId), force } as const;
      const note = audited(log, context, fields);
      const { signal } = context;
      await note.of(Promise.resolve().then(() => removeMember(member.kvstore, memberId, { force, signal })));
      return {};
    }),

    downgrade: unary(options, async ({ action, version }: DowngradeRequest, context: CallContext) => {
      const name = downgradeNames[action];
      if (name === undefined)
        throw new ServerError('ERR_SERVER_REQUEST', 'a downgrade is validated, enabled or cancelled');
      const note = audited(log, context, { action: 'kvstore-downgrade', step: name, version });
      const { kvstore } = member;
      return { clusterVersion: await note.of(downgrades[name](kvstore, version, context)) };
    }),

    recover: collecting(options, async (requests: AsyncIterable<RecoverRequest>, context: CallContext) => {
      const note = audited(log, context, { action: 'kvstore-recover' });
      const upload = async function* (): AsyncGenerator<bigint> {
        const directory = await member.directory();
        await requireReplaceable(member, directory); // before gigabytes are sent
        yield await keepUpload(requests, directory, context.signal);
      };
      let sizeBytes = 0n;
      for await (const size of note.over(node.alone(upload))) sizeBytes = size;
      return { sizeBytes };
    }),

    bootstrap: streaming(
      options,
      async function* (
        { recover, skipHashCheck, revisionBump, snapshotSha256: sha256 }: BootstrapRequest,
        context: CallContext,
      ): AsyncGenerator<BootstrapResponseInit> {
        const note = audited(log, context, { action: 'kvstore-bootstrap', recover, skipHashCheck });
        const wishes = { recover, skipHashCheck, revisionBump, ...(sha256 !== '' && { sha256 }) };
        yield* note.over(node.alone(() => bootstrap(member, wishes, context.signal)));
      },
    ),
  };
}

const downgradeNames: Readonly<Record<number, keyof typeof downgrades>> = {
  [DowngradeAction.VALIDATE]: 'validate',
  [DowngradeAction.ENABLE]: 'enable',
  [DowngradeAction.CANCEL]: 'cancel',
};

type Downgrade = (
  kvstore: Kvstore,
  version: string,
  options: { readonly signal: AbortSignal },
) => Promise<string>;

const downgrades = {
  validate: (kvstore, version, { signal }) => validateDowngrade(kvstore, version, { signal }),
  enable: (kvstore, version, { signal }) => enableDowngrade(kvstore, version, { signal }),
  cancel: (kvstore, _version, { signal }) => cancelDowngrade(kvstore, { signal }),
} satisfies Record<string, Downgrade>;

/** Read from etcd no faster than the caller takes it. */
async function* snapshot(
  { kvstore, socket }: Member,
  signal: AbortSignal,
): AsyncGenerator<KvstoreSnapshotResponseInit, void, undefined> {
  const stream = snapshotStream(kvstore, { endpoint: endpointOf(kvstore), socket, signal });
  let isFirst = true;
  for await (const data of stream) {
    if (isFirst) yield { totalBytes: stream.totalBytes };
    isFirst = false;
    yield { data };
  }
}

async function disarmEach(
  kvstore: Kvstore,
  named: readonly Parameters<typeof disarm>[1][],
  signal: AbortSignal,
): Promise<void> {
  for (const alarm of named) await disarm(kvstore, alarm, { signal });
}
