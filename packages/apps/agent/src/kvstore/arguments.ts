import { clientPort, httpPort, type MemberAddresses, peerPort, urlOf } from './addresses.ts';
import type { CertificateFiles } from './certificate-files.ts';

export type EtcdVersion = { readonly major: number; readonly minor: number; readonly text: string };

/** How a member without data begins; one with data goes on as it was. */
export type Beginning = {
  /** `new`: the first of a cluster; `existing`: others have it among their members already. */
  readonly state: 'new' | 'existing';
  /** `name=url` of each member. */
  readonly members: readonly string[];
  /** Tells this cluster from others that had the same addresses. */
  readonly token: string;
};

export type EtcdOptions = {
  readonly version: EtcdVersion;
  readonly name: string;
  readonly dataDirectory: string;
  readonly addresses: MemberAddresses;
  readonly files: CertificateFiles;
  /** Where it answers this node alone, in plain text; see {@link memberSocket}. */
  readonly socket?: string | undefined;
  readonly beginning?: Beginning;
  readonly extraArgs: ReadonlyMap<string, string>;
};

/** The command line of etcd. Nothing on it is a secret: keys are in files. */
export function etcdArguments(options: EtcdOptions): readonly string[] {
  const { version, name, dataDirectory, addresses, files, socket, beginning, extraArgs } = options;
  const { listen, advertised } = addresses;
  const own: [string, string][] = [
    ['name', name],
    ['data-dir', dataDirectory],
    [
      'listen-client-urls',
      [
        ...listen.map((address) => urlOf(address, clientPort)),
        ...(socket === undefined ? [] : [`unix://${socket}`]),
      ].join(),
    ],
    ['advertise-client-urls', urlOf(advertised, clientPort)],
    ['listen-peer-urls', listen.map((address) => urlOf(address, peerPort)).join()],
    ['initial-advertise-peer-urls', urlOf(advertised, peerPort)],
    ...certificates(files),
    ['tls-min-version', 'TLS1.3'],
    ...others(version, listen),
    ['logger', 'zap'],
    ['log-outputs', 'stderr'],
    ...integrity(version),
    ...beginningOf(beginning, name, advertised),
  ];
  return [...new Map([...extraArgs, ...own])].map(([flag, value]) => `--${flag}=${value}`);
}

/** Metrics, health and the gRPC gateway have a port of their own, for holders of certificates too; gRPC is alone on the other. */
function others({ major, minor, text }: EtcdVersion, listen: readonly string[]): [string, string][] {
  const [patch = 0] = /^\d+\.\d+\.(\d+)/u.exec(text)?.slice(1).map(Number) ?? [];
  // Before 3.5.10 all of them are on one port, and nobody of ours speaks JSON to it.
  if (major === 3 && minor === 5 && patch < 10) return [['enable-grpc-gateway', 'false']];
  return [['listen-client-http-urls', listen.map((address) => urlOf(address, httpPort)).join()]];
}

/** Certificates are for servers or for clients: a member, which is both, gets one of each. */
function certificates({ ca, server, client }: CertificateFiles): [string, string][] {
  return ['', 'peer-'].flatMap((side): [string, string][] => [
    [`${side}client-cert-auth`, 'true'],
    [`${side}trusted-ca-file`, ca],
    [`${side}cert-file`, server.crt],
    [`${side}key-file`, server.key],
    [`${side}client-cert-file`, client.crt],
    [`${side}client-key-file`, client.key],
  ]);
}

/** Checks of the data against itself and against other members, whose flags got other names in 3.6. */
function integrity({ major, minor }: EtcdVersion): [string, string][] {
  if (major > 3 || minor >= 6)
    return [
      ['feature-gates', 'InitialCorruptCheck=true,CompactHashCheck=true'],
      ['watch-progress-notify-interval', '5s'],
    ];
  return [
    ['experimental-initial-corrupt-check', 'true'],
    ['experimental-compact-hash-check-enabled', 'true'],
    ['experimental-watch-progress-notify-interval', '5s'],
  ];
}

/** With data etcd needs these flags to fit each other, and reads nothing else from them. */
function beginningOf(beginning: Beginning | undefined, name: string, advertised: string): [string, string][] {
  const { state, members, token } = beginning ?? {
    state: 'existing',
    members: [`${name}=${urlOf(advertised, peerPort)}`],
    token: 'nodecore',
  };
  return [
    ['initial-cluster', members.join()],
    ['initial-cluster-state', state],
    ['initial-cluster-token', token],
  ];
}
