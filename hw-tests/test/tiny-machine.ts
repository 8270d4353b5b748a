import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { consoleFile, Machine, type MachineSpec, type PowerOffReason } from '@nodecore/machine';

/** What a machine did until its system switched it off. */
export type Run = {
  /** Why it went off, each time. */
  readonly reasons: readonly PowerOffReason[];
  /** What firmware, kernel and program wrote at each start. */
  readonly consoles: readonly string[];
  /** At the last one. */
  readonly console: string;
};

/** Starts a small machine, again and again when it starts anew, until its system switches it off. */
export async function runUntilOff(spec: Partial<MachineSpec>, directory: string): Promise<Run> {
  const ended = new TransformStream<PowerOffReason, PowerOffReason>({}, { highWaterMark: 10 });
  const writer = ended.writable.getWriter();
  await using machine = await Machine.open(
    {
      name: 'tiny',
      uuid: randomUUID(),
      firmware: 'uefi',
      tpm: 'none',
      memoryMib: 256,
      cpus: 1,
      durability: 'none',
      disks: [],
      ...spec,
    },
    {
      directory,
      onState: (state, reason) => {
        if (state === 'off' && reason !== undefined) void writer.write(reason);
      },
    },
  );
  const reasons: PowerOffReason[] = [];
  const consoles: string[] = [];
  await machine.powerOn();
  for await (const reason of ended.readable) {
    reasons.push(reason);
    consoles.push(await readFile(join(directory, consoleFile), 'latin1'));
    if (reason !== 'guest-reset') break;
    await machine.powerOn();
  }
  return { reasons, consoles, console: consoles.at(-1) ?? '' };
}
