import test from 'ava';

import {
  formatPurl,
  licenseOfCopyright,
  formatSpdx,
  parsePurl,
  readDpkgStatus,
  readSpdx,
  SbomError,
  subjectOf,
} from '../src/index.ts';
import { components, libc, product } from './sample.ts';

const bill = {
  name: 'nodeos-v1.14.0-amd64',
  namespace: 'https://factory.example.com/spdx/v1.14.0/amd64',
  created: '2026-11-22T00:00:00Z',
  product,
  contents: [{ part: product, components }],
};

test('a document of SPDX is read back as it was, and is the same bytes each time', (t) => {
  const part = { ...product, name: 'base' };
  const document = {
    ...bill,
    contents: [
      { part, components },
      { part: { ...part, name: 'os/btrfs' }, components: [libc] },
    ],
  };
  const text = formatSpdx(document);
  t.is(formatSpdx(document), text);
  t.deepEqual(JSON.parse(JSON.stringify(readSpdx(text, 'x'))), JSON.parse(JSON.stringify(document)));
  const { packages, relationships } = JSON.parse(text);
  const ids: readonly string[] = packages.map(({ SPDXID }: { SPDXID: string }) => SPDXID);
  t.is(new Set(ids).size, ids.length);
  for (const id of ids) t.regex(id, /^SPDXRef-[A-Za-z0-9.-]+$/);
  for (const { spdxElementId, relatedSpdxElement } of relationships) {
    t.true(['SPDXRef-DOCUMENT', ...ids].includes(spdxElementId));
    t.true(ids.includes(relatedSpdxElement));
  }
});

test('a document that says nothing is an error that names the field', (t) => {
  const text = formatSpdx(bill);
  const changed = (change: (document: { packages: Record<number, { name: unknown }> }) => void): string => {
    const document = JSON.parse(text);
    change(document);
    return JSON.stringify(document);
  };
  const wrong: readonly (readonly [why: RegExp, text: string])[] = [
    [/x: is no JSON/, text.slice(0, 200)],
    [/x\.spdxVersion: must be/, text.replace('SPDX-2.3', 'SPDX-3.0')],
    [
      /x\.packages\[1\]\.name: must be a text/,
      changed((document) => Object.assign(document.packages[1] ?? {}, { name: 7 })),
    ],
    [/no package URL/, text.replace('pkg:generic/nodeos@', 'nodeos@')],
    [/must say what the document describes/, text.replace('DESCRIBES', 'AMENDS')],
  ];
  for (const [why, each] of wrong) {
    const error = t.throws(() => readSpdx(each, 'x'), { instanceOf: SbomError });
    t.regex(error?.message ?? '', why);
  }
});

test('package URLs are written as their specification has them, and read back', (t) => {
  const known = [
    'pkg:npm/%40grpc/grpc-js@1.9.0',
    'pkg:deb/debian/libc6@2.36-9%2Bdeb12u4?arch=amd64&distro=debian-12&upstream=glibc%402.36-9',
    'pkg:deb/debian/passwd@1:4.13%2Bdfsg1-1',
    'pkg:generic/node@24.21.0',
  ];
  for (const text of known) t.is(formatPurl(parsePurl(text)), text);
  t.is(parsePurl('pkg:npm/@grpc/grpc-js').namespace, '@grpc');
  for (const text of ['', 'pkg:', 'pkg:deb/', 'https://x/y', 'pkg:deb/%zz'])
    t.throws(() => parsePurl(text), { code: 'ERR_SBOM_INVALID' });
});

test('the licence of a package is that of all its files, where its name is known', (t) => {
  const format = 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n\n';
  const of = (license: string): string =>
    `${format}Files: debian/*\nLicense: ISC\n\nFiles: *\nCopyright: us\nLicense: ${license}\n the text\n`;
  t.is(licenseOfCopyright(of('LGPL-2.1+')), 'LGPL-2.1-or-later');
  t.is(licenseOfCopyright(of('GPL-2+ or Expat')), 'GPL-2.0-or-later OR MIT');
  t.is(licenseOfCopyright(of('BSD-3-clause and GPL-2')), 'BSD-3-Clause AND GPL-2.0-only');
  for (const unknown of ['GPL-2+ with OpenSSL exception', 'GPL-2 or Expat and ISC', 'own', ''])
    t.is(licenseOfCopyright(of(unknown)), undefined, unknown);
  t.is(licenseOfCopyright(of('ISC').replace('Format', 'Source')), undefined);
  t.is(licenseOfCopyright(`${format}License: ISC\n`), undefined);
});

test("packages of dpkg's list are what is installed, with the sources that vulnerabilities are told of", (t) => {
  const found = readDpkgStatus(`Package: libc6
Status: install ok installed
Architecture: amd64
Source: glibc
Version: 2.36-9+b2
Description: a library
 Package: not-me
 Version: 9

Package: gone
Status: deinstall ok config-files
Architecture: amd64
Version: 1

Package: linux-image-6.1.0-50-amd64
Architecture: amd64
Source: linux-signed-amd64 (6.1.176+1)
Version: 6.1.176-1
`);
  t.deepEqual(found, [
    {
      name: 'libc6',
      version: '2.36-9+b2',
      architecture: 'amd64',
      source: { name: 'glibc', version: '2.36-9' },
    },
    {
      name: 'linux-image-6.1.0-50-amd64',
      version: '6.1.176-1',
      architecture: 'amd64',
      source: { name: 'linux', version: '6.1.176-1' },
    },
  ]);
  t.deepEqual(subjectOf(libc), { type: 'deb', suite: 'bookworm', name: 'glibc', version: '2.36-9+deb12u4' });
});
