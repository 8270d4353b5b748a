import { type Problem } from '../errors.ts';
import { descriptionOf } from '../kind/kinds.ts';
import { Place } from '../place.ts';
import { type PathStep, type Problems } from '../problems.ts';
import { rootIdentity, type SourceDocument } from '../source.ts';
import { type ResolvedDocument } from './resolve.ts';
import { pathAt } from './root-findings.ts';

/** What is to be said of a field of the root on machines of one kind alone. */
export type ModeFinding = {
  readonly mode: 'metal' | 'container';
  readonly severity: 'problem' | 'warning';
  readonly problem: Problem;
};

/** What the fields of a root mean on some machines and not on others. */
export function modeFindings(
  root: SourceDocument,
  made: readonly ResolvedDocument[],
  problems: Problems,
): readonly ModeFinding[] {
  const found: ModeFinding[] = [];
  const add = (
    { mode, severity }: Omit<ModeFinding, 'problem'>,
    at: { readonly path: readonly PathStep[]; readonly offset: number },
    [code, message]: readonly [string, string],
  ): void => {
    const problem = problems.located({
      path: at.path,
      offset: at.offset,
      code,
      message,
      document: rootIdentity,
    });
    found.push({ mode, severity, problem });
  };
  const place = Place.root(root.map, rootIdentity, problems);
  const install = place.find(['machine', 'install']);
  if (install !== undefined && install.get('disk') === undefined && install.get('diskSelector') === undefined)
    add({ mode: 'metal', severity: 'problem' }, install, [
      'install.disk',
      'names no disk: disk or diskSelector does',
    ]);
  const disks = place.find(['machine', 'disks']);
  if (disks !== undefined)
    add({ mode: 'container', severity: 'problem' }, disks, ['mode.container', noDisks]);
  for (const { kind, offset } of made) {
    const container = descriptionOf(kind)?.options.container;
    const at = { path: pathAt(root.map, offset), offset };
    if (container === 'refused')
      add({ mode: 'container', severity: 'problem' }, at, ['mode.container', noDisks]);
    if (container === 'ignored')
      add({ mode: 'container', severity: 'warning' }, at, ['mode.container', 'has no effect in a container']);
  }
  return found;
}

const noDisks = 'a container has no disks: it takes no volumes';
