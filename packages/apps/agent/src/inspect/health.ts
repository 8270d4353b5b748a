import { totalmem } from 'node:os';

import { checkNode, type CheckResult, type ResourceDefinition } from '@nodecore/api';
import { type HealthResponseInit, HealthState } from '@nodecore/api/inspect';
import type { Json, Store } from '@nodecore/state';

import type { Configurator } from '../configuration/configurator.ts';
import { kindOf } from '../resources/definitions.ts';

/** What a node judges itself by. */
export type HealthParts = {
  readonly store: Pick<Store, 'list'>;
  readonly definitions: readonly ResourceDefinition[];
  readonly configurator: Pick<Configurator, 'active'>;
  readonly memoryBytes?: () => number;
};

const states: Readonly<Record<CheckResult['state'], HealthState>> = {
  ok: HealthState.OK,
  failed: HealthState.FAILED,
  skipped: HealthState.SKIPPED,
};

/** The node's judgement of itself, from what it has published. */
export async function healthOf({
  store,
  definitions,
  configurator,
  memoryBytes = totalmem,
}: HealthParts): Promise<HealthResponseInit> {
  const machine = configurator.active?.configuration.machine;
  const specsOf = async (type: string): Promise<Map<string, Readonly<Record<string, Json>>>> => {
    const definition = definitions.find((each) => each.type === type);
    const { resources } = definition === undefined ? { resources: [] } : store.list(kindOf(definition));
    return new Map(
      resources.map(({ metadata, spec }) => [metadata.id, spec as Readonly<Record<string, Json>>]),
    );
  };
  const results = await checkNode({
    specsOf,
    memoryBytes: memoryBytes(),
    isControlPlane: machine?.type === 'controlplane',
  });
  return {
    checks: results.map(({ check, state, reason, durationMs }) => ({
      name: check,
      state: states[state],
      reason,
      durationMillis: durationMs,
    })),
    machineType: machine?.beginsKvstore === true ? 'init' : (machine?.type ?? ''),
  };
}
