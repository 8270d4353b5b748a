import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIP } from 'node:net';

import { onAbort } from '@nodecore/waiting';

import { DnsError } from './errors.ts';
import { Message } from './message.ts';
import { StreamUpstream } from './stream-upstream.ts';
import { checkAnswer, placeOf, type Upstream, type UpstreamAddress } from './upstream.ts';

/** Plain DNS: over UDP, and over TCP what does not fit. */
export function plainUpstream(address: UpstreamAddress): Upstream {
  const { name, at } = placeOf({ ...address, protocol: 'Do53' });
  const stream = new StreamUpstream({ name, at, connect: () => connect(at.port, at.address) });
  return {
    name,
    at,
    ask: async (query, signal) => {
      const answer = await askOverUdp(at, query, signal);
      return answer.isTruncated ? await stream.ask(query, signal) : answer;
    },
    [Symbol.asyncDispose]: () => stream[Symbol.asyncDispose](),
  };
}

/**
 * A socket for each question: its port, which the kernel chooses, is as hard to guess as the id, and only the address that was
 * asked is heard. What is not the answer is passed over.
 */
async function askOverUdp(at: Upstream['at'], query: Message, signal: AbortSignal): Promise<Message> {
  signal.throwIfAborted();
  const socket = createSocket(isIP(at.address) === 6 ? 'udp6' : 'udp4');
  const { promise, resolve, reject } = Promise.withResolvers<Message>();
  using _listener = onAbort(signal, () => reject(signal.reason));
  try {
    const bytes = Buffer.from(query.bytes);
    const id = randomInt(0x1_0000);
    bytes.writeUInt16BE(id, 0);
    socket.on('error', (error) =>
      reject(new DnsError('ERR_DNS_UNREACHABLE', `${at.address}: ${error.message}`, { cause: error })),
    );
    socket.on('message', (datagram) => {
      try {
        const answer = new Message(datagram);
        if (answer.id !== id) return;
        resolve(new Message(checkAnswer(query, answer).answerTo(query)));
      } catch {
        // forged, or cut on its way: the answer may still come
      }
    });
    socket.on('connect', () => socket.send(bytes));
    socket.connect(at.port, at.address);
    return await promise;
  } finally {
    socket.close();
  }
}
