import { controllerItems } from '@nodecore/runtime';
import { type Json, Store } from '@nodecore/state';
import test from 'ava';

import { machineConfigs } from '../src/configuration/definitions.ts';
import { formerController } from '../src/configuration/former-controller.ts';
import { kindOf } from '../src/resources/definitions.ts';
import { volumeManagerStatuses } from '../src/volumes/definitions.ts';
import { runControllers, until } from './controllers.ts';

test('former keys are looked at when volumes or configurations change, and again when that fails', async (t) => {
  const store = new Store();
  const looks: number[] = [];
  let fails = false;
  const forgetFormer = async (): Promise<void> => {
    looks.push(looks.length);
    if (fails) throw new Error('the disk is full');
  };
  const { clock } = runControllers(t, store, formerController({ forgetFormer }));
  const looked = async (times: number): Promise<void> => {
    while (looks.length < times) await new Promise(setImmediate);
    t.is(looks.length, times);
  };
  const write = (definition: typeof machineConfigs, spec: Json): void =>
    store.replace(kindOf(definition), new Map([['one', spec]]), '');
  write(volumeManagerStatuses, { keysInSync: false });
  await looked(1);
  write(volumeManagerStatuses, { keysInSync: true });
  await looked(2);
  fails = true;
  write(machineConfigs, 'another text');
  await until(store, controllerItems, ({ length }) => length === 1);
  await looked(3);
  fails = false;
  while (clock.sleepers === 0) await new Promise(setImmediate);
  clock.skip();
  await looked(4);
  await until(store, controllerItems, ({ length }) => length === 0);
});
