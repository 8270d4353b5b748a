import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { utimes, writeFile } from 'node:fs/promises';

import { type Component, formatSpdx, formatVex, genericComponent, npmComponent } from '@nodecore/sbom';
import type { ExecutionContext } from 'ava';

import { components, libc, made, now, osv, tracker } from '../../../../image/sbom/test/sample.ts';
import type { FactoryOptions } from '../../src/index.ts';
import { factoryOptions, writeRelease } from '../running-factory.ts';

/** A library as the release after has it. */
const laterLibc: Component = {
  ...libc,
  version: '2.36-9+deb12u5',
  purl: {
    ...libc.purl,
    version: '2.36-9+deb12u5',
    qualifiers: { arch: 'amd64', distro: 'debian-12', upstream: 'glibc' },
  },
};

const extension = 'os/tools';

function bill(version: string, name: string, parts: readonly Component[]): string {
  return formatSpdx({
    name: `${name}-${version}`,
    namespace: `urn:nodecore:spdx:${version}:${name}`,
    created: '2026-11-22T00:00:00Z',
    product: genericComponent('nodeos', version),
    contents: [{ part: genericComponent(name, version), components: parts }],
  });
}

/** What a release says of itself. */
function about(version: string, parts: readonly Component[]): Readonly<Record<string, string>> {
  return {
    'sbom/amd64.spdx.json': bill(version, 'base', parts),
    'amd64/extensions/os/tools.spdx.json': bill(version, extension, [npmComponent('tools', '1.0.0')]),
    'vex.json': formatVex({
      id: `urn:nodecore:vex:${version}`,
      author: 'us',
      timestamp: '2026-11-22T00:00:00Z',
      version: 1,
      statements: [
        {
          vulnerability: 'CVE-2026-0003',
          aliases: [],
          products: [{ purl: { type: 'generic', name: 'nodeos' }, subcomponents: [] }],
          status: 'not_affected',
          justification: 'vulnerable_code_not_in_execute_path',
        },
      ],
    }),
  };
}

export type ReportingOptions = FactoryOptions & {
  /** Where the lists are. */
  readonly tracker: string;
  readonly directory: string;
};

/**
 * Options of a factory with the releases v1.14.1 and v1.14.2, which say what they are made of, beside three that don't, and with lists of
 * vulnerabilities.
 */
export async function reportingOptions(t: ExecutionContext): Promise<ReportingOptions> {
  const options = await factoryOptions(t);
  const layer = { [extension]: Buffer.from('squashfs') };
  await writeRelease(options.releases, 'v1.14.1', layer, about('v1.14.1', components));
  await writeRelease(options.releases, 'v1.14.2', layer, about('v1.14.2', [laterLibc]));
  await writeRelease(options.releases, 'v1.14.3', layer);
  const lists = [join(options.directory, 'tracker.json'), join(options.directory, 'osv.json')] as const;
  await writeList(lists[0], JSON.stringify(tracker));
  await writeList(lists[1], JSON.stringify(osv));
  const urls = lists.map((path) => pathToFileURL(path).href);
  return { ...options, tracker: lists[0], scanner: { urls, updateAtMs: 0 }, now: () => now };
}

/** Writes a list as if it had been made then. */
export async function writeList(path: string, text: string, time: Date = made): Promise<void> {
  await writeFile(path, text);
  await utimes(path, time, time);
}
