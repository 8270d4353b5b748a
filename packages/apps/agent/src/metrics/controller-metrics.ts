import type { ControllerCounts } from '@nodecore/runtime';
import type { Store } from '@nodecore/state';
import type { Registry } from 'prom-client';

import { controllerItems } from '../inspect/definitions.ts';
import { counter, gauge, specsOf, type Value } from './made.ts';

export type ControllerMetricsParts = {
  readonly store: Store;
  readonly controllerCounts: () => readonly ControllerCounts[];
};

/** What controllers did, and how many of their items are not done. Labels are bounded: controllers are code. */
export function controllerMetrics(
  registry: Registry,
  { store, controllerCounts }: ControllerMetricsParts,
): void {
  const counted = (read: (counts: ControllerCounts) => number) => (): readonly Value[] =>
    controllerCounts().map((counts) => ({
      labels: { controller: counts.controller },
      value: read(counts),
    }));
  const labelNames = ['controller'];
  counter(
    registry,
    { name: 'nodeos_controller_runs_total', help: 'How often it has looked at an item.', labelNames },
    counted(({ runs }) => runs),
  );
  counter(
    registry,
    { name: 'nodeos_controller_failures_total', help: 'How often it has failed.', labelNames },
    counted(({ failures }) => failures),
  );
  gauge(
    registry,
    {
      name: 'nodeos_controller_items',
      help: 'Items that are not done: `waiting` or `failing`.',
      labelNames: ['controller', 'phase'],
    },
    () => {
      const groups = Map.groupBy(
        specsOf(store, controllerItems),
        ([, { controller, phase }]) => `${String(controller)} ${String(phase)}`,
      );
      return [...groups].map(([name, { length: value }]) => {
        const [controller = '', phase = ''] = name.split(' ');
        return { labels: { controller, phase }, value };
      });
    },
  );
}
