import { type Answers, list, listOrLines } from '../answer.ts';
import {
  closed,
  either,
  type Fields,
  listOf,
  node,
  open,
  optional,
  text,
  texts,
  time,
  whole,
} from '../shape.ts';

const kind = text('file, directory, link, pipe, socket, character-device, block-device or unknown');

const named: Fields = {
  ...node,
  path: text(),
  pathBase64: optional(text('the bytes of a name that is no UTF-8')),
  type: kind,
};

/** With --long all but the last ones. */
const entry = closed({
  ...named,
  mode: optional(text('octal, four digits')),
  uid: optional(whole()),
  gid: optional(whole()),
  sizeBytes: optional(whole()),
  diskBytes: optional(whole()),
  modified: optional(time()),
  links: optional(whole()),
  inode: optional(whole()),
  deviceMajor: optional(whole()),
  deviceMinor: optional(whole()),
  target: optional(text('of a link')),
  targetBase64: optional(text()),
  label: optional(text('of the security module')),
  attributes: optional(texts),
});

const usage = closed({ ...named, diskBytes: whole(), apparentBytes: whole(), files: whole() });

const bundle = closed({
  ...node,
  file: text(),
  bytes: whole(),
  entries: whole(),
  errors: listOf(closed({ source: text(), error: text() }), 'what the archive goes without'),
});

const packet = closed({
  ...node,
  interface: text(),
  owner: optional(closed({ pid: whole(), process: text(), cgroup: text(), container: optional(text()) })),
  time: text('seconds since the epoch, with nine decimals'),
  length: whole('bytes on the wire'),
  captured: whole('bytes'),
  linkType: whole(),
  layers: listOf(open('The other fields are those of its protocol.', { protocol: text() })),
  truncated: optional(text('the protocol in which the captured bytes end')),
  malformed: optional(text('what contradicts itself; layers before it hold')),
});

/** With --list-on-node. */
const captureFile = closed({ ...node, name: text(), sizeBytes: whole(), modified: time() });

/** With --top. */
const talker = closed({
  ...node,
  process: optional(text()),
  pid: optional(whole()),
  container: optional(text()),
  cgroup: optional(text()),
  protocol: optional(text()),
  a: optional(text()),
  b: optional(text()),
  packets: whole(),
  bytes: whole(),
});

export const fileAnswers: Answers = {
  list: list(entry),
  usage: list(usage),
  support: list(bundle),
  pcap: listOrLines(either(packet, captureFile, talker)),
};
