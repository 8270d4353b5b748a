import type { SnapshotMessageFault } from '@nodecore/native/snapshot';

/** Why content is no messages, in words. */
export const faultWords: Readonly<Record<SnapshotMessageFault, string>> = {
  compressed: 'compressed, which nobody asked for',
  number: 'a number has no end',
  'wire-type': 'a field of a type that it does not have',
  'no-value': 'a field without a value',
  'too-long': 'a field is longer than its message',
};
