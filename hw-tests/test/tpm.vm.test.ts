import test from 'ava';

import { RigMachine, type RigSpec } from '../src/index.ts';

const spec: RigSpec = {
  name: 'tpm-test',
  uuid: '0b9f5c5e-3c55-4c52-8a1f-5f0a5b8f6d11',
  firmware: 'bios',
  tpm: 'crb',
  memoryMib: 768,
  cpus: 1,
  disks: [],
  forwards: [],
};

// One owner index of eight bytes, as commands for the device (TPM 2.0 library, part 3: NV_DefineSpace, NV_Write, NV_Read).
const owner = '40000001';
const index = '01500020';
const emptyPassword = '40000009_0000_00_0000';
const ownerMayReadAndWrite = '00020002';
const define = command('0000012a', owner, `0000_000e_${index}_000b_${ownerMayReadAndWrite}_0000_0008`);
const write = command('00000137', `${owner}_${index}`, '0008_cafe0123456789ab_0000');
const read = command('0000014e', `${owner}_${index}`, '0008_0000');

/** A command with one password session: tag, length, code, handles, length of the session, session, parameters. */
function command(code: string, handles: string, parameters: string): Buffer {
  const body = `${handles}_00000009_${emptyPassword}_${parameters}`.replaceAll('_', '');
  const length = (10 + body.length / 2).toString(16).padStart(8, '0');
  return Buffer.from(`8002${length}${code}${body}`, 'hex');
}

async function tpm(machine: RigMachine, input: Buffer): Promise<string> {
  const exchange = 'set -e; test -c /dev/tpmrm0; exec 3<>/dev/tpmrm0; cat >&3; head -c 4096 <&3';
  const { stdout, stderr, code } = await machine.run(['sh', '-c', exchange], { input });
  if (code !== 0) throw new Error(stderr.toString());
  return stdout.toString('hex');
}

const responseCode = (response: string): string => response.slice(12, 20);

// A power-off is survived by the keys of sealed-keys.vm.test.ts.
test.serial('what a TPM holds survives a kill', async (t) => {
  await using machine = await RigMachine.boot(spec);
  t.is(responseCode(await tpm(machine, define)), '00000000');
  t.is(responseCode(await tpm(machine, write)), '00000000');
  await machine.kill();
  await machine.boot();
  t.regex(await tpm(machine, read), /cafe0123456789ab/);
});

test.serial('two machines have two TPMs', async (t) => {
  await using machine = await RigMachine.boot({ ...spec, tpm: 'tis' });
  t.is(responseCode(await tpm(machine, read)), '0000028b'); // TPM_RC_HANDLE, second handle: no such index
});
