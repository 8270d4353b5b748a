import type { ResourceDefinition } from '@nodecore/api';
import type { Json } from '@nodecore/state';
import { codeOf } from '@nodecore/sys';

import type { UpgradeEvent } from './upgrade-event.ts';

const definition = {
  defaultNamespace: 'runtime',
  aliases: [],
  printColumns: [
    { name: 'State', jsonPath: '$.state' },
    { name: 'Version', jsonPath: '$.version' },
    { name: 'Phase', jsonPath: '$.phase' },
    { name: 'Done', jsonPath: '$.doneBytes' },
    { name: 'Total', jsonPath: '$.totalBytes' },
    { name: 'Message', jsonPath: '$.message' },
  ],
  sensitive: false,
} as const;

/** Of the one resource of each. */
export const releaseStatusId = 'last';

/** One resource, `last`: the last upgrade in this boot. */
export const upgradeStatuses: ResourceDefinition = {
  ...definition,
  type: 'UpgradeStatuses.runtime.nodecore.dev',
  displayType: 'UpgradeStatus',
  description: 'How far the last upgrade of this boot is, or what became of it.',
};

/** One resource, `last`: the last installation in this boot, whoever asked for it. */
export const installStatuses: ResourceDefinition = {
  ...definition,
  type: 'InstallStatuses.runtime.nodecore.dev',
  displayType: 'InstallStatus',
  description: 'How far the installation of this boot is, or what became of it.',
};

/** Called with each spec of its resource. */
export type TellRelease = (spec: Json) => void;

/** Tells how far the work is that writes a release, and what became of it. */
export async function toldAsResource(
  publish: TellRelease,
  tell: (event: UpgradeEvent) => void,
  work: (tell: (event: UpgradeEvent) => void) => Promise<void>,
): Promise<void> {
  let last: UpgradeEvent | undefined;
  try {
    await work((event) => {
      const { version = last?.version, entry = last?.entry } = event;
      last = { ...event, ...(version !== undefined && { version }), ...(entry !== undefined && { entry }) };
      publish({ state: 'running', ...last });
      tell(event);
    });
    if (last !== undefined) publish({ state: 'done', ...last });
  } catch (error) {
    // Nothing was told: it was refused before it began, and the former one is still the last.
    if (last !== undefined) publish({ ...last, state: 'failed', message: messageOf(error) });
    throw error;
  }
}

/** What is said of a failure. A defect of ours, which has no code, may have anything in its message. */
export function messageOf(error: unknown): string {
  const code = codeOf(error);
  return code === undefined || !(error instanceof Error) ? 'internal error' : `${error.message} (${code})`;
}
