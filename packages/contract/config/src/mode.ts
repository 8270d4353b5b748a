import { type Configuration } from './configuration.ts';
import { type Problem } from './errors.ts';
import { kinds } from './kind/kinds.ts';
import { type Document } from './types.ts';

/** What a node runs on. In a container it has no disks of its own. */
export type Mode = 'metal' | 'cloud' | 'container';

export type ModeFindings = { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

const volumes: ReadonlySet<string> = new Set([
  'UserVolumeConfig',
  'VolumeConfig',
  'RawVolumeConfig',
  'SwapVolumeConfig',
  'ExistingVolumeConfig',
  'ExternalVolumeConfig',
]);

/**
 * What is wrong with a valid configuration on one kind of machine.
 *
 * @param options.strict turns warnings, also those of the text itself, into problems.
 */
export function checkMode(
  configuration: Configuration,
  mode: Mode,
  options: { readonly strict?: boolean; readonly file?: string } = {},
): ModeFindings {
  const { documents } = configuration;
  const at = (document: Document, code: string, message: string): Problem => ({
    code,
    message,
    path: '',
    document: document.identity,
    line: document.line,
    column: document.column,
    ...(options.file === undefined ? {} : { file: options.file }),
  });
  const problems = documents
    .filter(({ kind }) => mode === 'container' && volumes.has(kind))
    .map((document) =>
      at(document, 'mode.container', 'a container has no disks: it takes no volume documents'),
    );
  const [first] = documents;
  const partial = configuration.machine === undefined && first !== undefined;
  const message = 'no root document (version: v1alpha1): only a node in maintenance mode takes this';
  const idle = documents
    .filter(({ kind }) => mode === 'container' && kinds.get(kind)?.options.container === 'ignored')
    .map((document) => at(document, 'mode.container', 'has no effect in a container'));
  const warnings = [
    ...configuration.warnings,
    ...(partial ? [at(first, 'machine.missing', message)] : []),
    ...idle,
  ];
  return options.strict === true
    ? { problems: [...problems, ...warnings], warnings: [] }
    : { problems, warnings };
}
