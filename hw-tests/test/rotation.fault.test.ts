import { copyFile, cp, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { luksKeyslots, synchronise } from '@nodecore/keys';
import * as luks from '@nodecore/luks';
import { softwareTpm, temporaryDirectory } from '@nodecore/testkit';
import test, { type ExecutionContext } from 'ava';

import { RigMachine, type RigSpec } from '../src/index.ts';
import { CrashImages, type CrashState, crashStates, Recorder, WriteRecord } from '../src/log-writes/index.ts';
import { chosenStates } from './chosen-states.ts';
import { checkCrash } from './crash-check.ts';
import { cheap, keySpec } from './key-specs.ts';
import { endpointOf, keyServer, newRing } from './key-server.ts';
import { measureForTest, rotationContext } from './rotation-context.ts';
import { firstKeys, marksOf, rotationSteps, type Step } from './rotation-steps.ts';

const long = process.env['FAULT_CAMPAIGN'] === 'long';
/** Of the states of one operation; the long campaign checks all. */
const maxStates = long ? Infinity : 24;
const seed = Number(process.env['NODECORE_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

const mib = 1024 ** 2;
/** LUKS2 keeps 16 MiB for itself; the data does not matter here. */
const deviceBytes = 17 * mib;

type Files = {
  readonly directory: string;
  /** The device before the record begins, the device that was recorded, and the record. */
  readonly base: string;
  readonly recorded: string;
  readonly log: string;
  /** Of the key server. */
  readonly ring: string;
};

async function makeVolume(files: Files): Promise<void> {
  await writeFile(files.base, '');
  await truncate(files.base, deviceBytes);
  const specs = firstKeys.map(keySpec);
  const [opener] = specs;
  if (opener?.kind !== 'static') throw new TypeError('the first key is a passphrase');
  const { slot, passphrase: key } = opener;
  await luks.format(files.base, { key, slot, pbkdf: cheap });
  const context = rotationContext('none:');
  await synchronise(luksKeyslots(files.base, { pbkdf: cheap }), specs, context, { slot, key });
  await copyFile(files.base, files.recorded);
}

function machineSpec({ recorded, log }: Files): RigSpec {
  return {
    name: 'rotation',
    uuid: '8d0b7e0f-3a52-4a52-b1f4-9d3c1c8e7a21',
    firmware: 'bios',
    tpm: 'crb',
    memoryMib: 1024,
    cpus: 1,
    disks: [
      { driver: 'virtio', sizeBytes: deviceBytes, serial: 'RECORDED', file: recorded },
      { driver: 'virtio', sizeBytes: 1024 * mib, serial: 'RECORD', file: log },
    ],
    forwards: [],
    modules: ['dm-log-writes'],
  };
}

/** Has a machine do all operations with its writes recorded; its TPM's state is kept beside the record. */
async function record(t: ExecutionContext, files: Files): Promise<void> {
  await using machine = await RigMachine.boot(machineSpec(files));
  const device = machine.devices.get('RECORDED') ?? '';
  const recorder = await Recorder.start(machine, { device, log: machine.devices.get('RECORD') ?? '' });
  const argv = ['node', '--conditions=source', 'hw-tests/test/inside/rotate.ts'] as const;
  const { code, stderr } = await machine.run(argv, { input: await readFile(files.ring) });
  t.is(code, 0, stderr.toString());
  await recorder.stop();
  await machine.powerOff();
  await cp(join(machine.directory, 'tpm'), join(files.directory, 'tpm'), { recursive: true });
}

test(`a power cut at any moment of a change of keys locks nobody out, and the change is ended later (seed ${seed})`, async (t) => {
  t.timeout(long ? 3_600_000 : 300_000);
  const directory = await temporaryDirectory(t);
  const file = (name: string): string => join(directory, name);
  const files = {
    base: file('base'),
    recorded: file('recorded'),
    log: file('log'),
    ring: file('ring'),
    directory,
  };
  await newRing(files.ring);
  await makeVolume(files);
  const { bytes: backup } = await luks.header.backup(files.base);
  const started = performance.now();
  await record(t, files);
  t.log(`recorded in ${((performance.now() - started) / 1000).toFixed(1)} s`);

  await using server = await keyServer(files.ring);
  const chip = await softwareTpm(t, { stateDirectory: file('tpm') });
  await measureForTest(chip.tcti);
  const options = { context: rotationContext(chip.tcti), backup };
  await using writes = await WriteRecord.open(files.log, { deviceBytes });
  await using images = await CrashImages.open(writes, { base: files.base, working: file('working') });
  for (const step of rotationSteps(endpointOf(server))) {
    const since = performance.now();
    const { begin, end } = marksOf(step);
    const entries = writes.between(begin, end);
    const states = chosenStates(crashStates(entries), { most: maxStates, seed });
    for (const state of states) {
      await images.build(state, file('crashed'));
      await checkState(t, file('crashed'), step, state, options);
    }
    const count = entries.filter(({ length }) => length > 0).length;
    const seconds = ((performance.now() - since) / 1000).toFixed(1);
    t.log(
      `${step.name}: ${count} writes, ${states.length} of ${crashStates(entries).length} states in ${seconds} s`,
    );
  }
});

async function checkState(
  t: ExecutionContext,
  image: string,
  step: Step,
  state: CrashState,
  options: Parameters<typeof checkCrash>[2],
): Promise<void> {
  const name = `${step.name}, ${state.name}`;
  try {
    t.deepEqual(await checkCrash(image, step, options), [], name);
  } catch (cause) {
    throw new Error(name, { cause });
  }
}
