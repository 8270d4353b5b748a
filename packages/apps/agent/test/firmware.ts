import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { guids, type LoadOption, parseLoadOption } from '@nodecore/efi';
import { temporaryDirectory } from '@nodecore/testkit';
import type { ExecutionContext } from 'ava';
import { pino } from 'pino';

import { type BootPlace, tellFirmware } from '../src/upgrades/firmware-option.ts';

/** A directory as efivarfs shows it, of a firmware that starts these options. */
export async function firmwareWith(t: ExecutionContext, order: readonly number[]) {
  const root = await temporaryDirectory(t);
  const file = (name: string): string => join(root, `${name}-${guids.global}`);
  const write = (bytes: readonly number[]): Promise<void> =>
    writeFile(file('BootOrder'), Buffer.from([7, 0, 0, 0, ...bytes]));
  await write(order.flatMap((number) => [number, 0]));
  return {
    root,
    /** What no firmware holds. */
    break: () => write([0]),
    order: async () =>
      [...(await readFile(file('BootOrder'))).subarray(4)].filter((_, index) => index % 2 === 0),
    option: async (name: string): Promise<LoadOption | undefined> =>
      parseLoadOption((await readFile(file(name))).subarray(4)),
    tell: (place: BootPlace, by: 'first' | 'present' = 'first') =>
      tellFirmware(async () => place, by, {
        log: pino({ level: 'silent' }),
        inventory: { volumes: [] },
        architecture: 'amd64',
        root,
      }),
  };
}
