import type { Configuration } from '@nodecore/config';
import type { OwnedFiles, WantedFile } from '@nodecore/host';
import type { Controller } from '@nodecore/runtime';
import { fieldsOf, type Json, type Resource } from '@nodecore/state';

import { type Applied, appliedController } from '../applied/applied-controller.ts';
import { etcFileSpecs, etcFileStatuses, hostsFiles } from './definitions.ts';

/** Files as they are in a spec. */
export type FileSpecs = Readonly<Record<string, { readonly mode: number; readonly contents: string }>>;

/** What the documents of a configuration want below /etc. */
export function wantedFiles(configuration: Configuration): Json {
  const files = configuration.all('EtcFileConfig');
  return filesSpec(Object.fromEntries(files.map(({ name, mode, contents }) => [name, { mode, contents }])));
}

/** A spec of these files; their paths stand alone, too: a table shows no contents. */
export function filesSpec(files: FileSpecs): Json {
  return { files, paths: Object.keys(files) };
}

export type EtcParts = {
  /** Undefined where the files below /etc are the host's own. */
  readonly files: OwnedFiles | undefined;
  /** Before the first file is written. */
  readonly prepare: () => Promise<void>;
};

/** Writes files below /etc, and gives back what was there when nobody wants them any more. */
export function etcFileController(parts: EtcParts): Controller {
  return appliedController({
    name: 'etc-files',
    specs: [etcFileSpecs, hostsFiles],
    statuses: etcFileStatuses,
    apply: async (specs) => await applyFiles(parts, specs),
    retryMs: 30_000,
  });
}

const foreign =
  'this host keeps its own /etc: the agent has neither an image nor a state directory of its own';

async function applyFiles({ files, prepare }: EtcParts, specs: readonly Resource[]): Promise<Applied> {
  const wanted = new Map<string, WantedFile>(specs.flatMap(({ spec }) => filesOf(spec)));
  if (files === undefined) {
    const statuses = [...wanted].map(([path, file]) => [path, { ...shown(file), error: foreign }] as const);
    return { statuses: new Map(statuses) };
  }
  if (wanted.size > 0) await prepare();
  const statuses = new Map<string, Json>();
  const failures: string[] = [];
  for (const { path, error } of await files.apply(wanted)) {
    statuses.set(path, { ...shown(wanted.get(path)), ...(error && { error: error.message }) });
    if (error !== undefined) failures.push(error.message);
  }
  return { statuses, waitsFor: failures[0] };
}

function filesOf(spec: Json): (readonly [string, WantedFile])[] {
  const { files = {} } = fieldsOf(spec);
  return Object.entries(files as FileSpecs).map(([path, { mode, contents }]) => [
    path,
    { mode, contents: Buffer.from(contents) },
  ]);
}

/** Contents may be anybody's secret. */
function shown(file: WantedFile | undefined): { readonly mode: string; readonly size: number } {
  if (file === undefined) return { mode: '', size: 0 };
  return { mode: `0o${file.mode.toString(8)}`, size: file.contents.length };
}
