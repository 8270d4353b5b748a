import type { Client } from '@grpc/grpc-js';
import { grpc } from '../grpc.ts';
import { channelCredentials } from './credentials.ts';
import { formatEndpoint } from './endpoint.ts';
import type { TlsConnector } from './tls.ts';

/** What may be on its way before we have read it: 64 KiB, the default, is 3 MB/s at a round trip of 20 ms. */
const windowBytes = 4 << 20;

/** A connection of grpc-js, made when its first call needs it. @param name `host:port`, which a socket of this computer has none of */
export function openChannel(name: string, connector: TlsConnector): Client {
  const library = grpc();
  const { address } = connector;
  const target = address.path === undefined ? `dns:${formatEndpoint(address)}` : formatEndpoint(address);
  return new library.Client(target, channelCredentials(connector), {
    'grpc.default_authority': address.path === undefined ? name : address.host,
    'grpc.max_receive_message_length': 32 * 1024 * 1024,
    'grpc-node.flow_control_window': windowBytes,
    'grpc.keepalive_time_ms': 20_000,
    // A node that waits for a slow disk, or overwrites on a small processor what it has collected, answers nobody meanwhile. The price:
    // a computer that is gone is missed after 80 s.
    'grpc.keepalive_timeout_ms': 60_000,
    'grpc.initial_reconnect_backoff_ms': 200,
    'grpc.max_reconnect_backoff_ms': 5_000,
    'grpc.use_local_subchannel_pool': 1, // the connection is this client's own and ends with it
    // A call that meets the end of its connection, and that no node has begun, is made on another one; of what a node has begun we decide.
    'grpc.service_config_disable_resolution': 1, // nor does whoever answers for DNS
    'grpc.enable_http_proxy': 0,
  });
}
