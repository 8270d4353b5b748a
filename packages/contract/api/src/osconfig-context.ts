import { Secret } from '@nodecore/sys';

import { OsconfigError } from './osconfig-errors.ts';

/** How to reach the nodes of one cluster, and as whom. The key belongs to the reader of the context. */
export type OsContext = {
  readonly name: string;
  readonly endpoints: readonly string[];
  /** Default targets; empty: none. */
  readonly nodes: readonly string[];
  /** PEM. */
  readonly ca?: string;
  /** PEM. */
  readonly crt?: string;
  /** Bytes of a PEM text. */
  readonly key?: Secret;
  readonly cluster?: string;
  /** Who signs the calls, in place of a client certificate: the endpoint is a fleet manager (method authv1). */
  readonly identity?: string;
  readonly proxyUrl?: string;
};

/** A context that is about to be written. */
export type OsContextInput = Omit<OsContext, 'name' | 'nodes'> & { readonly nodes?: readonly string[] };

/** What is in the file for one context: base64 of PEM, in the fields the file has always had. */
export type StoredContext = Readonly<Record<string, unknown>>;

export function readContext(name: string, stored: StoredContext, path: string): OsContext {
  const refuse = (field: string, want: string): never => {
    const message = `${path}: contexts.${name}.${field} must be ${want}; correct it or remove the context`;
    throw new OsconfigError('ERR_OSCONFIG_INVALID', path, message);
  };
  const text = (field: string): string | undefined => {
    const value = stored[field];
    if (value === undefined || value === null) return undefined;
    return typeof value === 'string' ? value : refuse(field, 'a text');
  };
  const list = (field: string): string[] => {
    const value = stored[field] ?? [];
    const texts = Array.isArray(value) && value.every((item) => typeof item === 'string');
    return texts ? value : refuse(field, 'a list of texts');
  };
  const pem = (field: string): Buffer | undefined => {
    const value = text(field)?.replaceAll(/\s/gu, '');
    if (value === undefined || value === '') return undefined;
    const bytes = /^[A-Za-z0-9+/]+={0,2}$/u.test(value) ? Buffer.from(value, 'base64') : Buffer.alloc(0);
    return bytes.includes('-----BEGIN ') ? bytes : refuse(field, 'a PEM text in base64');
  };
  const identityOf = (auth: unknown): string | undefined => {
    if (auth === undefined || auth === null) return undefined;
    const authv1 = typeof auth === 'object' && 'authv1' in auth ? auth.authv1 : undefined;
    const identity =
      typeof authv1 === 'object' && authv1 !== null && 'identity' in authv1 ? authv1.identity : undefined;
    return typeof identity === 'string' && identity !== ''
      ? identity
      : refuse('auth', 'authv1 with an identity, the only method of this version');
  };
  const key = pem('key');
  return {
    name,
    endpoints: list('endpoints'),
    nodes: list('nodes'),
    ...optional('ca', pem('ca')?.toString('utf8')),
    ...optional('crt', pem('crt')?.toString('utf8')),
    ...optional('key', key === undefined ? undefined : Secret.take(key)),
    ...optional('cluster', text('cluster')),
    ...optional('identity', identityOf(stored['auth'])),
    ...optional('proxyUrl', text('proxy-url')),
  };
}

export function storeContext(context: OsContextInput): StoredContext {
  const stored = {
    endpoints: [...context.endpoints],
    nodes: context.nodes === undefined || context.nodes.length === 0 ? undefined : [...context.nodes],
    ca: context.ca === undefined ? undefined : Buffer.from(context.ca).toString('base64'),
    crt: context.crt === undefined ? undefined : Buffer.from(context.crt).toString('base64'),
    key: context.key?.bytes.toString('base64'),
    cluster: context.cluster,
    auth: context.identity === undefined ? undefined : { authv1: { identity: context.identity } },
    'proxy-url': context.proxyUrl,
  };
  return Object.fromEntries(Object.entries(stored).filter(([, value]) => value !== undefined));
}

function optional<K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [key]: value } as Record<K, V>);
}
