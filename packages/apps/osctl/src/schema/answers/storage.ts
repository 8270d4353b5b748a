import { type Answers, list, one } from '../answer.ts';
import { message } from '../messages.ts';
import { closed, flag, node, number, open, optional, text, texts, whole, word } from '../shape.ts';

const disk = open('The other fields are those of its resource, as osctl get disks has them.', {
  ...node,
  id: text(),
  system: flag('the node started from it'),
});

const volume = closed({
  ...node,
  volume: text(),
  source: text('its device'),
  target: text('where it is mounted'),
  filesystem: text(),
  sizeBytes: optional(whole()),
  usedBytes: optional(whole()),
  availableBytes: optional(whole('to programs without privileges')),
  inodes: optional(whole()),
  inodesFree: optional(whole()),
  error: text('why sizes are absent; else empty'),
});

const trimmed = closed({
  ...node,
  volume: text(),
  state: word('planned', 'done', 'skipped', 'failed'),
  disks: texts,
  message: text(),
  ranges: optional(whole()),
  trimmedBytes: optional(whole('as the filesystem counts')),
  durationMs: optional(number()),
  pausedMs: optional(number()),
  code: optional(text('stable; of what failed')),
  permanence: optional(text('whether it helps to try again')),
});

const key = closed({
  ...node,
  volume: text(),
  slot: optional(whole('absent of what is said of the volume as a whole')),
  kind: text(),
  state: word('planned', 'done', 'skipped', 'failed'),
  message: text(),
  code: optional(text('stable; of what failed')),
  permanence: optional(text('whether it helps to try again')),
});

const wiped = {
  ...node,
  name: text(),
  state: word('planned', 'wiped'),
  content: text('what was found on it; empty: nothing that is recognised'),
  sizeBytes: whole(),
};

export const storageAnswers: Answers = {
  disks: list(disk),
  mounts: list(closed({ ...node, ...message('Mount') })),
  diskfree: list(volume),
  trim: list(trimmed),
  'volume rotate-keys': list(key),
  'volume recovery-key': one(
    closed({ ...node, volume: text(), slot: whole(), key: text('shown this once') }),
  ),
  'volume header-backup': one(closed({ ...node, volume: text(), file: text(), sizeBytes: whole() })),
  'volume header-restore': one(closed({ ...node, volume: text(), file: text(), uuid: text() })),
  'wipe disk': list(closed(wiped)),
  'wipe volume': list(closed(wiped)),
  reset: list(closed({ ...wiped, devPath: text('empty for values of META') })),
};
