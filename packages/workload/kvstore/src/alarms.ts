import { AlarmAction, AlarmType, Maintenance } from '../gen/etcdserverpb.js';
import { KvstoreError } from './errors.ts';
import type { CallOptions, Kvstore } from './kvstore.ts';
import { formatMemberId } from './members.ts';

/**
 * `nospace`: a member's quota is used up, and the cluster takes no more writes. `corrupt`: a member's data differ from
 * the others'. Anything else is a kind that a newer version has, by its number.
 */
export type AlarmKind = 'nospace' | 'corrupt' | `alarm-${number}`;

export type Alarm = { readonly memberId: bigint; readonly kind: AlarmKind };

/** The alarms that are raised, of all members. */
export async function alarms(kvstore: Kvstore, options: CallOptions = {}): Promise<readonly Alarm[]> {
  const request = { action: AlarmAction.GET };
  const response = await kvstore.read(Maintenance.alarm, request, { needsLeader: true, ...options });
  return response.alarms.map(({ memberId, alarm }) => ({ memberId, kind: kindOf(alarm) }));
}

/**
 * Disarms one alarm of one member and leaves all others. It frees no space and repairs nothing: for a full store see
 * {@link recoverSpace}.
 *
 * @throws {KvstoreError} `ERR_KVSTORE_NOT_FOUND` when it is not raised.
 */
export async function disarm(
  kvstore: Kvstore,
  { memberId, kind }: Alarm,
  options: CallOptions = {},
): Promise<void> {
  const request = { action: AlarmAction.DEACTIVATE, memberId, alarm: typeOf(kind) };
  if (memberId === 0n)
    throw new KvstoreError('ERR_KVSTORE_INVALID', kind, 'name the member whose alarm it is');
  const raised = await alarms(kvstore, options);
  if (!raised.some((alarm) => alarm.memberId === memberId && alarm.kind === kind))
    throw new KvstoreError(
      'ERR_KVSTORE_NOT_FOUND',
      `${kind} of ${formatMemberId(memberId)}`,
      'is not raised',
    );
  await kvstore.write(Maintenance.alarm, request, { needsLeader: true, ...options });
}

function kindOf(type: number): AlarmKind {
  if (type === AlarmType.NOSPACE) return 'nospace';
  return type === AlarmType.CORRUPT ? 'corrupt' : `alarm-${type}`;
}

function typeOf(kind: AlarmKind): AlarmType {
  if (kind === 'nospace') return AlarmType.NOSPACE;
  return kind === 'corrupt' ? AlarmType.CORRUPT : (Number(kind.slice('alarm-'.length)) as AlarmType);
}
