import type { Fields, NodeFacts, Verdict } from './verdict.ts';

const gib = 2 ** 30;
/** What nodes are made for; docs/health.md says so. */
const leastMemory = { controlPlane: 2 * gib, worker: gib } as const;
/** The kernel and the firmware keep some of what a machine has. */
const keptByMachine = 1 / 8;
const leastEphemeral = 2 * gib;

const ok: Verdict = { state: 'ok', reason: '' };

/** What a node can judge by itself. */
export const nodeChecks: Readonly<Record<string, (facts: NodeFacts) => Promise<Verdict>>> = {
  boot: async ({ specsOf }) => {
    const { stage } = await machine(specsOf);
    if (stage === 'running') return ok;
    if (stage === 'maintenance') return failed('it is in maintenance: it has no configuration');
    return failed(typeof stage === 'string' ? `it is ${stage}` : 'it does not say yet what it is doing');
  },

  ready: async ({ specsOf }) => {
    const { stage, status } = await machine(specsOf);
    if (stage !== 'running' && stage !== 'booting') return skipped('there is nothing to be ready for');
    const { ready, unmetConditions } = fieldsOf(status);
    if (ready === true) return ok;
    const unmet = Array.isArray(unmetConditions) ? unmetConditions.map(fieldsOf) : [];
    const reasons = unmet.map(({ name, reason }) => `${text(name)}: ${text(reason)}`);
    return failed(reasons.join('; ') || 'it does not say yet what it lacks');
  },

  services: async ({ specsOf }) => {
    const services = await specsOf('Services.runtime.nodecore.dev');
    const ill = [...services].flatMap(
      ([id, { state, running, healthy, unknown, healthMessage, message }]) => {
        if (state === 'Failed') return [`${id} has failed${because(message)}`];
        return running === true && unknown !== true && healthy !== true
          ? [`${id} is not healthy${because(healthMessage)}`]
          : [];
      },
    );
    if (ill.length > 0) return failed(ill.join('; '));
    return services.size === 0 ? skipped('it keeps no services running') : ok;
  },

  kvstore: async ({ specsOf }) => {
    const member = (await specsOf('KvstoreMembers.kvstore.nodecore.dev')).get('local');
    if (member === undefined || member['phase'] === 'disabled')
      return skipped('it is no member of a kvstore');
    const { phase, healthy, reason } = member;
    if (phase !== 'running') return failed(`its member is ${text(phase)}${because(reason)}`);
    return healthy === true ? ok : failed(`its member is not healthy${because(reason)}`);
  },

  time: async ({ specsOf }) => {
    const status = (await specsOf('TimeStatuses.runtime.nodecore.dev')).get('node');
    if (status === undefined) return skipped('it says nothing of a clock');
    const { synced, syncDisabled, hostClock, source, offsetSeconds, error } = status;
    if (hostClock === true) return skipped('its host keeps the clock');
    if (syncDisabled === true) return skipped('its configuration has nobody set the clock');
    if (synced === true) return ok;
    if (typeof error === 'string') return failed(`nothing sets the clock: ${error}`);
    return typeof source === 'string' && typeof offsetSeconds === 'number'
      ? failed(`the clock is ${offsetSeconds} s off what ${source} says`)
      : failed('the clock follows none of its sources yet');
  },

  memory: async ({ memoryBytes, isControlPlane }) => {
    if (memoryBytes === undefined) return skipped('a node of this version does not say how much it has');
    const least = leastMemory[isControlPlane === true ? 'controlPlane' : 'worker'];
    if (memoryBytes >= least * (1 - keptByMachine)) return ok;
    return failed(`it has ${inGib(memoryBytes)} of memory, and needs ${inGib(least)}`);
  },

  ephemeral: async ({ specsOf }) => {
    const volume = (await specsOf('VolumeStatuses.block.nodecore.dev')).get('EPHEMERAL');
    if (volume === undefined) return skipped('it has no EPHEMERAL of its own');
    const { size, phase } = volume;
    if (typeof size !== 'bigint' && typeof size !== 'number')
      return failed(`EPHEMERAL is ${text(phase)}, and its size is not known`);
    if (size >= leastEphemeral) return ok;
    return failed(`EPHEMERAL has ${inGib(Number(size))}, and needs ${inGib(leastEphemeral)}`);
  },

  controllers: async ({ specsOf }) => {
    const items = await specsOf('ControllerItems.runtime.nodecore.dev');
    const failing = [...items].filter(([, { phase }]) => phase === 'failing');
    return failing.length === 0
      ? ok
      : failed(failing.map(([id, { reason }]) => `${id}${because(reason)}`).join('; '));
  },
};

async function machine(specsOf: NodeFacts['specsOf']): Promise<Fields> {
  return (await specsOf('MachineStatuses.runtime.nodecore.dev')).get('machine') ?? {};
}

function failed(reason: string): Verdict {
  return { state: 'failed', reason };
}

function skipped(reason: string): Verdict {
  return { state: 'skipped', reason };
}

function because(reason: unknown): string {
  return typeof reason === 'string' && reason !== '' ? `: ${reason}` : '';
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}

function inGib(bytes: number): string {
  return `${(bytes / gib).toFixed(1)} GiB`;
}
