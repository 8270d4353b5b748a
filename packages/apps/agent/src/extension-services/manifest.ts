import { parse } from 'yaml';

/** Another service, a path, the network, a clock that is right, or an `ExtensionServiceConfig` of the same name. */
export type Dependence =
  | { readonly kind: 'service' | 'path'; readonly name: string }
  | { readonly kind: 'network' | 'time' | 'configuration' };

/** What an extension says of its service. */
export type ExtensionManifest = {
  readonly name: string;
  readonly argv: readonly [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly environmentFile: string | undefined;
  readonly binds: readonly { readonly source: string; readonly target: string; readonly readOnly: boolean }[];
  readonly depends: readonly Dependence[];
  readonly restart: 'always' | 'never' | 'untilSuccess';
  /** What it asks for that only a container runtime can do. */
  readonly beyond: readonly string[];
};

type Fields = Readonly<Record<string, unknown>>;

const namePattern = /^[a-z0-9][a-z0-9-]{0,57}$/u;
const bindOptions: ReadonlySet<string> = new Set(['bind', 'rbind', 'ro', 'rw', 'private', 'rprivate']);
const restarts = ['always', 'never', 'untilSuccess'] as const;

/** Reads a manifest. @throws {TypeError} that says what is wrong with it. */
export function parseManifest(text: string): ExtensionManifest {
  const fields = fieldsOf(parse(text, { maxAliasCount: 0 }), 'the manifest');
  const name = textOf(fields['name'], 'name');
  if (!namePattern.test(name)) throw new TypeError('name is no name of a service');
  const container = fieldsOf(fields['container'], 'container');
  const entrypoint = textOf(container['entrypoint'], 'container.entrypoint');
  const { restart = 'always' } = fields;
  const known = restarts.find((each) => each === restart);
  if (known === undefined) throw new TypeError(`restart is none of ${restarts.join(', ')}`);
  const mounts = listOf(container['mounts'], 'container.mounts').map(mountOf);
  const file = container['environmentFile'];
  return {
    name,
    argv: [entrypoint, ...textsOf(container['args'], 'container.args')],
    environment: environmentOf(textsOf(container['environment'], 'container.environment')),
    environmentFile: file === undefined ? undefined : pathOf(file, 'container.environmentFile'),
    binds: mounts.map(({ bind }) => bind),
    depends: listOf(fields['depends'], 'depends').map(dependenceOf),
    restart: known,
    beyond: [...mounts.flatMap(({ beyond }) => beyond), ...beyondOf(container['security'])],
  };
}

/** Lines of `NAME=value`. @throws {TypeError} for any other; empty ones and comments are left out. */
export function environmentOf(lines: readonly string[]): Readonly<Record<string, string>> {
  const entries = lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line): [string, string] => {
      const [, name = '', value = ''] = /^([A-Za-z_]\w*)=([^\0]*)$/su.exec(line) ?? [];
      if (name === '') throw new TypeError('a variable is no NAME=value');
      return [name, value];
    });
  return Object.fromEntries(entries);
}

function mountOf(value: unknown, index: number) {
  const at = `container.mounts[${index}]`;
  const fields = fieldsOf(value, at);
  const target = pathOf(fields['destination'], `${at}.destination`);
  const options = textsOf(fields['options'], `${at}.options`);
  const { type = 'bind' } = fields;
  const isBind = type === 'bind' || type === 'none';
  const others = options.filter((option) => !bindOptions.has(option));
  const beyond = [
    ...(isBind ? [] : [`a mount of type ${String(type)} at ${target}`]),
    ...others.map((option) => `the mount option ${option} at ${target}`),
  ];
  const source = isBind ? pathOf(fields['source'], `${at}.source`) : target;
  return { bind: { source, target, readOnly: options.includes('ro') }, beyond };
}

function beyondOf(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const security = fieldsOf(value, 'container.security');
  const { rootfsPropagation = 'private', writeableRootfs = false } = security;
  return [
    ...(writeableRootfs === true ? ['a root that it may write to'] : []),
    ...(rootfsPropagation === 'private' ? [] : ['mounts that others see']),
    ...['maskedPaths', 'readonlyPaths'].flatMap((name) =>
      listOf(security[name], `container.security.${name}`).length > 0 ? [`container.security.${name}`] : [],
    ),
  ];
}

function dependenceOf(value: unknown, index: number): Dependence {
  const at = `depends[${index}]`;
  const fields = fieldsOf(value, at);
  if (fields['service'] !== undefined)
    return { kind: 'service', name: textOf(fields['service'], `${at}.service`) };
  if (fields['path'] !== undefined) return { kind: 'path', name: pathOf(fields['path'], `${at}.path`) };
  for (const kind of ['network', 'time', 'configuration'] as const)
    if (fields[kind] !== undefined) return { kind };
  throw new TypeError(`${at} is none of service, path, network, time, configuration`);
}

function fieldsOf(value: unknown, at: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError(`${at} has no fields`);
  return value as Fields;
}

function listOf(value: unknown, at: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new TypeError(`${at} is no list`);
  return value;
}

function textsOf(value: unknown, at: string): string[] {
  return listOf(value, at).map((each, index) => textOf(each, `${at}[${index}]`));
}

function textOf(value: unknown, at: string): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string' || text === '' || text.includes('\0')) throw new TypeError(`${at} is no text`);
  return text;
}

/** Absolute, and without a colon, which the keeper's own words have. */
function pathOf(value: unknown, at: string): string {
  const path = textOf(value, at);
  if (!path.startsWith('/') || path.includes(':') || path.split('/').includes('..'))
    throw new TypeError(`${at} is no absolute path`);
  return path;
}
