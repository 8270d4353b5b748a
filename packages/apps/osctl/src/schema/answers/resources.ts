import { type Answers, lines, list, listOrLines, listOrOne, one } from '../answer.ts';
import { message } from '../messages.ts';
import {
  closed,
  either,
  type Fields,
  flag,
  listOf,
  mapOf,
  node,
  open,
  optional,
  text,
  texts,
  time,
  whole,
  word,
} from '../shape.ts';

const spec = open('The fields of its type: osctl get resourcedefinitions lists the types.');

const metadata = closed({
  namespace: text(),
  type: text(),
  id: text(),
  version: whole(),
  owner: text('the controller that writes it; empty: users'),
  phase: word('running', 'tearingDown'),
  created: time(),
  updated: time(),
  labels: optional(mapOf(text())),
  annotations: optional(mapOf(text())),
  finalizers: optional(texts),
});

const resource: Fields = { ...node, metadata, spec };

const watched: Fields = { ...resource, event: optional(text('with --watch: what became of it')) };

/** With --match. */
const verdict = closed({
  ...node,
  id: text(),
  matched: flag(),
  failed: optional(
    closed({
      text: text('the first part of the expression that was not true'),
      line: whole(),
      column: whole(),
      error: optional(text()),
      facts: open('The fields that this part names, with their values.'),
    }),
  ),
});

/** With --why. */
const proof = closed({ ...node, ...message('ProveEmptyResponse') });

const wait = closed({ controller: text(), phase: text(), reason: text() });

const edge = closed({
  part: text('a controller'),
  kind: text('input, output or need, and how'),
  need: optional(text()),
  namespace: optional(text()),
  type: optional(text()),
  id: optional(text()),
});

const event = closed({
  ...node,
  id: text('goes on with --since'),
  time: time(),
  bootId: text(),
  actorId: text(),
  event: text('what kind it is; unknown: of a newer node'),
  source: text(),
  message: text(),
  lost: optional(whole('events before it that nobody could keep')),
  data: closed(message('EventData')),
});

const record = closed({
  ...node,
  time: time(),
  sequence: whole(),
  clockMicros: whole('since the machine started'),
  facility: text(),
  priority: text(),
  message: text(),
});

const profile = closed({
  ...node,
  file: text(),
  sizeBytes: whole(),
  pauseMs: whole('for so long the agent did nothing else'),
});

export const resourceAnswers: Answers = {
  get: listOrLines(either(closed(watched), verdict, proof)),
  describe: listOrOne(closed({ ...resource, description: text(), waits: listOf(wait) })),
  wait: listOrOne(closed(resource)),
  'inspect dependencies': list(edge),
  'inspect cpu-profile': one(profile),
  'inspect heap-snapshot': one(profile),
  events: lines(event),
  dmesg: listOrLines(record),
  logs: lines(closed({ ...node, id: text('the service'), line: text() })),
};
