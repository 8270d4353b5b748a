// Written by packages/contract/api/src/generate.ts from proto/; `npm run generate` writes it again.
import protobuf from 'protobufjs/minimal.js';

const toBits = (value) => ({ low: Number(value & 0xffffffffn), high: Number((value >> 32n) & 0xffffffffn) });

// The library's own reader gives other types where it does not find the package long.
function readUnsigned(reader) {
  let [low, high] = [0, 0];
  for (let shift = 0; shift < 70; shift += 7) {
    if (reader.pos >= reader.len) throw new RangeError('message ends inside a field');
    const byte = reader.buf[reader.pos++];
    if (shift < 32) low |= (byte & 127) << shift;
    if (shift > 28) high |= (byte & 127) << (shift - 32);
    else if (shift === 28) high |= (byte & 127) >> 4;
    if (byte < 128) return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  }
  throw new RangeError('a number takes ten bytes at most');
}

const readSigned = (reader) => BigInt.asIntN(64, readUnsigned(reader));

function endOf(reader) {
  const length = reader.uint32();
  const end = reader.pos + length;
  if (end > reader.len) throw new RangeError('message ends inside a field');
  return end;
}

function readEntry(reader, record) {
  const end = endOf(reader);
  let key = '';
  let value = '';
  while (reader.pos < end) {
    const tag = reader.tag();
    if (tag === 10) key = reader.string();
    else if (tag === 18) value = reader.string();
    else reader.skipType(tag & 7, 0, tag >>> 3);
  }
  // Assignment would run the setter of a key like __proto__.
  Object.defineProperty(record, key, { value, enumerable: true, configurable: true, writable: true });
}

export const CompareResult = {
  EQUAL: 0,
  GREATER: 1,
  LESS: 2,
  NOT_EQUAL: 3,
};

export const CompareTarget = {
  VERSION: 0,
  CREATE: 1,
  MOD: 2,
};

export const AlarmType = {
  NONE: 0,
  NOSPACE: 1,
  CORRUPT: 2,
};

export const AlarmAction = {
  GET: 0,
  ACTIVATE: 1,
  DEACTIVATE: 2,
};

export const DowngradeAction = {
  VALIDATE: 0,
  ENABLE: 1,
  CANCEL: 2,
};

export const EventType = {
  PUT: 0,
  DELETE: 1,
};

export const ResponseHeader = {
  name: 'etcdserverpb.ResponseHeader',
  encode: (message) => writeResponseHeader(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readResponseHeader(reader, reader.len); },
};

function writeResponseHeader(message, writer) {
  if (!(message.clusterId === undefined || message.clusterId === 0n)) writer.uint32(8).uint64(toBits(message.clusterId));
  if (!(message.memberId === undefined || message.memberId === 0n)) writer.uint32(16).uint64(toBits(message.memberId));
  if (!(message.revision === undefined || message.revision === 0n)) writer.uint32(24).int64(toBits(message.revision));
  if (!(message.raftTerm === undefined || message.raftTerm === 0n)) writer.uint32(32).uint64(toBits(message.raftTerm));
  return writer;
}

function readResponseHeader(reader, end) {
  const message = { clusterId: 0n, memberId: 0n, revision: 0n, raftTerm: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.clusterId = readUnsigned(reader); break;
      case 16: message.memberId = readUnsigned(reader); break;
      case 24: message.revision = readSigned(reader); break;
      case 32: message.raftTerm = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KeyValue = {
  name: 'etcdserverpb.KeyValue',
  encode: (message) => writeKeyValue(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKeyValue(reader, reader.len); },
};

function writeKeyValue(message, writer) {
  if (!(message.key === undefined || message.key.length === 0)) writer.uint32(10).bytes(message.key);
  if (!(message.createRevision === undefined || message.createRevision === 0n)) writer.uint32(16).int64(toBits(message.createRevision));
  if (!(message.modRevision === undefined || message.modRevision === 0n)) writer.uint32(24).int64(toBits(message.modRevision));
  if (!(message.version === undefined || message.version === 0n)) writer.uint32(32).int64(toBits(message.version));
  if (!(message.value === undefined || message.value.length === 0)) writer.uint32(42).bytes(message.value);
  if (!(message.lease === undefined || message.lease === 0n)) writer.uint32(48).int64(toBits(message.lease));
  return writer;
}

function readKeyValue(reader, end) {
  const message = { key: new Uint8Array(), createRevision: 0n, modRevision: 0n, version: 0n, value: new Uint8Array(), lease: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.key = reader.bytes(); break;
      case 16: message.createRevision = readSigned(reader); break;
      case 24: message.modRevision = readSigned(reader); break;
      case 32: message.version = readSigned(reader); break;
      case 42: message.value = reader.bytes(); break;
      case 48: message.lease = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RangeRequest = {
  name: 'etcdserverpb.RangeRequest',
  encode: (message) => writeRangeRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRangeRequest(reader, reader.len); },
};

function writeRangeRequest(message, writer) {
  if (!(message.key === undefined || message.key.length === 0)) writer.uint32(10).bytes(message.key);
  if (!(message.rangeEnd === undefined || message.rangeEnd.length === 0)) writer.uint32(18).bytes(message.rangeEnd);
  if (!(message.limit === undefined || message.limit === 0n)) writer.uint32(24).int64(toBits(message.limit));
  if (!(message.revision === undefined || message.revision === 0n)) writer.uint32(32).int64(toBits(message.revision));
  if (!(message.serializable === undefined || message.serializable === false)) writer.uint32(56).bool(message.serializable);
  if (!(message.keysOnly === undefined || message.keysOnly === false)) writer.uint32(64).bool(message.keysOnly);
  if (!(message.countOnly === undefined || message.countOnly === false)) writer.uint32(72).bool(message.countOnly);
  return writer;
}

function readRangeRequest(reader, end) {
  const message = { key: new Uint8Array(), rangeEnd: new Uint8Array(), limit: 0n, revision: 0n, serializable: false, keysOnly: false, countOnly: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.key = reader.bytes(); break;
      case 18: message.rangeEnd = reader.bytes(); break;
      case 24: message.limit = readSigned(reader); break;
      case 32: message.revision = readSigned(reader); break;
      case 56: message.serializable = reader.bool(); break;
      case 64: message.keysOnly = reader.bool(); break;
      case 72: message.countOnly = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RangeResponse = {
  name: 'etcdserverpb.RangeResponse',
  encode: (message) => writeRangeResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRangeResponse(reader, reader.len); },
};

function writeRangeResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (message.kvs !== undefined) for (const item of message.kvs) writeKeyValue(item, writer.uint32(18).fork()).ldelim();
  if (!(message.more === undefined || message.more === false)) writer.uint32(24).bool(message.more);
  if (!(message.count === undefined || message.count === 0n)) writer.uint32(32).int64(toBits(message.count));
  return writer;
}

function readRangeResponse(reader, end) {
  const message = { kvs: [], more: false, count: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 18: message.kvs.push(readKeyValue(reader, endOf(reader))); break;
      case 24: message.more = reader.bool(); break;
      case 32: message.count = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const PutRequest = {
  name: 'etcdserverpb.PutRequest',
  encode: (message) => writePutRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readPutRequest(reader, reader.len); },
};

function writePutRequest(message, writer) {
  if (!(message.key === undefined || message.key.length === 0)) writer.uint32(10).bytes(message.key);
  if (!(message.value === undefined || message.value.length === 0)) writer.uint32(18).bytes(message.value);
  if (!(message.lease === undefined || message.lease === 0n)) writer.uint32(24).int64(toBits(message.lease));
  return writer;
}

function readPutRequest(reader, end) {
  const message = { key: new Uint8Array(), value: new Uint8Array(), lease: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.key = reader.bytes(); break;
      case 18: message.value = reader.bytes(); break;
      case 24: message.lease = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const PutResponse = {
  name: 'etcdserverpb.PutResponse',
  encode: (message) => writePutResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readPutResponse(reader, reader.len); },
};

function writePutResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readPutResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DeleteRangeRequest = {
  name: 'etcdserverpb.DeleteRangeRequest',
  encode: (message) => writeDeleteRangeRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDeleteRangeRequest(reader, reader.len); },
};

function writeDeleteRangeRequest(message, writer) {
  if (!(message.key === undefined || message.key.length === 0)) writer.uint32(10).bytes(message.key);
  if (!(message.rangeEnd === undefined || message.rangeEnd.length === 0)) writer.uint32(18).bytes(message.rangeEnd);
  return writer;
}

function readDeleteRangeRequest(reader, end) {
  const message = { key: new Uint8Array(), rangeEnd: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.key = reader.bytes(); break;
      case 18: message.rangeEnd = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DeleteRangeResponse = {
  name: 'etcdserverpb.DeleteRangeResponse',
  encode: (message) => writeDeleteRangeResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDeleteRangeResponse(reader, reader.len); },
};

function writeDeleteRangeResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.deleted === undefined || message.deleted === 0n)) writer.uint32(16).int64(toBits(message.deleted));
  return writer;
}

function readDeleteRangeResponse(reader, end) {
  const message = { deleted: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 16: message.deleted = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RequestOp = {
  name: 'etcdserverpb.RequestOp',
  encode: (message) => writeRequestOp(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRequestOp(reader, reader.len); },
};

function writeRequestOp(message, writer) {
  if (!(message.requestRange === undefined)) writeRangeRequest(message.requestRange, writer.uint32(10).fork()).ldelim();
  if (!(message.requestPut === undefined)) writePutRequest(message.requestPut, writer.uint32(18).fork()).ldelim();
  if (!(message.requestDeleteRange === undefined)) writeDeleteRangeRequest(message.requestDeleteRange, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readRequestOp(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.requestRange = readRangeRequest(reader, endOf(reader)); break;
      case 18: message.requestPut = readPutRequest(reader, endOf(reader)); break;
      case 26: message.requestDeleteRange = readDeleteRangeRequest(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ResponseOp = {
  name: 'etcdserverpb.ResponseOp',
  encode: (message) => writeResponseOp(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readResponseOp(reader, reader.len); },
};

function writeResponseOp(message, writer) {
  if (!(message.responseRange === undefined)) writeRangeResponse(message.responseRange, writer.uint32(10).fork()).ldelim();
  if (!(message.responsePut === undefined)) writePutResponse(message.responsePut, writer.uint32(18).fork()).ldelim();
  if (!(message.responseDeleteRange === undefined)) writeDeleteRangeResponse(message.responseDeleteRange, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readResponseOp(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.responseRange = readRangeResponse(reader, endOf(reader)); break;
      case 18: message.responsePut = readPutResponse(reader, endOf(reader)); break;
      case 26: message.responseDeleteRange = readDeleteRangeResponse(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Compare = {
  name: 'etcdserverpb.Compare',
  encode: (message) => writeCompare(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCompare(reader, reader.len); },
};

function writeCompare(message, writer) {
  if (!(message.result === undefined || message.result === 0)) writer.uint32(8).int32(message.result);
  if (!(message.target === undefined || message.target === 0)) writer.uint32(16).int32(message.target);
  if (!(message.key === undefined || message.key.length === 0)) writer.uint32(26).bytes(message.key);
  if (!(message.version === undefined)) writer.uint32(32).int64(toBits(message.version));
  if (!(message.createRevision === undefined)) writer.uint32(40).int64(toBits(message.createRevision));
  if (!(message.modRevision === undefined)) writer.uint32(48).int64(toBits(message.modRevision));
  return writer;
}

function readCompare(reader, end) {
  const message = { result: 0, target: 0, key: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.result = reader.int32(); break;
      case 16: message.target = reader.int32(); break;
      case 26: message.key = reader.bytes(); break;
      case 32: message.version = readSigned(reader); break;
      case 40: message.createRevision = readSigned(reader); break;
      case 48: message.modRevision = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const TxnRequest = {
  name: 'etcdserverpb.TxnRequest',
  encode: (message) => writeTxnRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readTxnRequest(reader, reader.len); },
};

function writeTxnRequest(message, writer) {
  if (message.compare !== undefined) for (const item of message.compare) writeCompare(item, writer.uint32(10).fork()).ldelim();
  if (message.success !== undefined) for (const item of message.success) writeRequestOp(item, writer.uint32(18).fork()).ldelim();
  if (message.failure !== undefined) for (const item of message.failure) writeRequestOp(item, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readTxnRequest(reader, end) {
  const message = { compare: [], success: [], failure: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.compare.push(readCompare(reader, endOf(reader))); break;
      case 18: message.success.push(readRequestOp(reader, endOf(reader))); break;
      case 26: message.failure.push(readRequestOp(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const TxnResponse = {
  name: 'etcdserverpb.TxnResponse',
  encode: (message) => writeTxnResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readTxnResponse(reader, reader.len); },
};

function writeTxnResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.succeeded === undefined || message.succeeded === false)) writer.uint32(16).bool(message.succeeded);
  if (message.responses !== undefined) for (const item of message.responses) writeResponseOp(item, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readTxnResponse(reader, end) {
  const message = { succeeded: false, responses: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 16: message.succeeded = reader.bool(); break;
      case 26: message.responses.push(readResponseOp(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CompactionRequest = {
  name: 'etcdserverpb.CompactionRequest',
  encode: (message) => writeCompactionRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCompactionRequest(reader, reader.len); },
};

function writeCompactionRequest(message, writer) {
  if (!(message.revision === undefined || message.revision === 0n)) writer.uint32(8).int64(toBits(message.revision));
  if (!(message.physical === undefined || message.physical === false)) writer.uint32(16).bool(message.physical);
  return writer;
}

function readCompactionRequest(reader, end) {
  const message = { revision: 0n, physical: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.revision = readSigned(reader); break;
      case 16: message.physical = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CompactionResponse = {
  name: 'etcdserverpb.CompactionResponse',
  encode: (message) => writeCompactionResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCompactionResponse(reader, reader.len); },
};

function writeCompactionResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readCompactionResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LeaseGrantRequest = {
  name: 'etcdserverpb.LeaseGrantRequest',
  encode: (message) => writeLeaseGrantRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLeaseGrantRequest(reader, reader.len); },
};

function writeLeaseGrantRequest(message, writer) {
  if (!(message.ttl === undefined || message.ttl === 0n)) writer.uint32(8).int64(toBits(message.ttl));
  if (!(message.id === undefined || message.id === 0n)) writer.uint32(16).int64(toBits(message.id));
  return writer;
}

function readLeaseGrantRequest(reader, end) {
  const message = { ttl: 0n, id: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.ttl = readSigned(reader); break;
      case 16: message.id = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LeaseGrantResponse = {
  name: 'etcdserverpb.LeaseGrantResponse',
  encode: (message) => writeLeaseGrantResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLeaseGrantResponse(reader, reader.len); },
};

function writeLeaseGrantResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.id === undefined || message.id === 0n)) writer.uint32(16).int64(toBits(message.id));
  if (!(message.ttl === undefined || message.ttl === 0n)) writer.uint32(24).int64(toBits(message.ttl));
  return writer;
}

function readLeaseGrantResponse(reader, end) {
  const message = { id: 0n, ttl: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 16: message.id = readSigned(reader); break;
      case 24: message.ttl = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LeaseRevokeRequest = {
  name: 'etcdserverpb.LeaseRevokeRequest',
  encode: (message) => writeLeaseRevokeRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLeaseRevokeRequest(reader, reader.len); },
};

function writeLeaseRevokeRequest(message, writer) {
  if (!(message.id === undefined || message.id === 0n)) writer.uint32(8).int64(toBits(message.id));
  return writer;
}

function readLeaseRevokeRequest(reader, end) {
  const message = { id: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.id = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LeaseRevokeResponse = {
  name: 'etcdserverpb.LeaseRevokeResponse',
  encode: (message) => writeLeaseRevokeResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLeaseRevokeResponse(reader, reader.len); },
};

function writeLeaseRevokeResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readLeaseRevokeResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LeaseKeepAliveRequest = {
  name: 'etcdserverpb.LeaseKeepAliveRequest',
  encode: (message) => writeLeaseKeepAliveRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLeaseKeepAliveRequest(reader, reader.len); },
};

function writeLeaseKeepAliveRequest(message, writer) {
  if (!(message.id === undefined || message.id === 0n)) writer.uint32(8).int64(toBits(message.id));
  return writer;
}

function readLeaseKeepAliveRequest(reader, end) {
  const message = { id: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.id = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LeaseKeepAliveResponse = {
  name: 'etcdserverpb.LeaseKeepAliveResponse',
  encode: (message) => writeLeaseKeepAliveResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLeaseKeepAliveResponse(reader, reader.len); },
};

function writeLeaseKeepAliveResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.id === undefined || message.id === 0n)) writer.uint32(16).int64(toBits(message.id));
  if (!(message.ttl === undefined || message.ttl === 0n)) writer.uint32(24).int64(toBits(message.ttl));
  return writer;
}

function readLeaseKeepAliveResponse(reader, end) {
  const message = { id: 0n, ttl: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 16: message.id = readSigned(reader); break;
      case 24: message.ttl = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Member = {
  name: 'etcdserverpb.Member',
  encode: (message) => writeMember(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMember(reader, reader.len); },
};

function writeMember(message, writer) {
  if (!(message.id === undefined || message.id === 0n)) writer.uint32(8).uint64(toBits(message.id));
  if (!(message.name === undefined || message.name === '')) writer.uint32(18).string(message.name);
  if (message.peerUrls !== undefined) for (const item of message.peerUrls) writer.uint32(26).string(item);
  if (message.clientUrls !== undefined) for (const item of message.clientUrls) writer.uint32(34).string(item);
  if (!(message.isLearner === undefined || message.isLearner === false)) writer.uint32(40).bool(message.isLearner);
  return writer;
}

function readMember(reader, end) {
  const message = { id: 0n, name: '', peerUrls: [], clientUrls: [], isLearner: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.id = readUnsigned(reader); break;
      case 18: message.name = reader.string(); break;
      case 26: message.peerUrls.push(reader.string()); break;
      case 34: message.clientUrls.push(reader.string()); break;
      case 40: message.isLearner = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemberAddRequest = {
  name: 'etcdserverpb.MemberAddRequest',
  encode: (message) => writeMemberAddRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemberAddRequest(reader, reader.len); },
};

function writeMemberAddRequest(message, writer) {
  if (message.peerUrls !== undefined) for (const item of message.peerUrls) writer.uint32(10).string(item);
  if (!(message.isLearner === undefined || message.isLearner === false)) writer.uint32(16).bool(message.isLearner);
  return writer;
}

function readMemberAddRequest(reader, end) {
  const message = { peerUrls: [], isLearner: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.peerUrls.push(reader.string()); break;
      case 16: message.isLearner = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemberAddResponse = {
  name: 'etcdserverpb.MemberAddResponse',
  encode: (message) => writeMemberAddResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemberAddResponse(reader, reader.len); },
};

function writeMemberAddResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.member === undefined)) writeMember(message.member, writer.uint32(18).fork()).ldelim();
  if (message.members !== undefined) for (const item of message.members) writeMember(item, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readMemberAddResponse(reader, end) {
  const message = { members: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 18: message.member = readMember(reader, endOf(reader)); break;
      case 26: message.members.push(readMember(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemberRemoveRequest = {
  name: 'etcdserverpb.MemberRemoveRequest',
  encode: (message) => writeMemberRemoveRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemberRemoveRequest(reader, reader.len); },
};

function writeMemberRemoveRequest(message, writer) {
  if (!(message.id === undefined || message.id === 0n)) writer.uint32(8).uint64(toBits(message.id));
  return writer;
}

function readMemberRemoveRequest(reader, end) {
  const message = { id: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.id = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemberRemoveResponse = {
  name: 'etcdserverpb.MemberRemoveResponse',
  encode: (message) => writeMemberRemoveResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemberRemoveResponse(reader, reader.len); },
};

function writeMemberRemoveResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (message.members !== undefined) for (const item of message.members) writeMember(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readMemberRemoveResponse(reader, end) {
  const message = { members: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 18: message.members.push(readMember(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemberUpdateRequest = {
  name: 'etcdserverpb.MemberUpdateRequest',
  encode: (message) => writeMemberUpdateRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemberUpdateRequest(reader, reader.len); },
};

function writeMemberUpdateRequest(message, writer) {
  if (!(message.id === undefined || message.id === 0n)) writer.uint32(8).uint64(toBits(message.id));
  if (message.peerUrls !== undefined) for (const item of message.peerUrls) writer.uint32(18).string(item);
  return writer;
}

function readMemberUpdateRequest(reader, end) {
  const message = { id: 0n, peerUrls: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.id = readUnsigned(reader); break;
      case 18: message.peerUrls.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemberUpdateResponse = {
  name: 'etcdserverpb.MemberUpdateResponse',
  encode: (message) => writeMemberUpdateResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemberUpdateResponse(reader, reader.len); },
};

function writeMemberUpdateResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (message.members !== undefined) for (const item of message.members) writeMember(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readMemberUpdateResponse(reader, end) {
  const message = { members: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 18: message.members.push(readMember(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemberListRequest = {
  name: 'etcdserverpb.MemberListRequest',
  encode: (message) => writeMemberListRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemberListRequest(reader, reader.len); },
};

function writeMemberListRequest(message, writer) {
  if (!(message.linearizable === undefined || message.linearizable === false)) writer.uint32(8).bool(message.linearizable);
  return writer;
}

function readMemberListRequest(reader, end) {
  const message = { linearizable: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.linearizable = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemberListResponse = {
  name: 'etcdserverpb.MemberListResponse',
  encode: (message) => writeMemberListResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemberListResponse(reader, reader.len); },
};

function writeMemberListResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (message.members !== undefined) for (const item of message.members) writeMember(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readMemberListResponse(reader, end) {
  const message = { members: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 18: message.members.push(readMember(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemberPromoteRequest = {
  name: 'etcdserverpb.MemberPromoteRequest',
  encode: (message) => writeMemberPromoteRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemberPromoteRequest(reader, reader.len); },
};

function writeMemberPromoteRequest(message, writer) {
  if (!(message.id === undefined || message.id === 0n)) writer.uint32(8).uint64(toBits(message.id));
  return writer;
}

function readMemberPromoteRequest(reader, end) {
  const message = { id: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.id = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemberPromoteResponse = {
  name: 'etcdserverpb.MemberPromoteResponse',
  encode: (message) => writeMemberPromoteResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemberPromoteResponse(reader, reader.len); },
};

function writeMemberPromoteResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (message.members !== undefined) for (const item of message.members) writeMember(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readMemberPromoteResponse(reader, end) {
  const message = { members: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 18: message.members.push(readMember(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AlarmRequest = {
  name: 'etcdserverpb.AlarmRequest',
  encode: (message) => writeAlarmRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAlarmRequest(reader, reader.len); },
};

function writeAlarmRequest(message, writer) {
  if (!(message.action === undefined || message.action === 0)) writer.uint32(8).int32(message.action);
  if (!(message.memberId === undefined || message.memberId === 0n)) writer.uint32(16).uint64(toBits(message.memberId));
  if (!(message.alarm === undefined || message.alarm === 0)) writer.uint32(24).int32(message.alarm);
  return writer;
}

function readAlarmRequest(reader, end) {
  const message = { action: 0, memberId: 0n, alarm: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.action = reader.int32(); break;
      case 16: message.memberId = readUnsigned(reader); break;
      case 24: message.alarm = reader.int32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AlarmMember = {
  name: 'etcdserverpb.AlarmMember',
  encode: (message) => writeAlarmMember(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAlarmMember(reader, reader.len); },
};

function writeAlarmMember(message, writer) {
  if (!(message.memberId === undefined || message.memberId === 0n)) writer.uint32(8).uint64(toBits(message.memberId));
  if (!(message.alarm === undefined || message.alarm === 0)) writer.uint32(16).int32(message.alarm);
  return writer;
}

function readAlarmMember(reader, end) {
  const message = { memberId: 0n, alarm: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.memberId = readUnsigned(reader); break;
      case 16: message.alarm = reader.int32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AlarmResponse = {
  name: 'etcdserverpb.AlarmResponse',
  encode: (message) => writeAlarmResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAlarmResponse(reader, reader.len); },
};

function writeAlarmResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (message.alarms !== undefined) for (const item of message.alarms) writeAlarmMember(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readAlarmResponse(reader, end) {
  const message = { alarms: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 18: message.alarms.push(readAlarmMember(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const StatusRequest = {
  name: 'etcdserverpb.StatusRequest',
  encode: (message) => writeStatusRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readStatusRequest(reader, reader.len); },
};

function writeStatusRequest(message, writer) {
  return writer;
}

function readStatusRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const StatusResponse = {
  name: 'etcdserverpb.StatusResponse',
  encode: (message) => writeStatusResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readStatusResponse(reader, reader.len); },
};

function writeStatusResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.version === undefined || message.version === '')) writer.uint32(18).string(message.version);
  if (!(message.dbSize === undefined || message.dbSize === 0n)) writer.uint32(24).int64(toBits(message.dbSize));
  if (!(message.leader === undefined || message.leader === 0n)) writer.uint32(32).uint64(toBits(message.leader));
  if (!(message.raftIndex === undefined || message.raftIndex === 0n)) writer.uint32(40).uint64(toBits(message.raftIndex));
  if (!(message.raftTerm === undefined || message.raftTerm === 0n)) writer.uint32(48).uint64(toBits(message.raftTerm));
  if (!(message.raftAppliedIndex === undefined || message.raftAppliedIndex === 0n)) writer.uint32(56).uint64(toBits(message.raftAppliedIndex));
  if (message.errors !== undefined) for (const item of message.errors) writer.uint32(66).string(item);
  if (!(message.dbSizeInUse === undefined || message.dbSizeInUse === 0n)) writer.uint32(72).int64(toBits(message.dbSizeInUse));
  if (!(message.isLearner === undefined || message.isLearner === false)) writer.uint32(80).bool(message.isLearner);
  if (!(message.storageVersion === undefined || message.storageVersion === '')) writer.uint32(90).string(message.storageVersion);
  if (!(message.dbSizeQuota === undefined || message.dbSizeQuota === 0n)) writer.uint32(96).int64(toBits(message.dbSizeQuota));
  return writer;
}

function readStatusResponse(reader, end) {
  const message = { version: '', dbSize: 0n, leader: 0n, raftIndex: 0n, raftTerm: 0n, raftAppliedIndex: 0n, errors: [], dbSizeInUse: 0n, isLearner: false, storageVersion: '', dbSizeQuota: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 18: message.version = reader.string(); break;
      case 24: message.dbSize = readSigned(reader); break;
      case 32: message.leader = readUnsigned(reader); break;
      case 40: message.raftIndex = readUnsigned(reader); break;
      case 48: message.raftTerm = readUnsigned(reader); break;
      case 56: message.raftAppliedIndex = readUnsigned(reader); break;
      case 66: message.errors.push(reader.string()); break;
      case 72: message.dbSizeInUse = readSigned(reader); break;
      case 80: message.isLearner = reader.bool(); break;
      case 90: message.storageVersion = reader.string(); break;
      case 96: message.dbSizeQuota = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DefragmentRequest = {
  name: 'etcdserverpb.DefragmentRequest',
  encode: (message) => writeDefragmentRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDefragmentRequest(reader, reader.len); },
};

function writeDefragmentRequest(message, writer) {
  return writer;
}

function readDefragmentRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DefragmentResponse = {
  name: 'etcdserverpb.DefragmentResponse',
  encode: (message) => writeDefragmentResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDefragmentResponse(reader, reader.len); },
};

function writeDefragmentResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readDefragmentResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const HashRequest = {
  name: 'etcdserverpb.HashRequest',
  encode: (message) => writeHashRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readHashRequest(reader, reader.len); },
};

function writeHashRequest(message, writer) {
  return writer;
}

function readHashRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const HashResponse = {
  name: 'etcdserverpb.HashResponse',
  encode: (message) => writeHashResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readHashResponse(reader, reader.len); },
};

function writeHashResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.hash === undefined || message.hash === 0)) writer.uint32(16).uint32(message.hash);
  return writer;
}

function readHashResponse(reader, end) {
  const message = { hash: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 16: message.hash = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const HashKVRequest = {
  name: 'etcdserverpb.HashKVRequest',
  encode: (message) => writeHashKVRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readHashKVRequest(reader, reader.len); },
};

function writeHashKVRequest(message, writer) {
  if (!(message.revision === undefined || message.revision === 0n)) writer.uint32(8).int64(toBits(message.revision));
  return writer;
}

function readHashKVRequest(reader, end) {
  const message = { revision: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.revision = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const HashKVResponse = {
  name: 'etcdserverpb.HashKVResponse',
  encode: (message) => writeHashKVResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readHashKVResponse(reader, reader.len); },
};

function writeHashKVResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.hash === undefined || message.hash === 0)) writer.uint32(16).uint32(message.hash);
  if (!(message.compactRevision === undefined || message.compactRevision === 0n)) writer.uint32(24).int64(toBits(message.compactRevision));
  return writer;
}

function readHashKVResponse(reader, end) {
  const message = { hash: 0, compactRevision: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 16: message.hash = reader.uint32(); break;
      case 24: message.compactRevision = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const SnapshotRequest = {
  name: 'etcdserverpb.SnapshotRequest',
  encode: (message) => writeSnapshotRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readSnapshotRequest(reader, reader.len); },
};

function writeSnapshotRequest(message, writer) {
  return writer;
}

function readSnapshotRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const SnapshotResponse = {
  name: 'etcdserverpb.SnapshotResponse',
  encode: (message) => writeSnapshotResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readSnapshotResponse(reader, reader.len); },
};

function writeSnapshotResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.remainingBytes === undefined || message.remainingBytes === 0n)) writer.uint32(16).uint64(toBits(message.remainingBytes));
  if (!(message.blob === undefined || message.blob.length === 0)) writer.uint32(26).bytes(message.blob);
  if (!(message.version === undefined || message.version === '')) writer.uint32(34).string(message.version);
  return writer;
}

function readSnapshotResponse(reader, end) {
  const message = { remainingBytes: 0n, blob: new Uint8Array(), version: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 16: message.remainingBytes = readUnsigned(reader); break;
      case 26: message.blob = reader.bytes(); break;
      case 34: message.version = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MoveLeaderRequest = {
  name: 'etcdserverpb.MoveLeaderRequest',
  encode: (message) => writeMoveLeaderRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMoveLeaderRequest(reader, reader.len); },
};

function writeMoveLeaderRequest(message, writer) {
  if (!(message.targetId === undefined || message.targetId === 0n)) writer.uint32(8).uint64(toBits(message.targetId));
  return writer;
}

function readMoveLeaderRequest(reader, end) {
  const message = { targetId: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.targetId = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MoveLeaderResponse = {
  name: 'etcdserverpb.MoveLeaderResponse',
  encode: (message) => writeMoveLeaderResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMoveLeaderResponse(reader, reader.len); },
};

function writeMoveLeaderResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readMoveLeaderResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DowngradeRequest = {
  name: 'etcdserverpb.DowngradeRequest',
  encode: (message) => writeDowngradeRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDowngradeRequest(reader, reader.len); },
};

function writeDowngradeRequest(message, writer) {
  if (!(message.action === undefined || message.action === 0)) writer.uint32(8).int32(message.action);
  if (!(message.version === undefined || message.version === '')) writer.uint32(18).string(message.version);
  return writer;
}

function readDowngradeRequest(reader, end) {
  const message = { action: 0, version: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.action = reader.int32(); break;
      case 18: message.version = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DowngradeResponse = {
  name: 'etcdserverpb.DowngradeResponse',
  encode: (message) => writeDowngradeResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDowngradeResponse(reader, reader.len); },
};

function writeDowngradeResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.version === undefined || message.version === '')) writer.uint32(18).string(message.version);
  return writer;
}

function readDowngradeResponse(reader, end) {
  const message = { version: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 18: message.version = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AuthenticateRequest = {
  name: 'etcdserverpb.AuthenticateRequest',
  encode: (message) => writeAuthenticateRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAuthenticateRequest(reader, reader.len); },
};

function writeAuthenticateRequest(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.password === undefined || message.password.length === 0)) writer.uint32(18).bytes(message.password);
  return writer;
}

function readAuthenticateRequest(reader, end) {
  const message = { name: '', password: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 18: message.password = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AuthenticateResponse = {
  name: 'etcdserverpb.AuthenticateResponse',
  encode: (message) => writeAuthenticateResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAuthenticateResponse(reader, reader.len); },
};

function writeAuthenticateResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.token === undefined || message.token === '')) writer.uint32(18).string(message.token);
  return writer;
}

function readAuthenticateResponse(reader, end) {
  const message = { token: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 18: message.token = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WatchRequest = {
  name: 'etcdserverpb.WatchRequest',
  encode: (message) => writeWatchRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWatchRequest(reader, reader.len); },
};

function writeWatchRequest(message, writer) {
  if (!(message.createRequest === undefined)) writeWatchCreateRequest(message.createRequest, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readWatchRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.createRequest = readWatchCreateRequest(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WatchCreateRequest = {
  name: 'etcdserverpb.WatchCreateRequest',
  encode: (message) => writeWatchCreateRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWatchCreateRequest(reader, reader.len); },
};

function writeWatchCreateRequest(message, writer) {
  if (!(message.key === undefined || message.key.length === 0)) writer.uint32(10).bytes(message.key);
  if (!(message.rangeEnd === undefined || message.rangeEnd.length === 0)) writer.uint32(18).bytes(message.rangeEnd);
  if (!(message.startRevision === undefined || message.startRevision === 0n)) writer.uint32(24).int64(toBits(message.startRevision));
  if (!(message.progressNotify === undefined || message.progressNotify === false)) writer.uint32(32).bool(message.progressNotify);
  if (!(message.prevKv === undefined || message.prevKv === false)) writer.uint32(48).bool(message.prevKv);
  return writer;
}

function readWatchCreateRequest(reader, end) {
  const message = { key: new Uint8Array(), rangeEnd: new Uint8Array(), startRevision: 0n, progressNotify: false, prevKv: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.key = reader.bytes(); break;
      case 18: message.rangeEnd = reader.bytes(); break;
      case 24: message.startRevision = readSigned(reader); break;
      case 32: message.progressNotify = reader.bool(); break;
      case 48: message.prevKv = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WatchResponse = {
  name: 'etcdserverpb.WatchResponse',
  encode: (message) => writeWatchResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWatchResponse(reader, reader.len); },
};

function writeWatchResponse(message, writer) {
  if (!(message.header === undefined)) writeResponseHeader(message.header, writer.uint32(10).fork()).ldelim();
  if (!(message.watchId === undefined || message.watchId === 0n)) writer.uint32(16).int64(toBits(message.watchId));
  if (!(message.created === undefined || message.created === false)) writer.uint32(24).bool(message.created);
  if (!(message.canceled === undefined || message.canceled === false)) writer.uint32(32).bool(message.canceled);
  if (!(message.compactRevision === undefined || message.compactRevision === 0n)) writer.uint32(40).int64(toBits(message.compactRevision));
  if (!(message.cancelReason === undefined || message.cancelReason === '')) writer.uint32(50).string(message.cancelReason);
  if (message.events !== undefined) for (const item of message.events) writeEvent(item, writer.uint32(90).fork()).ldelim();
  return writer;
}

function readWatchResponse(reader, end) {
  const message = { watchId: 0n, created: false, canceled: false, compactRevision: 0n, cancelReason: '', events: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.header = readResponseHeader(reader, endOf(reader)); break;
      case 16: message.watchId = readSigned(reader); break;
      case 24: message.created = reader.bool(); break;
      case 32: message.canceled = reader.bool(); break;
      case 40: message.compactRevision = readSigned(reader); break;
      case 50: message.cancelReason = reader.string(); break;
      case 90: message.events.push(readEvent(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Event = {
  name: 'etcdserverpb.Event',
  encode: (message) => writeEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readEvent(reader, reader.len); },
};

function writeEvent(message, writer) {
  if (!(message.type === undefined || message.type === 0)) writer.uint32(8).int32(message.type);
  if (!(message.kv === undefined)) writeKeyValue(message.kv, writer.uint32(18).fork()).ldelim();
  if (!(message.prevKv === undefined)) writeKeyValue(message.prevKv, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readEvent(reader, end) {
  const message = { type: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.type = reader.int32(); break;
      case 18: message.kv = readKeyValue(reader, endOf(reader)); break;
      case 26: message.prevKv = readKeyValue(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

const method = (path, requestStream, responseStream, request, response) => ({
  path,
  requestStream,
  responseStream,
  requestSerialize: request.encode,
  requestDeserialize: request.decode,
  responseSerialize: response.encode,
  responseDeserialize: response.decode,
});

export const KV = {
  range: method('/etcdserverpb.KV/Range', false, false, RangeRequest, RangeResponse),
  put: method('/etcdserverpb.KV/Put', false, false, PutRequest, PutResponse),
  deleteRange: method('/etcdserverpb.KV/DeleteRange', false, false, DeleteRangeRequest, DeleteRangeResponse),
  txn: method('/etcdserverpb.KV/Txn', false, false, TxnRequest, TxnResponse),
  compact: method('/etcdserverpb.KV/Compact', false, false, CompactionRequest, CompactionResponse),
};

export const Watch = {
  watch: method('/etcdserverpb.Watch/Watch', false, true, WatchRequest, WatchResponse),
};

export const Lease = {
  leaseGrant: method('/etcdserverpb.Lease/LeaseGrant', false, false, LeaseGrantRequest, LeaseGrantResponse),
  leaseRevoke: method('/etcdserverpb.Lease/LeaseRevoke', false, false, LeaseRevokeRequest, LeaseRevokeResponse),
  leaseKeepAlive: method('/etcdserverpb.Lease/LeaseKeepAlive', false, false, LeaseKeepAliveRequest, LeaseKeepAliveResponse),
};

export const Cluster = {
  memberAdd: method('/etcdserverpb.Cluster/MemberAdd', false, false, MemberAddRequest, MemberAddResponse),
  memberRemove: method('/etcdserverpb.Cluster/MemberRemove', false, false, MemberRemoveRequest, MemberRemoveResponse),
  memberUpdate: method('/etcdserverpb.Cluster/MemberUpdate', false, false, MemberUpdateRequest, MemberUpdateResponse),
  memberList: method('/etcdserverpb.Cluster/MemberList', false, false, MemberListRequest, MemberListResponse),
  memberPromote: method('/etcdserverpb.Cluster/MemberPromote', false, false, MemberPromoteRequest, MemberPromoteResponse),
};

export const Maintenance = {
  alarm: method('/etcdserverpb.Maintenance/Alarm', false, false, AlarmRequest, AlarmResponse),
  status: method('/etcdserverpb.Maintenance/Status', false, false, StatusRequest, StatusResponse),
  defragment: method('/etcdserverpb.Maintenance/Defragment', false, false, DefragmentRequest, DefragmentResponse),
  hash: method('/etcdserverpb.Maintenance/Hash', false, false, HashRequest, HashResponse),
  hashKV: method('/etcdserverpb.Maintenance/HashKV', false, false, HashKVRequest, HashKVResponse),
  snapshot: method('/etcdserverpb.Maintenance/Snapshot', false, true, SnapshotRequest, SnapshotResponse),
  moveLeader: method('/etcdserverpb.Maintenance/MoveLeader', false, false, MoveLeaderRequest, MoveLeaderResponse),
  downgrade: method('/etcdserverpb.Maintenance/Downgrade', false, false, DowngradeRequest, DowngradeResponse),
};

export const Auth = {
  authenticate: method('/etcdserverpb.Auth/Authenticate', false, false, AuthenticateRequest, AuthenticateResponse),
};
