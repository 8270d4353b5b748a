import { formatPurl, parsePurl, type Purl } from './purl.ts';

/** A piece of software that others are made of. */
export type Component = {
  readonly name: string;
  readonly version: string;
  readonly purl: Purl;
  /** An SPDX expression; undefined for one that nobody has said in these words. */
  readonly license?: string | undefined;
};

/** The source package of a Debian package: vulnerabilities are told of sources. */
export type DebianSource = { readonly name: string; readonly version: string };

/** Suites of Debian by what a package URL may call them. */
const suites: Readonly<Record<string, string>> = {
  'debian-11': 'bullseye',
  'debian-12': 'bookworm',
  'debian-13': 'trixie',
  'debian-14': 'forky',
  'debian-sid': 'sid',
};

/** A Debian package; its source is in the package URL when it is called otherwise, or has another version. */
export function debianComponent(options: {
  readonly name: string;
  readonly version: string;
  readonly architecture: string;
  readonly source: DebianSource;
  /** As `debian-12`. */
  readonly distribution: string;
  readonly license?: string | undefined;
}): Component {
  const { name, version, architecture, source, distribution, license } = options;
  const isSame = source.name === name && source.version === version;
  const upstream = source.version === version ? source.name : `${source.name}@${source.version}`;
  const qualifiers = { arch: architecture, distro: distribution, ...(isSame ? {} : { upstream }) };
  return { name, version, purl: { type: 'deb', namespace: 'debian', name, version, qualifiers }, license };
}

/** A package of npm. */
export function npmComponent(name: string, version: string, license?: string): Component {
  const [scope, plain] = name.startsWith('@') ? name.split('/', 2) : [undefined, name];
  const purl = { type: 'npm', namespace: scope, name: plain ?? name, version };
  return { name, version, purl: parsePurl(formatPurl(purl)), license };
}

/** Software that no distribution packs, as a program that was built. */
export function genericComponent(name: string, version: string, license?: string): Component {
  return { name, version, purl: { type: 'generic', name, version }, license };
}

/** What vulnerabilities of a component are told of: whose, in which suite, what, and which version. */
export type Subject = {
  /** `deb` or `npm`. */
  readonly type: string;
  /** As `bookworm`; empty where there are no suites. */
  readonly suite: string;
  readonly name: string;
  readonly version: string;
};

/** @returns undefined for what nobody tells vulnerabilities of. */
export function subjectOf({ name, version, purl }: Component): Subject | undefined {
  const { type, qualifiers = {} } = purl;
  if (type === 'npm') return { type, suite: '', name, version };
  if (type !== 'deb') return undefined;
  const { upstream = purl.name, distro = '' } = qualifiers;
  const at = upstream.indexOf('@');
  const suite = suites[distro] ?? distro;
  if (at < 0) return { type, suite, name: upstream, version };
  return { type, suite, name: upstream.slice(0, at), version: upstream.slice(at + 1) };
}

/** The suite of Debian that others call `Debian:12` or `bookworm`. */
export function suiteOf(name: string): string {
  return suites[`debian-${name}`] ?? name;
}
