import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A package of the checkout. */
export type WorkspacePackage = {
  readonly name: string;
  /** Relative to the checkout. */
  readonly directory: string;
  /** Names of the packages that it and its tests import. */
  readonly dependencies: readonly string[];
};

export type Choice = {
  readonly files: readonly string[];
  /** A line for each change: what runs because of it. */
  readonly reasons: readonly string[];
};

/** What every test rests on. */
const everywhere =
  /^(?:native\/(?!test\/|README)|packages\/foundation\/testkit\/src\/|scripts\/|[^/]+\.(?:json|js|ts|yaml)$|\.npmrc$)/;

/**
 * The test files that changed files touch: those of their packages and of all packages above; of documents, and of what is in
 * no package, the tests that name them.
 *
 * @param textOf the text of a test file.
 */
export function touchedBy(
  changed: readonly string[],
  tests: readonly string[],
  packages: readonly WorkspacePackage[],
  textOf: (test: string) => string,
): Choice {
  const files = new Set<string>();
  const reasons = changed.map((path) => {
    const [found, why] = testsOf(path);
    for (const file of found) files.add(file);
    return `${path}: ${found.length === 0 ? 'no test' : `${found.length} files, ${why}`}`;
  });
  return { files: tests.filter((test) => files.has(test)), reasons };

  function testsOf(path: string): readonly [readonly string[], string] {
    if (tests.includes(path)) return [[path], 'itself'];
    if (everywhere.test(path)) return [tests, 'as everything rests on it'];
    const owner = packages.find(({ directory }) => path.startsWith(`${directory}/`));
    if (owner === undefined || path.endsWith('.md')) {
      const name = basename(path);
      return [tests.filter((test) => textOf(test).includes(name)), `which name ${name}`];
    }
    const isOfTests = path.startsWith(`${owner.directory}/test/`);
    const above = isOfTests ? [owner] : dependents(owner, packages);
    const found = tests.filter((test) => above.some(({ directory }) => test.startsWith(`${directory}/`)));
    return [found, `of ${above.map(({ name }) => name.replace(/^@nodecore\//, '')).join(', ')}`];
  }
}

/** A package and all that import it, also through others. */
function dependents(
  owner: WorkspacePackage,
  packages: readonly WorkspacePackage[],
): readonly WorkspacePackage[] {
  const found = new Set([owner]);
  for (const below of found) {
    for (const one of packages) if (one.dependencies.includes(below.name)) found.add(one);
  }
  return [...found];
}

type Manifest = {
  readonly name: string;
  readonly [kind: `${string}ependencies`]: Readonly<Record<string, string>> | undefined;
};

export function workspacePackages(checkout: string): WorkspacePackage[] {
  const manifests = globSync(['packages/*/*/package.json', '{native,hw-tests,bench}/package.json'], {
    cwd: checkout,
  });
  return manifests.sort().map((path) => {
    const manifest = JSON.parse(readFileSync(join(checkout, path), 'utf8')) as Manifest;
    const kinds = [manifest['dependencies'], manifest['devDependencies'], manifest['optionalDependencies']];
    const dependencies = kinds.flatMap((kind) => Object.keys(kind ?? {}));
    return { name: manifest.name, directory: dirname(path), dependencies };
  });
}

/** Files that differ from where this branch left `ref`, committed or not. @throws when git knows no such commit. */
export function changedSince(checkout: string, ref: string): string[] {
  const git = (...args: string[]): string[] =>
    execFileSync('git', args, { cwd: checkout, encoding: 'utf8' })
      .split('\0')
      .filter((path) => path !== '');
  const [base = ref] = execFileSync('git', ['merge-base', ref, 'HEAD'], {
    cwd: checkout,
    encoding: 'utf8',
  }).split('\n');
  const changed = git('diff', '--name-only', '--no-renames', '-z', base);
  return [...new Set([...changed, ...git('ls-files', '-z', '--others', '--exclude-standard')])].sort();
}
