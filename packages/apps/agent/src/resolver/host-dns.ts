import { rootCertificates } from 'node:tls';

import {
  checkLoop,
  Forwarder,
  httpsUpstream,
  plainUpstream,
  Stub,
  tlsUpstream,
  type StubAddress,
  type Upstream,
  type UpstreamAddress,
  type UpstreamHealth,
} from '@nodecore/dns';

/** Where programs of the node ask. */
export const hostDnsAddress: StubAddress = { address: '127.0.0.53', port: 53 };

/** The node's own resolver: none, or one in front of those that are wanted. */
export class HostDns implements AsyncDisposable {
  readonly #address: StubAddress;
  readonly #forwarder = new Forwarder();
  #stub: Stub | undefined;
  /** What is asked now, as text. */
  #asked = '';

  constructor(address: StubAddress = hostDnsAddress) {
    this.#address = address;
  }

  /** Where it answers; undefined while it does not. */
  get address(): StubAddress | undefined {
    return this.#stub?.address;
  }

  get health(): readonly UpstreamHealth[] {
    return this.#stub === undefined ? [] : this.#forwarder.health;
  }

  /**
   * Answers by asking these.
   *
   * @param authorities PEM, trusted beside those that Node.js trusts.
   * @throws {DnsError} `ERR_DNS_LOOP`. @throws {Error} `EADDRINUSE`, `EACCES`.
   */
  async answer(addresses: readonly UpstreamAddress[], authorities: readonly string[] = []): Promise<void> {
    checkLoop(addresses, [this.#address]);
    this.#stub ??= await Stub.listen(this.#address, this.#forwarder);
    const asked = JSON.stringify([addresses, authorities]);
    if (asked === this.#asked) return; // connections and what is kept stay
    const trusted = { authorities: [...rootCertificates, ...authorities] };
    await this.#forwarder.use(addresses.map((address) => upstreamOf(address, trusted)));
    this.#asked = asked;
  }

  /** Answers nobody. */
  async stop(): Promise<void> {
    const stub = this.#stub;
    this.#stub = undefined;
    this.#asked = '';
    await stub?.[Symbol.asyncDispose]();
    await this.#forwarder.use([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }
}

function upstreamOf(
  address: UpstreamAddress,
  options: { readonly authorities: readonly string[] },
): Upstream {
  if (address.protocol === 'DoT') return tlsUpstream(address, options);
  return address.protocol === 'DoH' ? httpsUpstream(address, options) : plainUpstream(address);
}
