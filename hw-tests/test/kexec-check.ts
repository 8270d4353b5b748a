import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { consoleFile, type Machine } from '@nodecore/machine';
import { systemClock } from '@nodecore/waiting';
import type { ExecutionContext } from 'ava';

import type { OsctlResult } from './osctl.ts';

export type RestartScene = {
  readonly machine: Machine;
  readonly directory: string;
  readonly endpoint: string;
  readonly osctl: (...words: string[]) => Promise<OsctlResult>;
};

/** Reboots a node whose entry is good, and looks whether the kernel has started the next one, and the firmware nothing. */
export async function restartsPastFirmware(
  t: ExecutionContext,
  { machine, directory, endpoint, osctl }: RestartScene,
): Promise<void> {
  const ask = async (...words: string[]): Promise<string> => {
    await systemClock.sleep(500); // each question costs the node a connection
    return (await osctl('-n', endpoint, ...words)).stdout;
  };
  const console = (): Promise<string> => readFile(join(directory, consoleFile), 'latin1');
  const bootId = async (): Promise<string> =>
    /bootId: (?<id>[0-9a-f-]{36})/u.exec(await ask('get', 'bootid', '-o', 'yaml'))?.groups?.['id'] ?? '';
  t.regex(await ask('get', 'bootedentries', '-o', 'yaml'), /startedBy: firmware/u);
  const before = { length: (await console()).length, bootId: await bootId() };
  const { stderr } = await osctl('-n', endpoint, 'reboot', '--wait=false');
  let entries = '';
  while (!entries.includes('startedBy: kexec') && machine.state === 'running')
    entries = await ask('get', 'bootedentries', '-o', 'yaml');
  const said = (await console()).slice(before.length);
  t.is(machine.state, 'running', `the firmware has started the machine: ${stderr} ${said.slice(-3000)}`);
  t.regex(
    said,
    /init: the machine begins anew, without the firmware[\s\S]*Linux version [\s\S]*init: the root is laid/u,
  );
  t.notRegex(said, /BdsDxe|EFI stub/u);
  t.not(await bootId(), before.bootId);
  t.regex(
    await ask('events', '--tail', '-1', '--follow=false'),
    / kexec +start[\s\S]* reboot\(0x45584543\)/u,
  );
  t.regex(await ask('get', 'kernelcmdlines', '-o', 'yaml'), / panic=-1 .* os\.boot\.start=kexec$/mu);
}
