import { readFileSync } from 'node:fs';

/** Version of this client, from its package. */
export function clientVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    readonly version: string;
  };
  return manifest.version;
}
