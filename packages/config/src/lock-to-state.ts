import { Cursor } from './cursor.ts';
import { type Problems } from './problems.ts';
import { type SourceDocument } from './source.ts';

/** Warns of keys locked to a secret that anybody can read who has the disk: STATE holds it, and is not encrypted. */
export function checkLocks(documents: readonly SourceDocument[], problems: Problems): void {
  const roots = documents.map(({ map, identity }) => Cursor.root(map, identity, problems));
  const encrypted = roots.some(
    (root, index) =>
      documents[index]?.identity === 'VolumeConfig/STATE' && root.get('encryption') !== undefined,
  );
  if (encrypted) return;
  const message =
    'STATE is not encrypted by this configuration: the secret it keeps for this lies there in clear';
  for (const root of roots) {
    for (const entry of root.get('encryption')?.get('keys')?.items() ?? []) {
      const lock = entry.get('lockToState');
      if (lock?.boolean() === true) lock.warning('key.lock_to_open_state', message);
    }
  }
}
