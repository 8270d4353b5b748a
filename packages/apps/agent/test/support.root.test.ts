import { join } from 'node:path';

import { output, program, root, testWith } from '@nodecore/testkit';

import { osctl } from '../../osctl/test/command-line.ts';
import { authority, machineToken, rootDocument, volumeDocument } from './documents.ts';
import { operatedAgent } from './operated-agent.ts';

/** Of everything that somebody who looks for a fault asks for first. */
const expected =
  'version.json health.json services.json mounts.json memory.json processes.jsonl sockets.jsonl cgroups.json pressure.json events.jsonl ' +
  'dmesg.log logs/agent.log configuration.yaml manifest.json resources/disks.block.nodecore.dev.yaml ' +
  'resources/volumestatuses.block.nodecore.dev.yaml resources/machinestatuses.runtime.nodecore.dev.yaml';
const passphrase = 'a-passphrase-that-nobody-may-see';

testWith(root, program('unzip'))(
  'an archive of a real agent has what is asked for, and of its secrets none',
  async (t) => {
    const ca = await authority();
    const document = rootDocument(ca).replace('  type:', `  token: ${machineToken}\n  type:`);
    const volume = volumeDocument({ name: 'data', match: 'disk.serial == "none"', passphrase });
    const { directory, as } = await operatedAgent(t, ca, { configuration: document + volume });

    const file = join(directory, 'support.zip');
    const { code, error } = await osctl(['support', '-O', file], { env: await as('os:admin') });
    t.is(code, 0, error);
    const names = (await output(['unzip', '-Z1', file])).trim().split('\n');
    const missing = expected.split(' ').filter((name) => !names.includes(name));
    t.deepEqual(missing, []);
    const text = await output(['unzip', '-p', file]);
    t.true(text.includes('u-data'), 'the configuration is in it');
    const key = ca.key.bytes.toString();
    const secrets = [
      passphrase,
      machineToken,
      ca.key.bytes.toString('base64'),
      ...key.split('\n').slice(1, -2),
    ];
    for (const secret of secrets)
      for (const form of [secret, Buffer.from(secret).toString('base64').replaceAll('=', '')])
        t.false(text.includes(form), 'a secret is in it');
  },
);
