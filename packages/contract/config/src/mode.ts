import { type Configuration } from './configuration.ts';
import { type Problem } from './errors.ts';
import { kinds } from './kind/kinds.ts';
import { type ModeFinding } from './legacy/modes.ts';
import { type Document } from './types.ts';

/** What a node runs on. In a container it has no disks of its own. */
export type Mode = 'metal' | 'cloud' | 'container';

export type ModeFindings = { readonly problems: readonly Problem[]; readonly warnings: readonly Problem[] };

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
    .filter(({ kind }) => mode === 'container' && kinds.get(kind)?.options.container === 'refused')
    .map((document) =>
      at(document, 'mode.container', 'a container has no disks: it takes no volume documents'),
    );
  const [first] = documents;
  const partial = configuration.machine === undefined && first !== undefined;
  const message = 'no root document (version: v1alpha1): only a node in maintenance mode takes this';
  const idle = documents
    .filter(({ kind }) => mode === 'container' && kinds.get(kind)?.options.container === 'ignored')
    .map((document) => at(document, 'mode.container', 'has no effect in a container'));
  const ofRoot = (severity: ModeFinding['severity']): readonly Problem[] =>
    configuration.modes
      .filter((one) => one.mode === mode && one.severity === severity)
      .map(({ problem }) => ({ ...problem, ...(options.file === undefined ? {} : { file: options.file }) }));
  const all = [
    ...problems,
    ...ofRoot('problem'),
    ...(mode === 'container' ? hostDns(configuration, at) : []),
  ];
  const warnings = [
    ...configuration.warnings,
    ...(partial ? [at(first, 'machine.missing', message)] : []),
    ...idle,
    ...ofRoot('warning'),
  ];
  return options.strict === true
    ? { problems: [...all, ...warnings], warnings: [] }
    : { problems: all, warnings };
}

/** Pods of a container ask the resolver of the node: the container itself has none of its own. */
function hostDns(
  configuration: Configuration,
  at: (document: Document, code: string, message: string) => Problem,
): readonly Problem[] {
  const { documents } = configuration;
  const runsPods = configuration.get('OrchKubeletConfig') !== undefined;
  const { hostDNS } = configuration.get('ResolverConfig') ?? {};
  if (!runsPods || (hostDNS?.enabled === true && hostDNS.forwardKubeDNSToHost)) return [];
  const place =
    documents.find(({ kind }) => kind === 'ResolverConfig') ??
    documents.find(({ kind }) => kind === 'OrchKubeletConfig' || kind === 'machine');
  const message =
    'pods in a container ask the node: ResolverConfig needs hostDNS with enabled and forwardKubeDNSToHost';
  return place === undefined ? [] : [at(place, 'mode.host_dns', message)];
}
