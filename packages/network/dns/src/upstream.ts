import { isIP } from 'node:net';

import { DnsError } from './errors.ts';
import type { Message } from './message.ts';

/** Where questions are forwarded to. */
export type UpstreamAddress = {
  /** IPv4 or IPv6: no name, which somebody would have to look up. */
  readonly address: string;
  /** 53, 853 or 443 by default. */
  readonly port?: number;
  readonly protocol: 'Do53' | 'DoT' | 'DoH';
  /** In the certificate of DoT and DoH; required there. */
  readonly serverName?: string;
};

/** One that answers questions. */
export type Upstream = AsyncDisposable & {
  /** For people: `10.0.0.1`, `DoT 10.0.0.1 (dns.example)`. */
  readonly name: string;
  readonly at: Required<Pick<UpstreamAddress, 'address' | 'port' | 'protocol'>>;
  /**
   * @returns the answer, whose question and id are those of the query.
   * @throws {DnsError} when there is none; `signal.reason` when the signal fires.
   */
  ask(query: Message, signal: AbortSignal): Promise<Message>;
};

const ports = { Do53: 53, DoT: 853, DoH: 443 } as const;

/** What its name is and where it is, with the port of its protocol. */
export function placeOf({
  address,
  port,
  protocol,
  serverName,
}: UpstreamAddress): Pick<Upstream, 'name' | 'at'> {
  if (isIP(address) === 0) throw new DnsError('ERR_DNS_UNREACHABLE', `${address} is no address`);
  const at = { address, port: port ?? ports[protocol], protocol };
  const host =
    at.port === ports[protocol] ? address : `${isIP(address) === 6 ? `[${address}]` : address}:${at.port}`;
  return { at, name: protocol === 'Do53' ? host : `${protocol} ${host} (${serverName ?? ''})` };
}

/** @throws {DnsError} `ERR_DNS_MESSAGE` when the answer is to something else: it is not shown to the client. */
export function checkAnswer(query: Message, answer: Message): Message {
  const { name, type, class: ofClass } = answer.question;
  const isSame =
    name === query.question.name && type === query.question.type && ofClass === query.question.class;
  if (!answer.isResponse || !isSame)
    throw new DnsError('ERR_DNS_MESSAGE', 'an answer is to another question');
  return answer;
}
