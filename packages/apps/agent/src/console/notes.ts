import type { Notes } from '@nodecore/api/dashboard';
import { type Key, fieldsOf, type Resource } from '@nodecore/state';

import { machineSequences } from '../lifecycle/definitions.ts';
import { maintenanceStatuses } from '../maintenance/definitions.ts';
import { kindOf } from '../resources/definitions.ts';

const sequence = { ...kindOf(machineSequences), id: 'machine' };
const maintenance = { ...kindOf(maintenanceStatuses), id: 'maintenance' };

export type NotesParts = {
  readonly store: { get(key: Key): Resource | undefined };
  readonly addresses: () => readonly string[];
  readonly port: () => number;
  /** Of the key of the certificate that the node shows; undefined while it shows none. */
  readonly fingerprint: () => string | undefined;
  /** The terminal is one of several, on the first of which the kernel logs. */
  readonly isVirtual: boolean;
};

/** How the node is reached, and what it is on its way to: what somebody comes to its console for. */
export function notesOf({ store, addresses, port, fingerprint, isVirtual }: NotesParts): Notes {
  const status = fieldsOf(store.get(maintenance)?.spec ?? {});
  const begun = textOf(fieldsOf(store.get(sequence)?.spec ?? {})['sequence']);
  const reason = textOf(status['reason']);
  const shown = textOf(status['fingerprint']) ?? fingerprint();
  const hint = isVirtual ? '; Alt+F1 has the log of the kernel' : '';
  return [
    ...(begun === undefined ? [] : [['Sequence', begun] as const]),
    ['Address', addresses().join(', ') || 'none'],
    ['API', `port ${port()}${hint}`],
    ['Key', shown === undefined ? 'the node shows no certificate yet' : `fingerprint ${shown}`],
    ...(reason === undefined ? [] : [['Waits', reason] as const]),
  ];
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
