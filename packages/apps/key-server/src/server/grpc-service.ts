import { Server as GrpcServer, type ServerUnaryCall, type sendUnaryData, status } from '@grpc/grpc-js';
import { X509Certificate } from 'node:crypto';

import { encodeResponse, KMSService, type Request, type ResponseInit } from '@nodecore/kms/protocol';
import { nodesOf, subjectOf } from './identity.ts';
import type { Caller, KeyService, Operation } from './key-service.ts';
import { answers } from './outcome.ts';
import { patience, type PatienceParts as CallLimits } from './patience.ts';
import { addressOf } from './peer.ts';

type Call = ServerUnaryCall<Request, ResponseInit>;
type Done = sendUnaryData<ResponseInit>;

/** A server that answers the public protocol, and listens nowhere yet. */
export function grpcServer(service: KeyService, limits: CallLimits): GrpcServer {
  const server = new GrpcServer({
    interceptors: [patience(limits)],
    // A request has some 150 bytes. Whatever a client could have from another server is read and told apart.
    'grpc.max_receive_message_length': 70_000,
    'grpc.max_send_message_length': 4096,
    'grpc.max_concurrent_streams': 32,
    'grpc.max_connection_idle_ms': 60_000,
    'grpc.max_connection_age_ms': 300_000, // a certificate that has ended meanwhile is looked at again
    'grpc.max_connection_age_grace_ms': 10_000,
    'grpc.keepalive_time_ms': 60_000,
    'grpc.keepalive_timeout_ms': 20_000,
    'grpc.enable_channelz': 0,
  });
  server.addService(definition, {
    seal: (call: Call, done: Done) => void answer(service, 'seal', call, done),
    unseal: (call: Call, done: Done) => void answer(service, 'unseal', call, done),
  });
  return server;
}

/** Encoding is the last that is needed of an answer's bytes, and of those the copy that grpc-js makes of them to send. */
function encodeAndWipe(response: ResponseInit): Buffer {
  const encoded = encodeResponse(response.data);
  response.data?.fill(0);
  const { bytes } = encoded;
  const copy: Buffer['copy'] = (...where) => {
    const size = Buffer.prototype.copy.call(bytes, ...where);
    encoded[Symbol.dispose]();
    return size;
  };
  return Object.assign(bytes, { copy });
}

const definition = {
  seal: { ...KMSService.seal, responseSerialize: encodeAndWipe },
  unseal: { ...KMSService.unseal, responseSerialize: encodeAndWipe },
};

async function answer(service: KeyService, operation: Operation, call: Call, done: Done): Promise<void> {
  const { outcome, data } = await service.handle(operation, () => callerOf(call), call.request);
  call.request.data.fill(0);
  if (data !== undefined) {
    done(null, { data: data.bytes });
    if (call.cancelled) data[Symbol.dispose](); // nothing is encoded for a caller who went away
    return;
  }
  const { status: name, words } = answers[outcome === 'ok' ? 'failed' : outcome];
  done({ code: status[name], details: words });
}

function callerOf(call: Call): Caller {
  const raw = call.getAuthContext().sslPeerCertificate?.raw;
  const address = addressOf(call.getPeer());
  if (raw === undefined) return { address, certificate: undefined };
  const certificate = new X509Certificate(raw);
  return { address, certificate: { subject: subjectOf(certificate), nodes: nodesOf(certificate) } };
}
