import { Secret } from '@nodecore/sys';

import type { KeyRing, RingKey } from '../ring/key-ring.ts';
import type { Audit } from './audit.ts';
import { parseBlob } from './blob.ts';
import type { Metrics } from './metrics.ts';
import { canonicalUuid } from './node-uuid.ts';
import type { Outcome } from './outcome.ts';
import { networkOf } from './peer.ts';
import type { RateLimit, Turn } from './rate-limit.ts';
import { sealFor, type Subject, unsealFor } from './sealer.ts';

export type Operation = 'seal' | 'unseal';

/** Who calls, as far as the connection proves it. */
export type Caller = {
  readonly address: string;
  /** Of a certificate that the handshake has verified. */
  readonly certificate: { readonly subject: string; readonly nodes: ReadonlySet<string> } | undefined;
};

export type KeyRequest = { readonly nodeUuid: string; readonly data: Uint8Array; readonly volume: string };

/** `data` with the outcome `ok`, and with no other. The caller disposes it. */
export type KeyAnswer = { readonly outcome: Outcome; readonly data?: Secret };

export type KeyServiceParts = {
  /** What changes while the server runs, as it is now. */
  readonly current: { readonly ring: KeyRing; readonly nodes: ReadonlySet<string> | undefined };
  /** Callers must prove that they are the node they ask for. */
  readonly provenNodes: boolean;
  readonly limits: { readonly node: RateLimit; readonly peer: RateLimit };
  readonly audit: Audit;
  readonly metrics: Metrics;
  /** Told of defects. */
  readonly onDefect: (error: unknown) => void;
};

/** Calls that wait for the audit log; more are refused. */
const maxCalls = 512;
/** Ids of volumes are shorter. */
const maxVolumeLength = 128;

type Found = {
  readonly outcome: Outcome;
  readonly key?: RingKey | undefined;
  readonly data?: Secret;
  readonly turns?: readonly Turn[];
};

/** Decides over calls. Independent of how they come. */
export class KeyService {
  readonly #parts: KeyServiceParts;
  /** Stands in for keys that are not there, so that a refusal takes the same time whatever its reason. */
  readonly #decoy: Secret = Secret.random(32);
  #running = 0;

  constructor(parts: KeyServiceParts) {
    this.#parts = parts;
  }

  /** Never rejects. The line of the audit log is written before it resolves. */
  async handle(operation: Operation, identify: () => Caller, request: KeyRequest): Promise<KeyAnswer> {
    const { metrics, onDefect } = this.#parts;
    const started = performance.now();
    this.#running += 1;
    let found: Found = { outcome: 'failed' };
    let outcome: Outcome = 'failed';
    try {
      const caller = identify();
      found = this.#decide(operation, caller, request);
      outcome = await this.#record(operation, caller, request, found);
    } catch (error) {
      onDefect(error);
    }
    this.#running -= 1;
    metrics.request(operation, outcome, (performance.now() - started) / 1000);
    const { data, key } = found;
    if (outcome === 'ok' && data !== undefined) {
      if (operation === 'unseal' && key !== undefined) metrics.unsealed(key.id);
      return { outcome, data };
    }
    data?.[Symbol.dispose]();
    return { outcome };
  }

  #decide(operation: Operation, caller: Caller, request: KeyRequest): Found {
    const { limits, provenNodes } = this.#parts;
    if (this.#running > maxCalls) return { outcome: 'busy' };
    const turns = [limits.peer.take(networkOf(caller.address))];
    const limited = (): boolean => turns.some(({ allowed }) => !allowed);
    if (limited()) return { outcome: 'rate-limited', turns };
    const node = canonicalUuid(request.nodeUuid);
    if (node === undefined || !isVolume(request.volume)) return { outcome: 'invalid', turns };
    if (provenNodes && (caller.certificate?.nodes.size ?? 0) === 0) return { outcome: 'no-identity', turns };
    if (provenNodes && caller.certificate?.nodes.has(node) !== true)
      return { outcome: 'other-identity', turns };
    // After the proof no caller uses up the turns of another node; without one, only those of nodes in its own network.
    turns.push(limits.node.take(provenNodes ? node : `${node} ${networkOf(caller.address)}`));
    if (limited()) return { outcome: 'rate-limited', turns };
    const subject = { node, volume: request.volume };
    const found =
      operation === 'seal' ? this.#seal(subject, request.data) : this.#unseal(subject, request.data);
    return { ...found, turns };
  }

  #seal(subject: Subject, data: Uint8Array): Found {
    const { ring, nodes } = this.#parts.current;
    if (data.byteLength !== 32) return { outcome: 'invalid' };
    if (nodes?.has(subject.node) === false) return { outcome: 'not-listed' };
    return { outcome: 'ok', key: ring.active, data: Secret.take(sealFor(ring, subject, data)) };
  }

  #unseal(subject: Subject, data: Uint8Array): Found {
    const { ring, nodes } = this.#parts.current;
    const blob = parseBlob(data);
    if (blob === undefined) return { outcome: 'invalid' };
    const key = ring.find(blob.keyId);
    const listed = nodes?.has(subject.node) !== false;
    const opened = unsealFor(listed && key !== undefined ? key.material : this.#decoy, subject, blob);
    if (!listed) return { outcome: 'not-listed', key };
    if (key === undefined) return { outcome: 'unknown-key' };
    return opened === undefined ? { outcome: 'not-authentic', key } : { outcome: 'ok', key, data: opened };
  }

  async #record(
    operation: Operation,
    { address, certificate }: Caller,
    request: KeyRequest,
    { outcome, key, turns = [] }: Found,
  ): Promise<Outcome> {
    const refused = Math.max(0, ...turns.map((turn) => turn.refused));
    // A flood would fill the disk: its first call is recorded, and with the first one after it how many there were.
    if (outcome === 'busy' || (outcome === 'rate-limited' && refused > 1)) return outcome;
    try {
      await this.#parts.audit.record({
        operation,
        outcome,
        peer: address,
        subject: certificate?.subject,
        node: request.nodeUuid.slice(0, 64),
        volume: request.volume.slice(0, maxVolumeLength),
        key: key?.id,
        retired: key?.state === 'retired' ? true : undefined,
        refusedBefore: outcome !== 'rate-limited' && refused > 0 ? refused : undefined,
      });
      return outcome;
    } catch (error) {
      this.#parts.onDefect(error);
      return 'not-recorded';
    }
  }
}

function isVolume(text: string): boolean {
  return text.length <= maxVolumeLength && !/[\p{C}\uFFFD]/u.test(text);
}
