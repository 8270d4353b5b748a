import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';

import { program, testWith } from '@nodecore/testkit';
import { softwareTpm } from '@nodecore/testkit/software-tpm';

import { firstProgram } from '../src/first-program.ts';

const phases = ['enter-initrd', 'leave-initrd', 'enter-machined'];

/** What a register of zeros becomes when it is extended by the digest of each phase. */
function predicted(algorithm: string): string {
  const digest = (bytes: Buffer): Buffer => createHash(algorithm).update(bytes).digest();
  let value: Buffer = Buffer.alloc(digest(Buffer.alloc(0)).length);
  for (const phase of phases) value = digest(Buffer.concat([value, digest(Buffer.from(phase))]));
  return value.toString('hex');
}

testWith(program('swtpm'), program('tpm2_pcrread'))(
  'a TPM that hears the phases of PID 1 has the predicted value in every bank',
  async (t) => {
    const tpm = await softwareTpm(t);
    const test = await firstProgram('test');
    for (const phase of phases) {
      const command = execFileSync(test, ['phase', phase]);
      const socket = connect(tpm.socket);
      t.teardown(() => socket.destroy());
      socket.write(command);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      t.is(answer.readUInt32BE(6), 0, `response to ${phase}`);
      socket.destroy();
    }
    const env = { ...process.env, TPM2TOOLS_TCTI: tpm.tcti };
    const read = spawnSync('tpm2_pcrread', ['sha1:11+sha256:11'], { env, encoding: 'utf8' });
    t.is(read.status, 0, read.stderr);
    const values = read.stdout.toLowerCase();
    for (const bank of ['sha1', 'sha256']) {
      const found = new RegExp(`${bank}:\\s+11: 0x([0-9a-f]+)`).exec(values)?.[1];
      if (found === undefined) t.is(bank, 'sha1', read.stdout); // a TPM without that bank
      else t.is(found, predicted(bank));
    }
  },
);
