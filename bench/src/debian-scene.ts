import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateSync } from 'node:zlib';

import {
  buildDatabase,
  type Component,
  type DebianPackage,
  debianComponent,
  readDpkgStatus,
  VulnerabilityDatabase,
} from '@nodecore/sbom';
const run = promisify(execFile);
const now = new Date('2026-11-23T12:00:00Z');

/** What a package list of dpkg is besides this computer's: forms of versions and states that it may not have. */
const more = [
  ['nodecore-epoch', '2:1.0~rc1-1+deb12u1', 'install ok installed', ''],
  ['nodecore-again', '1.0-1+b2', 'install ok installed', 'nodecore-source (1.0-1)'],
  ['nodecore-held', '1.0-1', 'hold ok installed', 'nodecore-source'],
  ['nodecore-gone', '1.0-1', 'deinstall ok config-files', 'nodecore-source'],
  ['nodecore-half', '1.0-1', 'install ok half-installed', 'nodecore-source'],
  ['linux-image-nodecore', '6.1.176-1', 'install ok installed', 'linux-signed-amd64 (6.1.176+1)'],
] as const;

type Known = {
  readonly id: string;
  readonly status: 'open' | 'resolved' | 'undetermined';
  readonly fixed?: string;
};

/** Packages, and vulnerabilities of their sources around the versions that are there, told to us and to debsecan. */
export type DebianScene = {
  readonly components: readonly Component[];
  readonly vulnerabilities: number;
  /** Opened anew, as by a service that begins. */
  readonly open: () => VulnerabilityDatabase;
  /** What debsecan finds: `CVE package` a line. */
  readonly debsecan: () => Promise<string>;
};

/**
 * A scene in a directory.
 *
 * @param program debsecan.
 * @param each how many vulnerabilities of each source are known.
 * @param others how many sources are known besides, of which nothing is installed.
 */
export async function debianScene(
  directory: string,
  program: string,
  { each, others }: { readonly each: number; readonly others: number },
): Promise<DebianScene> {
  const records = more.map(([name, version, status, source]) =>
    [
      `Package: ${name}`,
      `Status: ${status}`,
      'Architecture: amd64',
      ...(source === '' ? [] : [`Source: ${source}`]),
      `Version: ${version}`,
    ].join('\n'),
  );
  const text = [(await readFile('/var/lib/dpkg/status', 'utf8')).trimEnd(), ...records, '']
    .join('\n\n')
    .trimEnd();
  const status = join(directory, 'status');
  await writeFile(status, `${text}\n`);
  const packages = readDpkgStatus(text);
  const absent = Array.from({ length: others }, (_, index) => ({
    source: { name: `absent-${index}`, version: `1.${index}-1` },
  }));
  const told = knownOf([...packages, ...absent], each);
  const tracker = Object.fromEntries(
    [...told].map(([source, all]) => [
      source,
      Object.fromEntries(
        all.map(({ id, status: state, fixed }) => [
          id,
          {
            releases: {
              bookworm: {
                status: state,
                urgency: 'low',
                ...(fixed !== undefined && { fixed_version: fixed }),
              },
            },
          },
        ]),
      ),
    ]),
  );
  const path = join(directory, 'vulnerabilities.db');
  buildDatabase(path, [{ name: 'tracker', text: JSON.stringify(tracker), made: now }], { now });
  await writeFile(join(directory, 'bookworm'), deflateSync(debsecanList(told)));
  const words = [
    '--suite',
    'bookworm',
    '--source',
    `file://${directory}`,
    '--status',
    status,
    '--format',
    'simple',
  ];
  const nothing = ['--whitelist', join(directory, 'none'), '--history', join(directory, 'none')];
  return {
    components: packages.map((one) => debianComponent({ ...one, distribution: 'debian-12' })),
    vulnerabilities: [...told.values()].flat().length,
    open: () => VulnerabilityDatabase.open(path),
    debsecan: async () => {
      const { stdout } = await run(program, [...words, ...nothing], { maxBuffer: 1 << 26 });
      return stdout;
    },
  };
}

/** The same each time: fixed in a version a little before, at or after the one that is there, not at all, or never there. */
function knownOf(
  packages: readonly Pick<DebianPackage, 'source'>[],
  each: number,
): ReadonlyMap<string, readonly Known[]> {
  const told = new Map<string, Known[]>();
  for (const { source } of packages) {
    if (told.has(source.name)) continue;
    const versions = around(source.version);
    const all = Array.from({ length: each }, (_, index): Known => {
      const id = `CVE-2026-${told.size * each + index + 10_000}`;
      const place = (told.size + index) % (versions.length + 3);
      if (place === 0) return { id, status: 'open' };
      if (place === 1) return { id, status: 'undetermined' };
      if (place === 2) return { id, status: 'resolved', fixed: '0' };
      return { id, status: 'resolved', fixed: versions[place - 3] ?? '' };
    });
    told.set(source.name, all);
  }
  return told;
}

function around(version: string): readonly string[] {
  const epoch = /^(?<epoch>\d+):(?<rest>.*)$/.exec(version)?.groups;
  const rest = epoch?.['rest'] ?? version;
  return [
    version,
    `${version}~`,
    `${version}~deb11u1`,
    `${version}+deb12u1`,
    `${version}.1`,
    `${version}+b1`,
    version.replace(/\d+(?=\D*$)/, (digits) => String(Number(digits) + 1)),
    version.replace(/\d+(?=\D*$)/, (digits) => String(Math.max(0, Number(digits) - 1))),
    version.replace(/-[^-]*$/, ''),
    `${Number(epoch?.['epoch'] ?? 0) + 1}:${rest}`,
    rest,
  ];
}

/** The list of a suite in version 1 of its format: vulnerabilities, then packages with the version that brings a fix, then sources. */
function debsecanList(told: ReadonlyMap<string, readonly Known[]>): string {
  const [names, lines]: [string[], string[]] = [[], []];
  for (const [source, all] of told)
    for (const { id, status, fixed = '' } of all) {
      if (status === 'undetermined' || fixed === '0') continue;
      lines.push(`${source},${names.length},S  ${fixed === '' ? ' ' : 'F'},${fixed},`);
      names.push(`${id},,of the test`);
    }
  return ['VERSION 1', ...names, '', ...lines, '', ''].join('\n');
}
