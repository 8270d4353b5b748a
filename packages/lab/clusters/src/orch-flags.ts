import { apiPort } from './ports.ts';
import { checkUrl } from './url-flag.ts';

/** What nodes are told of the orchestrator; nothing of it where no flag says so. */
export type OrchSettings = {
  /** Of its programs, such as `v1.35.0`. */
  readonly version?: string;
  /** Of its services. */
  readonly dnsDomain?: string;
  /** Of its API on each node. */
  readonly balancerPort?: number;
  /** Where the objects of another network of pods are, in place of the one that is built in. */
  readonly networkUrl?: string;
};

/** The flags of {@link OrchSettings} as they were typed. */
export type OrchFlags = {
  readonly orchVersion?: string;
  readonly dnsDomain: string;
  readonly lbproxyPort: string;
  readonly customCniUrl?: string;
};

/** What is so without a flag. */
const usual = { dnsDomain: 'cluster.local', balancerPort: 7445 } as const;

/** What nodes are told of the orchestrator, from flags; what is wrong with them goes to `problems`. @param port of its API */
export function readOrchSettings(
  flags: OrchFlags,
  port: number,
  problems: string[],
): OrchSettings | undefined {
  const { dnsDomain, customCniUrl: networkUrl } = flags;
  if (!isDomain(dnsDomain)) problems.push(`--dns-domain ${dnsDomain}: a domain, such as cluster.local`);
  const balancerPort = readBalancerPort(flags.lbproxyPort, port, problems);
  if (networkUrl !== undefined) checkUrl('--custom-cni-url', networkUrl, problems);
  const version = readOrchVersion(flags.orchVersion, problems);
  const settings: OrchSettings = {
    ...(version !== undefined && { version }),
    ...(dnsDomain !== usual.dnsDomain && { dnsDomain }),
    ...(balancerPort !== 0 && balancerPort !== usual.balancerPort && { balancerPort }),
    ...(networkUrl !== undefined && { networkUrl }),
  };
  return Object.keys(settings).length === 0 ? undefined : settings;
}

/** A version of the orchestrator with its `v`; what is wrong with it goes to `problems`. */
export function readOrchVersion(text: string | undefined, problems: string[]): string | undefined {
  if (text === undefined) return undefined;
  const [, version] = /^v?(\d{1,3}\.\d{1,3}\.\d{1,5}(?:-[\w.]{1,32})?)$/.exec(text) ?? [];
  if (version === undefined) problems.push(`--orch-version ${text}: a version, such as v1.35.0`);
  return version === undefined ? undefined : `v${version}`;
}

/** 0: nodes have no balancer. */
function readBalancerPort(text: string, orchPort: number, problems: string[]): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) problems.push(`--lbproxy-port ${text}: 0 to 65535`);
  else if ([apiPort, apiPort + 1, orchPort].includes(port))
    problems.push(`--lbproxy-port ${port}: ${apiPort}, ${apiPort + 1}, ${orchPort} are others’ on a node`);
  return port;
}

function isDomain(text: string): boolean {
  return (
    text.length <= 253 &&
    text.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
  );
}
