import { type Answers, list, one } from '../answer.ts';
import { closed, type Fields, flag, node, number, optional, text, texts, whole, word } from '../shape.ts';

const alarm = closed({ ...node, member: text(), alarm: text() });

const status = closed({
  ...node,
  member: text('in hexadecimal'),
  version: text(),
  storageVersion: text('empty before etcd 3.6'),
  dbSizeBytes: whole(),
  dbSizeInUseBytes: whole(),
  leader: text('all zeros: it knows of none'),
  raftIndex: whole(),
  raftTerm: whole(),
  raftAppliedIndex: whole(),
  learner: flag(),
  errors: texts,
});

const member = closed({
  ...node,
  id: text('in hexadecimal'),
  hostname: text('empty: it was added and has never started'),
  peerUrls: texts,
  clientUrls: texts,
  learner: flag(),
});

const database: Fields = {
  fileBytes: whole(),
  hash: whole('CRC-32C over all names, keys and values'),
  revision: whole('the last one'),
  totalKeys: whole('of all buckets'),
  revisions: whole('of all keys, deletions too'),
  keyspaceHash: whole('CRC-32C'),
  compacting: flag('a member that starts with it forgets revisions first'),
  totalBytes: whole(),
  usedBytes: whole(),
  storageVersion: optional(text('3.6 and newer say so')),
  clusterVersion: optional(text()),
  sha256: text('of the database, in hexadecimal'),
};
const digest = word('valid', 'absent', 'wrong');

const verdict = closed({
  path: text(),
  verdict: word(
    'valid',
    'no-digest',
    'damaged',
    'digest',
    'truncated',
    'foreign',
    'not-restorable',
    'unreadable',
  ),
  code: optional(text('stable')),
  page: optional(whole()),
  message: optional(text()),
  info: optional(closed(database)),
  rehearsal: optional(
    closed({
      version: text('of the server that read it'),
      restoreMs: number(),
      startMs: number(),
      compared: word('keyspace', 'revision'),
    }),
  ),
});

const defragmented = closed({
  ...node,
  member: text('in hexadecimal'),
  result: word('planned', 'done', 'skipped'),
  dbSizeBeforeBytes: optional(whole()),
  dbSizeAfterBytes: optional(whole()),
  dbSizeInUseBytes: optional(whole()),
  stallMs: optional(number('how long the member answers nothing: as it was, else as it is estimated')),
  message: text(),
});

const downgrade = closed({
  ...node,
  step: word('validate', 'enable', 'cancel'),
  clusterVersion: text(),
});

export const kvstoreAnswers: Answers = {
  'kvstore status': list(status),
  'kvstore members': list(member),
  'kvstore alarm list': list(alarm),
  'kvstore alarm disarm': list(alarm),
  'kvstore recover-space': one(
    closed({
      ...node,
      compactedTo: whole('revisions before it are gone; 0: nothing was to do'),
      defragmented: whole('members'),
      disarmed: texts,
    }),
  ),
  'kvstore forfeit-leadership': list(closed({ ...node, newLeader: text('empty: it was not the leader') })),
  'kvstore leave': one(closed({ ...node, left: flag() })),
  'kvstore remove-member': one(closed({ member: text(), removed: flag() })),
  'kvstore snapshot': one(closed({ ...node, path: text(), ...database, digest })),
  'kvstore verify': list(verdict),
  'kvstore defrag': list(defragmented),
  'kvstore downgrade validate': one(downgrade),
  'kvstore downgrade enable': one(downgrade),
  'kvstore downgrade cancel': one(downgrade),
  bootstrap: one(closed({ ...node, member: text(), snapshot: optional(closed({ ...database, digest })) })),
};
