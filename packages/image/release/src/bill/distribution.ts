import { readFile } from 'node:fs/promises';

/** The distribution of this machine, whose packages a release is made of, as package URLs have it: `debian-12`. */
export async function distributionHere(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8');
  const value = (name: string): string | undefined =>
    new RegExp(`^${name}="?([^"\\n]*)`, 'm').exec(text)?.[1];
  return `${value('ID') ?? 'debian'}-${value('VERSION_ID') ?? value('VERSION_CODENAME') ?? 'sid'}`;
}
