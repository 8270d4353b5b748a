import { type Json, Store } from '@nodecore/state';
import test from 'ava';

import { machineConfigs } from '../src/configuration/definitions.ts';
import { etcFileStatuses } from '../src/etc/definitions.ts';
import { kvstoreMembers } from '../src/kvstore/kvstore-definitions.ts';
import { machineSequences, machineStatuses } from '../src/lifecycle/definitions.ts';
import { machineStatusController } from '../src/lifecycle/machine-status-controller.ts';
import { maintenanceStatuses } from '../src/maintenance/definitions.ts';
import { hostnameStatuses } from '../src/names/definitions.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { serviceStatuses } from '../src/services/definitions.ts';
import { volumeManagerStatuses, volumeStatuses } from '../src/volumes/definitions.ts';
import { timeStatuses } from '../src/time/definitions.ts';
import { runControllers, until } from './controllers.ts';

test('the status of the machine follows the resources of others, and what nothing announces', async (t) => {
  const store = new Store();
  let addresses: readonly string[] = [];
  const { clock } = runControllers(t, store, (ticking) =>
    machineStatusController({ clock: ticking, addresses: () => addresses }),
  );
  const write = (definition: typeof machineConfigs, specs: Readonly<Record<string, Json>>): void =>
    store.replace(kindOf(definition), new Map(Object.entries(specs)), 'test');
  const reached = async (stage: string, ...unmet: readonly string[]): Promise<void> => {
    const wanted = JSON.stringify([stage, unmet]);
    await until(store, kindOf(machineStatuses), ([one]) => {
      const spec = one?.spec as { stage: string; status: { unmetConditions: { reason: string }[] } };
      const reasons = spec?.status.unmetConditions.map(({ reason }) => reason);
      return JSON.stringify([spec?.stage, reasons]) === wanted;
    });
    t.pass(wanted);
  };
  await reached('booting', 'no configuration is active yet', 'no interface has an address');
  write(maintenanceStatuses, { maintenance: { reason: 'test', fingerprint: 'ab' } });
  await reached('maintenance');
  write(maintenanceStatuses, {});
  write(volumeStatuses, { STATE: { type: 'partition', phase: 'waiting', reason: 'no disk' } });
  write(volumeManagerStatuses, { volumes: { configured: true, keysInSync: false } });
  write(machineConfigs, { v1alpha1: 'text' });
  await reached('running', 'no interface has an address', 'STATE is waiting: no disk');
  while (clock.sleepers === 0) await new Promise(setImmediate);
  addresses = ['192.0.2.1'];
  clock.skip();
  await reached('running', 'STATE is waiting: no disk');
  write(timeStatuses, { node: { ready: false } });
  write(volumeStatuses, { STATE: { type: 'partition', phase: 'ready' } });
  await reached('running', 'the clock was not set yet: see osctl get timestatus');
  write(timeStatuses, { node: { ready: true } });
  write(kvstoreMembers, { local: { phase: 'failed', reason: 'no majority' } });
  await reached('running', 'kvstore is failed: no majority');
  const waiting = { running: false, healthy: false, unknown: true, state: 'Waiting' };
  write(kvstoreMembers, { local: { phase: 'waiting', reason: 'no data', idle: true } });
  write(serviceStatuses, { etcd: { ...waiting, message: 'no data' } });
  await reached('running', 'no data');
  write(kvstoreMembers, { local: { phase: 'waiting', reason: 'u-fast is not mounted' } });
  write(serviceStatuses, { etcd: { ...waiting, message: 'u-fast is not mounted' } });
  await reached('running', 'kvstore is waiting: u-fast is not mounted');
  write(serviceStatuses, {});
  write(kvstoreMembers, {});
  write(hostnameStatuses, { hostname: { hostname: 'a', error: 'EROFS' } });
  await reached('running', 'the hostname is not set: EROFS');
  write(hostnameStatuses, { hostname: { hostname: 'a' } });
  write(etcFileStatuses, { hosts: { error: 'ENOSPC' }, 'resolv.conf': { mode: '0644' } });
  await reached('running', '/etc/hosts is not as it shall be: ENOSPC');
  write(etcFileStatuses, {});
  const service = { running: true, healthy: false, unknown: true, message: '', state: 'Running' };
  write(serviceStatuses, {
    a: service,
    b: { ...service, unknown: false, healthMessage: 'port 1 is closed' },
    c: { ...service, running: false, state: 'Failed', message: 'exit code 1' },
    d: { ...service, running: false, state: 'Finished' },
    e: { ...service, unknown: false, healthy: true },
  });
  await reached('running', 'b is not healthy: port 1 is closed', 'c is failed: exit code 1');
  write(machineSequences, { machine: { sequence: 'shutdown' } });
  await reached('shuttingDown');
  write(machineSequences, { machine: { sequence: 'boot' } });
  write(serviceStatuses, {});
  await reached('running');
  write(machineSequences, { machine: { sequence: 'reset' } });
  await reached('resetting');
});
