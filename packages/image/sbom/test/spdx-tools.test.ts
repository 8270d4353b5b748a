import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { findProgram, program, temporaryDirectory, testWith } from '@nodecore/testkit';

import { debianComponent, formatSpdx, genericComponent, npmComponent } from '../src/index.ts';
import { components, product } from './sample.ts';

const run = promisify(execFile);

testWith(program('pyspdxtools'))(
  'the tools of SPDX find nothing wrong with a document, and something with one that says less',
  async (t) => {
    const directory = await temporaryDirectory(t);
    const part = genericComponent('base', 'v1.14.0');
    const odd = [
      npmComponent('@scope/a.b_c', '1.0.0-rc.1+build', 'MIT OR Apache-2.0'),
      npmComponent('a-b-c', '1.0.0', 'GPL-2.0-or-later AND LGPL-2.1-or-later'),
      debianComponent({
        name: 'libstdc++6',
        version: '2:12.2.0-14~deb12u1+b1',
        architecture: 'amd64',
        source: { name: 'gcc-12', version: '2:12.2.0-14~deb12u1' },
        distribution: 'debian-12',
      }),
    ];
    const text = formatSpdx({
      name: 'nodeos-v1.14.0-amd64',
      namespace: 'https://factory.example.com/spdx/v1.14.0/amd64',
      created: '2026-11-22T00:00:00Z',
      product,
      contents: [
        { part, components: [...components, ...odd] },
        { part: genericComponent('os/btrfs', '6.2'), components: [...odd] },
      ],
    });
    const judge = async (name: string, document: string): Promise<void> => {
      const path = join(directory, `${name}.spdx.json`);
      await writeFile(path, document);
      await run(findProgram('pyspdxtools') ?? '', ['--infile', path, '--version', 'SPDX-2.3']);
    };
    await judge('ours', text);
    await t.throwsAsync(judge('no-licence-of-data', text.replace('CC0-1.0', 'MIT')), {
      message: /data_license/,
    });
    await t.throwsAsync(
      judge('no-such-package', text.replaceAll(/("SPDXID": "SPDXRef-base)"/g, '$1-gone"')),
      {
        message: /SPDXRef-base/,
      },
    );
  },
);
