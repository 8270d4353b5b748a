import { parse } from '@nodecore/config';
import { HostError } from '@nodecore/host';
import { type Json, Store } from '@nodecore/state';
import test from 'ava';

import { configured } from '../src/applied/applied-controller.ts';
import { udevRuleConfigs, udevRuleStatuses } from '../src/device-rules/definitions.ts';
import {
  deviceRulesController,
  type DeviceRulesParts,
  wantedRules,
} from '../src/device-rules/device-rules.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { runControllers, until } from './controllers.ts';

const document = `apiVersion: v1alpha1
kind: UdevRulesConfig
rules:
  - 'KERNEL=="vda", MODE="0640"'
  - 'KERNEL=="vdb", SYMLINK+="taken"'
`;

test('each rule has a status by its number; devices that come are looked at, and no rules leave none', async (t) => {
  using configuration = parse(document);
  const store = new Store();
  const devices: string[] = [];
  let announced: (() => void) | undefined;
  const nodes: DeviceRulesParts['nodes'] = {
    apply: (rules) =>
      Promise.resolve(
        rules.map(({ text, actions }) => ({
          rule: text,
          devices: [...devices],
          error:
            actions[0]?.key === 'SYMLINK'
              ? new HostError('ERR_HOST_OCCUPIED', 'taken', 'is a file')
              : undefined,
        })),
      ),
  };
  const { clock } = runControllers(t, store, (fake) =>
    deviceRulesController({
      nodes,
      clock: fake,
      announcements: (call, signal) => {
        announced = call;
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
      },
    }),
  );
  const want = (spec: Json): void =>
    store.replace(kindOf(udevRuleConfigs), new Map([[configured, spec]]), 'test');
  want(wantedRules(configuration));
  const statuses = await until(store, kindOf(udevRuleStatuses), ({ length }) => length === 2);
  t.deepEqual(
    statuses.map(({ metadata, spec }) => [metadata.id, spec]),
    [
      ['001', { rule: 'KERNEL=="vda", MODE="0640"', devices: [] }],
      ['002', { rule: 'KERNEL=="vdb", SYMLINK+="taken"', devices: [], error: 'taken: is a file' }],
    ],
  );
  devices.push('vda');
  announced?.();
  announced?.();
  clock.advance(200);
  await until(store, kindOf(udevRuleStatuses), ([one]) => JSON.stringify(one?.spec).includes('["vda"]'));
  want({ rules: [] });
  await until(store, kindOf(udevRuleStatuses), ({ length }) => length === 0);
});
