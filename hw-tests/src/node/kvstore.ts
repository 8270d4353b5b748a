import { ApiError, type Client, decodeSpec, follow } from '@nodecore/api';
import { codeOf } from '@nodecore/sys';
import { systemClock } from '@nodecore/waiting';

type MemberSpec = { readonly phase: string; readonly healthy?: boolean; readonly reason?: string };

const members = 'KvstoreMembers.kvstore.nodecore.dev';

/**
 * Makes a node the only member of its kvstore, as `osctl bootstrap` does, or waits for the member that it has.
 *
 * @returns how it went, for people; undefined when its configuration has no kvstore.
 */
export async function ensureKvstore(
  client: Client,
  onStep: (message: string) => void,
  signal: AbortSignal,
): Promise<string | undefined> {
  for (;;) {
    try {
      for await (const { message } of client.kvstore.bootstrap({}, { signal })) onStep(message);
      return 'bootstrapped';
    } catch (error) {
      const reason = error instanceof ApiError ? error.reason : undefined;
      if (reason === 'ERR_MEMBER_NOT_CONFIGURED') return undefined;
      if (reason === 'ERR_MEMBER_HAS_DATA') break;
      // What a lost connection has left undone is done by the next call.
      if (codeOf(error) !== 'ERR_API_UNREACHABLE') throw error;
      await systemClock.sleep(1_000, signal);
    }
  }
  await untilHealthy(client, onStep, signal);
  return 'its member runs';
}

async function untilHealthy(
  client: Client,
  onStep: (message: string) => void,
  signal: AbortSignal,
): Promise<void> {
  for await (const changes of follow(client, { type: members }, { signal })) {
    for (const change of changes) {
      if (change.kind === 'bootstrapped' || change.kind === 'destroyed') continue;
      const { phase, healthy, reason } = decodeSpec(change.resource.spec) as MemberSpec;
      if (phase === 'running' && healthy === true) return;
      onStep(reason === undefined ? phase : `${phase} (${reason})`);
    }
  }
}
