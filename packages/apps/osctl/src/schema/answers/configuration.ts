import { type Answers, list, listOrOne, one } from '../answer.ts';
import {
  closed,
  type Fields,
  flag,
  listOf,
  node,
  optional,
  type Shape,
  text,
  texts,
  time,
  whole,
  word,
} from '../shape.ts';

const answer: Fields = {
  mode: word('auto', 'no-reboot', 'staged', 'try', 'unknown'),
  details: text(),
  durable: flag(),
  version: whole('of the configuration; goes up with each change'),
  warnings: texts,
  diff: optional(text('with --dry-run')),
};
const edited = Object.fromEntries(
  Object.entries(answer).map(([name, field]) => [name, 'optional' in field ? field : optional(field)]),
) as Fields;

/** What is wrong with a configuration, and where. */
export const problem: Shape = closed({
  code: text('stable name of the rule'),
  message: text(),
  path: text('field inside the document; empty: the document itself'),
  document: text('kind/name; empty: no document can be read there'),
  line: whole('from 1'),
  column: whole('from 1'),
  file: optional(text()),
});

const checked = closed({
  file: text('<stdin>: standard input'),
  mode: optional(text()),
  node: optional(text()),
  problems: listOf(problem),
  warnings: listOf(problem),
  valid: flag(),
});

const written = list(closed({ file: text(), secret: flag('its mode is 0600') }));

/** Without a kind the first two. */
const field = closed({
  kind: text(),
  about: text(),
  path: optional(text()),
  type: optional(text()),
  need: optional(word('required', 'optional', 'fallback')),
  fallback: optional(text('what holds when it is left out')),
  secret: optional(text()),
  merge: optional(text('how a patch joins a list')),
  replacedBy: optional(texts),
});

const difference = closed({
  document: text('kind/name'),
  path: text('empty: the whole document'),
  change: word('added', 'removed', 'changed'),
  before: optional(text('as JSON, without secrets')),
  after: optional(text('as JSON, without secrets')),
});

export const configurationAnswers: Answers = {
  'apply-config': list(closed({ ...node, ...answer })),
  patch: list(closed({ ...node, ...answer })),
  edit: list(closed({ ...node, edited: flag(), ...edited })),
  validate: listOrOne(checked),
  'machineconfig gen': written,
  'machineconfig diff': list(difference),
  'machineconfig migrate': one(
    closed({
      moved: listOf(closed({ from: text(), to: text() })),
      left: listOf(closed({ from: text(), why: text() })),
    }),
  ),
  'machineconfig split': written,
  'machineconfig explain': list(field),
  'config info': one(
    closed({
      context: text(),
      nodes: texts,
      endpoints: texts,
      roles: texts,
      cluster: optional(text('behind a proxy endpoint')),
      proxyUrl: optional(text('what connections go through; its password is not shown')),
      identity: optional(text('who signs the calls, where no certificate says who calls')),
      certificateExpires: optional(time()),
    }),
  ),
  'config contexts': list(closed({ name: text(), current: flag(), endpoints: texts, nodes: texts })),
  'config merge': list(closed({ context: text('its name now'), from: text('its name in the file') })),
  'config remove': list(closed({ context: text(), state: word('current', 'planned', 'kept', 'removed') })),
  'config new': one(closed({ file: text(), context: text(), roles: texts })),
  ...Object.fromEntries(
    [
      'ca',
      'key',
      'csr',
      'crt',
      'keypair',
      'secrets',
      'config',
      'secureboot uki',
      'secureboot pcr',
      'secureboot database',
    ].map((name) => [`gen ${name}`, written]),
  ),
  reference: list(closed({ file: text() })),
};
