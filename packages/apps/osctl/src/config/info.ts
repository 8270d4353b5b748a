import { rolesOf, shownProxy } from '@nodecore/api';
import { print, printable, relativeTime } from '@nodecore/cli';
import * as pki from '@nodecore/pki';
import { stringify } from 'yaml';

import { load, type ConfigOptions } from './file.ts';

type Info = {
  readonly context: string;
  readonly nodes: readonly string[];
  readonly endpoints: readonly string[];
  readonly roles: readonly string[];
  /** The cluster behind a proxy endpoint. */
  readonly cluster?: string;
  /** Without its password. */
  readonly proxyUrl?: string;
  /** Who signs the calls, where no certificate says who calls. */
  readonly identity?: string;
  /** ISO 8601; undefined without a client certificate. */
  readonly certificateExpires: string | undefined;
};

/**
 * Prints the context, and roles and expiry of its certificate; its private key is wiped and never shown.
 *
 * @throws {OsconfigError} `ERR_OSCONFIG_CONTEXT` without a current context, or for an unknown one.
 */
export async function printInfo(options: ConfigOptions, output: 'text' | 'json' | 'yaml'): Promise<void> {
  const info = await readInfo(options);
  const text = {
    json: () => `${JSON.stringify(info, null, 2)}\n`,
    yaml: () => stringify(info),
    text: () => table(info),
  }[output]();
  await print(options.terminal.out, text);
}

async function readInfo(options: ConfigOptions): Promise<Info> {
  const { osconfig } = await load(options);
  const context = osconfig.context(options.context);
  using _key = context.key;
  const certificate = context.crt === undefined ? undefined : pki.readCertificate(context.crt);
  return {
    context: context.name,
    nodes: context.nodes,
    endpoints: context.endpoints,
    roles: certificate === undefined ? [] : [...rolesOf({ subject: certificate.toLegacyObject().subject })],
    ...(context.cluster && { cluster: context.cluster }),
    ...(context.proxyUrl && { proxyUrl: shownProxy(context.proxyUrl) }),
    ...(context.identity !== undefined && { identity: context.identity }),
    certificateExpires: certificate?.validToDate.toISOString(),
  };
}

function table(info: Info): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Current context:', info.context],
    ['Nodes:', listed(info.nodes)],
    ['Endpoints:', listed(info.endpoints)],
    ...(info.cluster === undefined ? [] : [['Cluster:', info.cluster] as const]),
    ...(info.proxyUrl === undefined ? [] : [['Proxy:', info.proxyUrl] as const]),
    ...(info.identity === undefined
      ? ([
          ['Roles:', listed(info.roles)],
          ['Certificate expires:', expiry(info.certificateExpires)],
        ] as const)
      : ([['Signs as:', info.identity]] as const)),
  ];
  return rows.map(([name, value]) => `${name.padEnd(22)}${printable(value)}\n`).join('');
}

function expiry(date: string | undefined): string {
  if (date === undefined) return 'no certificate';
  return `${relativeTime(Date.parse(date) - Date.now())} (${date.slice(0, 10)})`;
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? 'not set' : values.join(', ');
}
