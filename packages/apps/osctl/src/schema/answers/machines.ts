import { type Answers, lines, list, one } from '../answer.ts';
import {
  closed,
  type Fields,
  flag,
  listOf,
  node,
  number,
  optional,
  text,
  texts,
  whole,
  word,
} from '../shape.ts';

const outcome: Fields = {
  ...node,
  state: word('asked', 'back', 'written', 'checked', 'off', 'silent', 'addressAnswers'),
  stage: optional(text('of a node that is back')),
  version: optional(text('of the release')),
  entry: optional(text('of the boot loader')),
  message: text('in words'),
};
const moved = list(closed(outcome));

const meta = list(closed({ ...node, key: whole(), state: word('written', 'deleted') }));

const effects = closed({
  latencyMs: optional(number()),
  jitterMs: optional(number('at most the latency')),
  loss: optional(number('share of frames')),
  corrupt: optional(number('share of frames')),
  reorder: optional(number('share of frames')),
  bandwidthKbit: optional(number('0: as much as comes')),
});
const phase = word('planned', 'creating', 'running', 'stopped', 'failed', 'destroying');
const machine = closed({
  name: text(),
  type: text(),
  uuid: text(),
  ips: texts,
  cpus: number(),
  memoryBytes: whole(),
  diskBytes: whole(),
  state: text(),
  api: text('host:port on this computer'),
  ipmi: optional(text('host:port on this computer, UDP')),
  chaos: optional(closed({ to: optional(effects), from: optional(effects) })),
});
const diskFields: Fields = {
  machine: text(),
  serial: text(),
  driver: text(),
  sizeBytes: whole('as it is now'),
  isPlanned: flag('it was made with the cluster, not attached later'),
};
const disk = one(closed(diskFields));
const cluster = one(
  closed({
    provisioner: text(),
    name: text(),
    phase,
    accelerator: optional(word('kvm', 'tcg')),
    kept: flag('its keeper runs; without it the host does not reach the nodes'),
    ready: flag('it was finished'),
    network: closed({
      name: text(),
      cidrs: texts,
      gateways: texts,
      mtu: whole(),
      access: word('doors', 'addresses'),
    }),
    orchEndpoint: text('URL of the orchestrator’s API, as nodes have it'),
    nodes: listOf(machine),
    redfish: optional(text('URL on this computer')),
  }),
);

const rotation = list(
  closed({
    node: text('the node as it was named; empty: the client config'),
    step: word('accept', 'issue', 'drop'),
    type: word('controlplane', 'worker', 'client'),
    authority: word('os', 'orch'),
    state: word('planned', 'done', 'before'),
    change: text('in words'),
  }),
);

export const machineAnswers: Answers = {
  'rotate-ca': rotation,
  install: moved,
  upgrade: moved,
  rollback: moved,
  reboot: moved,
  shutdown: moved,
  'meta write': meta,
  'meta delete': meta,
  'cluster create vm': cluster,
  'cluster create dev': cluster,
  'cluster create container': cluster,
  'cluster show': cluster,
  'cluster chaos': cluster,
  'cluster start': cluster,
  'cluster stop': cluster,
  'cluster reboot': cluster,
  'cluster power': cluster,
  'cluster disk list': list(closed(diskFields)),
  'cluster disk attach': disk,
  'cluster disk detach': disk,
  'cluster disk resize': disk,
  'cluster list': list(closed({ name: text(), phase, ready: flag(), machines: whole('as planned') })),
  'cluster sync': one(closed({ kernel: flag('it was another one'), initrd: flag('it was another one') })),
  'cluster logs': lines(closed({ machine: text(), line: text() })),
  'cluster destroy': one(closed({ name: text(), destroyed: flag() })),
};
