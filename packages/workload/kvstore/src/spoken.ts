import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';

import type { Endpoint } from './endpoint.ts';

/** Only who is there at once is asked; this is for a better message. */
const timeoutMs = 1_000;
/** What a client of HTTP/2 begins with (RFC 9113, 3.4), and settings without any. */
const preface = Buffer.concat([
  Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'),
  Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]),
]);

/**
 * What a server speaks at an endpoint that we could not talk to, whatever the endpoint says; undefined without an answer that
 * is recognised. No secret is sent, and no answer believed.
 */
export async function speaks(endpoint: Endpoint): Promise<'tls' | 'plain' | undefined> {
  return endpoint.tls ? await plain(endpoint) : await tls(endpoint);
}

async function plain({ host, port }: Endpoint): Promise<'plain' | undefined> {
  const { promise, resolve } = Promise.withResolvers<'plain' | undefined>();
  const socket = connect({ host, port, timeout: timeoutMs });
  socket.once('connect', () => void socket.write(preface));
  // Settings, or a server that does not know HTTP/2; an alert of TLS begins otherwise.
  socket.once('data', (bytes) => {
    const text = bytes.toString('latin1');
    resolve(bytes[3] === 4 || text.startsWith('HTTP/1.') ? 'plain' : undefined);
  });
  for (const event of ['error', 'close', 'timeout']) socket.once(event, () => resolve(undefined));
  try {
    return await promise;
  } finally {
    socket.destroy();
    socket.on('error', () => {});
  }
}

async function tls({ host, port }: Endpoint): Promise<'tls' | undefined> {
  const { promise, resolve } = Promise.withResolvers<'tls' | undefined>();
  const socket = connectTls({
    host,
    port,
    timeout: timeoutMs,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  });
  socket.once('secureConnect', () => resolve('tls'));
  // An alert is spoken in TLS, too.
  socket.on('error', (error) => {
    resolve('code' in error && String(error.code).includes('_ALERT_') ? 'tls' : undefined);
  });
  for (const event of ['close', 'timeout']) socket.once(event, () => resolve(undefined));
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}
