import type { Duplex } from 'node:stream';

import { systemClock, within } from '@nodecore/waiting';

import type { ControlSession } from './control-session.ts';
import { MachineError } from './errors.ts';
import { connectTo } from './kept-channels.ts';
import { keptChannels, type Launched } from './launch.ts';
import type { MachineRecord } from './machine-record.ts';
import { isRunning, killExactly, type ProcessIdentity } from '@nodecore/sys';
import { type PowerState, stateOf } from './power.ts';
import type { MachineSpec } from './spec.ts';

/** Long for QEMU, which answers between two instructions of its guest. */
const answerLimitMs = 10_000;
const pollMs = 10;

/**
 * Takes over the QEMU of a kept machine whose keeper is gone; undefined when none runs. Bytes of its serial ports that
 * nobody has read meanwhile are lost.
 *
 * @throws {MachineError} `ERR_MACHINE_START` when it runs and can't be reached.
 */
export async function adopt(
  spec: MachineSpec,
  directory: string,
  record: MachineRecord,
): Promise<Launched | undefined> {
  const qemu = record.programs.find(({ name }) => name.startsWith('qemu-system-'));
  if (qemu === undefined) return undefined;
  const { promise: gone, reject } = Promise.withResolvers<never>();
  gone.catch(() => {});
  const timer = setTimeout(() => {
    reject(
      new MachineError('ERR_MACHINE_START', spec.name, `process ${qemu.pid} does not answer at its port`),
    );
  }, answerLimitMs);
  const plan = keptChannels(spec);
  const open = (channel: typeof plan.control): Promise<Duplex> =>
    connectTo(directory, 'socket' in channel ? channel.socket : '', gone);
  try {
    const control = await open(plan.control);
    const ports = new Map<string, Duplex>();
    for (const [name, channel] of plan.ports) ports.set(name, await open(channel));
    let released = false;
    return {
      control,
      ports,
      stopped: goneWith(qemu, record, control, () => released),
      kill: () => killExactly(qemu),
      release: () => (released = true),
    };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * What an adopted machine does.
 *
 * @throws {MachineError} `ERR_MACHINE_START` when it is another machine, or does not answer.
 */
export async function identify(spec: MachineSpec, control: ControlSession): Promise<PowerState> {
  const asked = Promise.all([control.execute('query-uuid'), control.execute('query-status')]);
  const answered = await within(systemClock, answerLimitMs, asked);
  if (answered === undefined)
    throw new MachineError('ERR_MACHINE_START', spec.name, 'it runs and does not answer');
  const [{ UUID }, { status }] = answered.value as [{ readonly UUID: string }, { readonly status: string }];
  if (UUID !== spec.uuid)
    throw new MachineError('ERR_MACHINE_START', spec.name, `the machine ${UUID} runs in its directory`);
  return stateOf(status);
}

/**
 * It is no child of this process: its port closes when it ends, and its process is gone a moment later. Those that served it
 * follow by themselves, swtpm when it has written its state. Also resolves when the machine was let go.
 */
async function goneWith(
  qemu: ProcessIdentity,
  record: MachineRecord,
  control: Duplex,
  released: () => boolean,
): Promise<void> {
  if (!control.closed) await new Promise<void>((resolve) => control.once('close', resolve));
  while (!released() && isRunning(qemu)) await systemClock.sleep(pollMs);
  const limit = AbortSignal.timeout(answerLimitMs);
  while (!released() && !limit.aborted && record.programs.some(isRunning)) await systemClock.sleep(pollMs);
}
