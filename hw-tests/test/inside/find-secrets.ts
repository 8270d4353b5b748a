/**
 * Runs in a machine: searches files, and the command lines and environments of all processes, for secrets. Standard input
 * says what for and where, standard output where they are. JSON both.
 */
import { globSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

import { codeOf } from '@nodecore/sys';

import { findSecrets, type Planted } from '../secret-forms.ts';

export type Search = {
  readonly planted: readonly { readonly name: string; readonly base64: string }[];
  /** Patterns of paths. */
  readonly files: readonly string[];
};

/** What stands where. */
export type Finding = { readonly path: string; readonly found: readonly string[] };

const { planted, files } = JSON.parse(await text(process.stdin)) as Search;
const secrets: Planted[] = planted.map(({ name, base64 }) => ({
  name,
  bytes: Buffer.from(base64, 'base64'),
}));
const findings: Finding[] = [];
for (const path of globSync([...files, '/proc/[0-9]*/cmdline', '/proc/[0-9]*/environ'])) {
  try {
    findings.push({ path, found: findSecrets(readFileSync(path), secrets) });
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes(codeOf(error) ?? '')) throw error; // a process that has ended
  }
}
console.log(JSON.stringify(findings));
