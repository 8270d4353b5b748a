import { UsageError } from '@nodecore/cli';
import { releaseVersion } from '@nodecore/sys/pure';

/** A version of the OS that files are generated for: what its nodes understand. */
export type Contract = { readonly major: number; readonly minor: number };

/** Since which minor version of 1 the generated files have what they did not have before. */
const since = {
  podSecurity: 1,
  stableHostname: 2,
  schedulingFlag: 2,
  extendedKeyCheck: 3,
  auditPolicy: 3,
  /** A secret of secretbox in the place of one of AES-CBC. */
  secretbox: 3,
  diskQuota: 5,
  balancer: 6,
  hostDns: 7,
  /** The key of the orchestrator's tokens is of RSA, and no longer of an elliptic curve. */
  rsaTokens: 7,
  workerClusterName: 8,
  forwardedDns: 8,
  loadBalancerLabel: 8,
  /** Documents of hostname, network and registries; fields of roles and key usage are gone. */
  networkDocuments: 12,
  meshDocument: 13,
  /** Everything but the root's own is in documents; the cluster's id is in standard base64. */
  documents: 14,
} as const;

export type Novelty = keyof typeof since;

/** What this program generates for unless it is told otherwise. */
export const currentContract: Contract = contractOf(releaseVersion, '--os-version');

/** Versions that the generator knows: the first and the last minor version of 1. */
export const knownContracts: { readonly first: number; readonly last: number } = {
  first: 0,
  last: currentContract.minor,
};

/**
 * Reads `v1.10`, `1.10` or `v1.10.3`; nothing is the current one.
 *
 * @throws {UsageError} for what is no version, and for one that is newer than this program.
 */
export function readContract(text: string | undefined): Contract {
  if (text === undefined) return currentContract;
  const contract = contractOf(text, '--os-version');
  const { major, minor } = currentContract;
  if (contract.major !== major || contract.minor > minor)
    throw new UsageError(`--os-version ${text}: this osctl generates for v${major}.0 to v${major}.${minor}`);
  return contract;
}

/** Whether nodes of this version have it. */
export function has({ minor }: Contract, novelty: Novelty): boolean {
  return minor >= since[novelty];
}

function contractOf(text: string, flag: string): Contract {
  const [, major, minor] = /^v?(\d{1,3})\.(\d{1,3})(?:\.\d{1,6}(?:[-+][\w.+-]{1,64})?)?$/u.exec(text) ?? [];
  if (major === undefined || minor === undefined)
    throw new UsageError(`${flag} is a version such as v1.14 or v1.13.2; got ${JSON.stringify(text)}`);
  return { major: Number(major), minor: Number(minor) };
}
