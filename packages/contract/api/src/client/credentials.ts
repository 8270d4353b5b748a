import type { ChannelCredentials } from '@grpc/grpc-js';
import { grpc } from '../grpc.ts';
import type { TlsConnector } from './tls.ts';

/** A connector as grpc-js takes it: TLS is ours, for grpc-js keeps only a text of what went wrong. */
export function channelCredentials(connector: TlsConnector): ChannelCredentials {
  const library = grpc();
  class TlsCredentials extends library.ChannelCredentials {
    override _isSecure(): boolean {
      return true;
    }

    override _equals(other: ChannelCredentials): boolean {
      return this === other;
    }

    override _createSecureConnector(
      ...[, , callCredentials]: Parameters<ChannelCredentials['_createSecureConnector']>
    ): ReturnType<ChannelCredentials['_createSecureConnector']> {
      return {
        connect: async (socket) => ({ socket: await connector.secure(socket), secure: true }),
        waitForReady: () => Promise.resolve(),
        getCallCredentials: () => callCredentials ?? library.CallCredentials.createEmpty(),
        destroy: () => {},
      };
    }
  }
  return new TlsCredentials();
}
