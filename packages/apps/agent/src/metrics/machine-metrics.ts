import type { Store } from '@nodecore/state';
import type { Registry } from 'prom-client';

import { machineStatuses } from '../lifecycle/definitions.ts';
import type { MachineStatus, Stage } from '../lifecycle/machine-status.ts';
import { serviceStatuses } from '../services/definitions.ts';
import { timeStatuses } from '../time/definitions.ts';
import { bootEntries } from '../upgrades/definitions.ts';
import { installStatuses, upgradeStatuses } from '../upgrades/release-status.ts';
import { watchdogTimerStatuses } from '../watchdog/definitions.ts';
import { type FieldMetric, fieldMetrics } from './field-metrics.ts';
import { countedBy, gauge, type Spec, specsOf, type Value } from './made.ts';

const stages: readonly Stage[] = [
  'booting',
  'installing',
  'maintenance',
  'running',
  'rebooting',
  'shuttingDown',
  'resetting',
  'upgrading',
];

/** The machine as a whole: its stage, its services, its clock, its releases. */
export function machineMetrics(registry: Registry, store: Store): void {
  const [stage, state] = [['stage'], ['state']];
  gauge(
    registry,
    { name: 'nodeos_machine_stage', help: 'Whether the machine is in the stage.', labelNames: stage },
    () =>
      specsOf(store, machineStatuses).flatMap(([, spec]) =>
        stages.map((each) => ({ labels: { stage: each }, value: Number(spec['stage'] === each) })),
      ),
  );
  gauge(registry, { name: 'nodeos_services', help: 'Services in each state.', labelNames: state }, () =>
    countedBy(specsOf(store, serviceStatuses), 'state'),
  );
  gauge(
    registry,
    {
      name: 'nodeos_boot_entries',
      help: 'Entries of the boot menu in each state: `good`, `bad`, `fallback` or on trial.',
      labelNames: state,
    },
    () => countedBy(specsOf(store, bootEntries), 'state'),
  );
  fieldMetrics(registry, store, [...machine, ...services, ...time]);
  releaseMetrics(registry, store);
}

const machine: readonly FieldMetric[] = [
  {
    name: 'nodeos_machine_ready',
    help: 'Whether the machine lacks nothing to be ready.',
    of: machineStatuses,
    read: (spec) => statusOf(spec).ready,
  },
  {
    name: 'nodeos_machine_unmet_conditions',
    help: 'How many things the machine lacks to be ready.',
    of: machineStatuses,
    read: (spec) => statusOf(spec).unmetConditions.length,
  },
  {
    name: 'nodeos_watchdog_timeout_seconds',
    help: 'After how long the watchdog restarts a machine that does not feed it; absent where none is fed.',
    of: watchdogTimerStatuses,
    read: ({ timeoutSeconds }) => timeoutSeconds,
  },
];

const ofService = { of: serviceStatuses, label: 'service' };

const services: readonly FieldMetric[] = [
  {
    ...ofService,
    name: 'nodeos_service_running',
    help: 'Whether a service runs.',
    read: ({ running }) => running,
  },
  {
    ...ofService,
    name: 'nodeos_service_healthy',
    help: 'Whether the last check of a service was good; absent where it has none, or none yet.',
    read: ({ healthy, unknown }) => (unknown === true ? undefined : healthy),
  },
  {
    ...ofService,
    name: 'nodeos_service_restarts_total',
    help: 'How often a service was started again after it had ended by itself.',
    read: ({ restarts }) => restarts,
  },
];

const time: readonly FieldMetric[] = [
  {
    name: 'nodeos_time_synced',
    help: 'Whether the clock of the machine is right.',
    of: timeStatuses,
    read: ({ synced }) => synced,
  },
  {
    name: 'nodeos_time_offset_seconds',
    help: 'How far the clock is from the source that it follows.',
    of: timeStatuses,
    read: ({ offsetSeconds }) => offsetSeconds,
  },
  {
    name: 'nodeos_time_jumps_total',
    help: 'How often the clock has jumped by more than a quarter of an hour.',
    of: timeStatuses,
    read: ({ epoch }) => epoch,
  },
];

/** The last upgrade and the last installation of this boot. */
function releaseMetrics(registry: Registry, store: Store): void {
  const works = { upgrade: upgradeStatuses, install: installStatuses };
  const each = (values: (spec: Spec) => readonly Value[]) => (): readonly Value[] =>
    Object.entries(works).flatMap(([work, definition]) =>
      specsOf(store, definition).flatMap(([, spec]) =>
        values(spec).map(({ labels, value }) => ({ labels: { work, ...labels }, value })),
      ),
    );
  const bytes = (name: string) =>
    each(({ [name]: value }) => (value === undefined ? [] : [{ value: Number(value) }]));
  gauge(
    registry,
    {
      name: 'nodeos_release_state',
      help: 'Whether the last `upgrade` or `install` of this boot is `running`, `done` or `failed`.',
      labelNames: ['work', 'state'],
    },
    each(({ state }) =>
      ['running', 'done', 'failed'].map((name) => ({
        labels: { state: name },
        value: Number(state === name),
      })),
    ),
  );
  const labelNames = ['work'];
  gauge(
    registry,
    { name: 'nodeos_release_done_bytes', help: 'What the present phase of that has done.', labelNames },
    bytes('doneBytes'),
  );
  gauge(
    registry,
    { name: 'nodeos_release_total_bytes', help: 'What the present phase of that is to do.', labelNames },
    bytes('totalBytes'),
  );
}

function statusOf(spec: Spec): MachineStatus['status'] {
  return spec['status'] as MachineStatus['status'];
}
