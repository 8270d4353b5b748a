import { type Answers, list, listOrLines, one } from '../answer.ts';
import { message } from '../messages.ts';
import {
  closed,
  either,
  type Fields,
  flag,
  listOf,
  mapOf,
  node,
  number,
  optional,
  type Shape,
  text,
  texts,
  time,
  whole,
  word,
} from '../shape.ts';

const { health: _health, events: _events, ...about } = message('ServiceInfo');
const service = closed({
  ...node,
  ...about,
  health: word('OK', 'Fail', '?'),
  lastHealthMessage: text(),
  events: listOf(closed({ state: text(), message: text(), time: time() }), 'oldest first'),
});
const response = closed({ ...node, id: text(), response: text('what the node says') });

const sizes = ['total', 'used', 'free', 'shared', 'buffers', 'cache', 'available'];
const swap = ['swapTotal', 'swapUsed', 'swapFree'];
const memory = closed({
  ...node,
  ...Object.fromEntries(
    [...sizes, ...swap].map((name) => [`${name}Bytes`, optional(whole('absent: this kernel does not say'))]),
  ),
});
/** With --verbose. */
const everyValue = closed({ ...node, values: listOf(closed(message('MemoryValue'))) });

const { state: _state, timer: _timer, processes, ...ends } = message('Socket');
const socket = closed({
  ...node,
  ...ends,
  state: text('as ss(8) has it'),
  timer: text(),
  processes: optional(processes as Shape),
});

const line = closed({
  avg10: number('percent of the last 10 s'),
  avg60: number('percent of the last 60 s'),
  avg300: number('percent of the last 300 s'),
  totalUs: whole('µs since the machine started'),
  recent: optional(number('percent of the time since the answer before')),
});
const kinds = optional(closed({ some: optional(line), full: optional(line) }));
const pressure = closed({
  ...node,
  cgroup: optional(text('absent: the node as a whole')),
  name: optional(closed(message('CgroupName'))),
  pressure: closed({ cpu: kinds, memory: kinds, io: kinds, irq: kinds }),
});

const scalar = { type: ['integer', 'number', 'string', 'boolean'] };
const values = mapOf(either(scalar, mapOf(scalar, 'by device')), 'by the names of the columns');
const cgroup = closed({
  ...node,
  cgroup: text('its path'),
  name: optional(closed({ kind: text(), name: text(), id: text(), runtime: optional(text()) })),
  processes: optional(texts),
  values,
  rates: optional({ ...values, description: 'per second; with --watch' }),
});

const health = closed({
  node: text('empty: of the cluster'),
  check: text(),
  state: word('ok', 'failed', 'skipped'),
  reason: text('empty of ok'),
  durationMs: whole(),
});

const clock = closed({
  ...node,
  nodeTime: time(),
  serverTime: time(),
  ...message('TimeResponse'),
});

const image: Fields = { ...node, image: text() };

export const workloadAnswers: Answers = {
  service: list(either(service, response)),
  restart: list(response),
  health: list(health),
  memory: list(either(memory, everyValue)),
  processes: listOrLines(
    closed({ ...node, ...message('Process'), cpuPercent: optional(number('with --watch')) }),
  ),
  netstat: list(socket),
  time: list(clock),
  containers: list(closed({ ...node, ...message('ContainerInfo') })),
  stats: list(closed({ ...node, ...message('ContainerStat') })),
  'image list': list(closed({ ...node, ...message('ImageInfo') })),
  'image pull': list(closed(image)),
  'image remove': list(closed({ ...image, state: word('removed') })),
  'image default': list(closed({ image: text() })),
  'image orch-bundle': list(closed({ image: text() })),
  'image os-bundle': list(closed({ image: text() })),
  'image cache-create': list(
    closed({
      image: text(),
      digest: text('of the manifest, or of the index of all platforms'),
      sizeBytes: whole('of all its blobs'),
      fetchedBytes: whole('of those that were not there'),
    }),
  ),
  'image cache-verify': list(closed({ path: text('in the cache'), problem: text() })),
  'image cache-cert-gen': list(closed({ file: text(), secret: flag() })),
  cgroups: listOrLines(cgroup),
  pressure: listOrLines(pressure),
  version: one(
    closed({
      client: closed({ version: text(), runtime: text(), platform: text() }),
      nodes: optional(listOf(closed({ ...node, ...message('VersionResponse') }))),
    }),
  ),
  'auth can-i': list(
    closed({
      ...node,
      method: text(),
      allowed: flag(),
      needs: { ...texts, description: 'any one of these roles is enough' },
      roles: { ...texts, description: 'those of the certificate' },
    }),
  ),
};
