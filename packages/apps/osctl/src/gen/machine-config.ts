import { aboutKinds, ConfigError, exampleOf, parse, type Patch, patchConfiguration } from '@nodecore/config';
import { stringify } from 'yaml';

import { clusterDocuments } from './cluster-documents.ts';
import { has } from './contract.ts';
import { describedRoot } from './described.ts';
import type { ConfigInput, MachineKind, Part } from './input.ts';

export type MachineConfig = {
  readonly text: string;
  /** Fields of the version that is generated for, which this one does not read. */
  readonly leftOut: readonly string[];
};

export type MachineConfigOptions = {
  readonly patches: readonly Patch[];
  readonly withDocs: boolean;
  readonly withExamples: boolean;
};

/**
 * The configuration of a machine of a cluster, patched and checked. The same input makes the same text.
 *
 * @param options.withDocs a line above each document says what it is for.
 * @param options.withExamples an example of each other kind of document is behind them, as a comment.
 * @throws {ConfigError} that names the patch which does not apply, or after which it is not valid any more.
 */
export function machineConfig(
  kind: MachineKind | 'init',
  input: ConfigInput,
  { patches, withDocs, withExamples }: MachineConfigOptions,
): MachineConfig {
  const role = kind === 'init' ? 'controlplane' : kind;
  const [first, ...documents] = clusterDocuments(role, { ...input, isInit: kind === 'init' });
  const { root, leftOut } = describedRoot(first ?? {});
  const abouts = new Map<unknown, string>(aboutKinds());
  const written = [root, ...documents].map((document) => {
    const about = abouts.get(document['kind'] ?? 'machine');
    return `${withDocs && about !== undefined ? `# ${about}\n` : ''}${textOf(document)}`;
  });
  const head = '# Holds the keys of the cluster. Add documents below, each after a line with ---\n';
  const file = `${kind}.yaml`;
  const used = new Set(documents.map((document) => document['kind']));
  const unpatched = `${head}${written.join('---\n')}${withExamples ? examples(used) : ''}`;
  let text = unpatched;
  parse(text, { file })[Symbol.dispose]();
  const mayChooseDisk = !has(input.contract, 'documents');
  for (const patch of patches) text = patchConfiguration(text, [patch], { file, mayChooseDisk });
  if (patches.length > 0) checkPatched(text, { file, patches, unpatched });
  return { text, leftOut };
}

/** Documents that the file does not have, each to be used by taking `# ` away from its lines. */
function examples(used: ReadonlySet<unknown>): string {
  const others = aboutKinds().filter(([kind]) => kind !== 'machine' && !used.has(kind));
  const lines = others.flatMap(([kind, about]) => ['---', `# ${about}`, ...exampleOf(kind).trimEnd().split('\n')]);
  return `# Examples of other documents follow.\n${lines.map((line) => `# ${line}\n`).join('')}`;
}

function textOf(document: Part): string {
  return stringify(document, { lineWidth: 0, aliasDuplicateObjects: false });
}

function checkPatched(
  text: string,
  { file, patches, unpatched }: { readonly file: string; readonly patches: readonly Patch[]; readonly unpatched: string },
): void {
  try {
    parse(text, { file: `${file} (patched)` })[Symbol.dispose]();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    let before = unpatched;
    // One that is right again after the next patch is not to blame: the last that made it wrong is.
    let wrongSince: Patch | undefined;
    for (const patch of patches) {
      before = patchConfiguration(before, [patch], { file, mayChooseDisk: true });
      wrongSince = isValid(before) ? undefined : (wrongSince ?? patch);
    }
    const which = wrongSince?.file ?? 'a patch';
    throw new ConfigError(error.code, `${file} is not valid any more after ${which}: ${error.message}`, error.problems);
  }
}

function isValid(text: string): boolean {
  try {
    parse(text)[Symbol.dispose]();
    return true;
  } catch {
    return false;
  }
}
