import { privateNetwork, program, root, testWith } from '@nodecore/testkit';

import { assetNames } from '../src/assets/asset.ts';
import { metal } from '../src/assets/platforms.ts';
import { reportingOptions } from './reports/reported-releases.ts';
import { ask, runningFactory, submit } from './running-factory.ts';

const v = 'v1.14.1';

testWith(
  root,
  program('ip'),
  program('qemu-img'),
)(
  'where there is no network but its own computer, a factory starts, and has every image, report and page',
  async (t) => {
    await privateNetwork();
    const running = await runningFactory(t, await reportingOptions(t));
    while ((await ask(running, '/readyz')).status !== 200); // until the lists are read
    const id = await submit(running, 'customization: {systemExtensions: {officialExtensions: [os/tools]}}');
    const names = assetNames(metal).filter((name) => name.includes('amd64') && !name.includes('-secureboot'));
    t.true(names.length > 20);
    const paths = [
      ...names.map((name) => `/image/${id}/${v}/${name}`),
      ...['.sha256', '.sigstore.json'].map((end) => `/image/${id}/${v}/metal-amd64.iso${end}`),
      `/pxe/${id}/${v}/metal-amd64`,
      `/v2/metal-installer/${id}/manifests/${v}`,
      `/spdx/${id}/${v}/amd64`,
      `/vex/${v}/vex.json`,
      `/scans/${id}/${v}/amd64/report.json`,
      `/?target=metal&version=${v}&arch=amd64`,
      `/ui/schematic?schematic-id=${id}`,
      '/ui/api',
      '/openapi.json',
      '/versions',
    ];
    for (const path of paths) t.is((await ask(running, path, { method: 'HEAD' })).status, 200, path);
  },
);
