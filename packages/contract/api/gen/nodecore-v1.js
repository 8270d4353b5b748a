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

export const CaptureFormat = {
  UNSPECIFIED: 0,
  PCAP: 1,
  PCAPNG: 2,
};

export const CaptureDirection = {
  UNSPECIFIED: 0,
  IN: 1,
  OUT: 2,
};

export const CaptureEnd = {
  UNSPECIFIED: 0,
  STOPPED: 1,
  DURATION: 2,
  PACKETS: 3,
  BYTES: 4,
  SPACE: 5,
  FAILED: 6,
};

export const PressureSort = {
  UNSPECIFIED: 0,
  CPU: 1,
  MEMORY: 2,
  IO: 3,
  IRQ: 4,
};

export const SequenceAction = {
  NOOP: 0,
  START: 1,
  STOP: 2,
};

export const StepAction = {
  START: 0,
  STOP: 1,
};

export const SequenceErrorCode = {
  FATAL: 0,
  LOCKED: 1,
  CANCELED: 2,
};

export const ServiceAction = {
  INITIALIZED: 0,
  PREPARING: 1,
  WAITING: 2,
  RUNNING: 3,
  STOPPING: 4,
  FINISHED: 5,
  FAILED: 6,
  SKIPPED: 7,
  STARTING: 8,
};

export const MachineStage = {
  UNKNOWN: 0,
  BOOTING: 1,
  INSTALLING: 2,
  MAINTENANCE: 3,
  RUNNING: 4,
  REBOOTING: 5,
  SHUTTING_DOWN: 6,
  RESETTING: 7,
  UPGRADING: 8,
};

export const FileType = {
  UNSPECIFIED: 0,
  REGULAR: 1,
  DIRECTORY: 2,
  SYMLINK: 3,
  FIFO: 4,
  SOCKET: 5,
  CHARACTER_DEVICE: 6,
  BLOCK_DEVICE: 7,
};

export const DependencyType = {
  OUTPUT_EXCLUSIVE: 0,
  INPUT_STRONG: 1,
  INPUT_WEAK: 2,
  OUTPUT_SHARED: 3,
  INPUT_DESTROY_READY: 4,
  NEED: 5,
};

export const HealthState = {
  UNSPECIFIED: 0,
  OK: 1,
  FAILED: 2,
  SKIPPED: 3,
};

export const KvstoreAlarmType = {
  UNSPECIFIED: 0,
  NOSPACE: 1,
  CORRUPT: 2,
};

export const DefragmentState = {
  UNSPECIFIED: 0,
  PLANNED: 1,
  WAITING: 2,
  RUNNING: 3,
  DONE: 4,
  SKIPPED: 5,
  SETTLING: 6,
};

export const DowngradeAction = {
  UNSPECIFIED: 0,
  VALIDATE: 1,
  ENABLE: 2,
  CANCEL: 3,
};

export const UpgradePhase = {
  UNSPECIFIED: 0,
  PULL: 1,
  VERIFY: 2,
  SPACE: 3,
  WRITE: 4,
  PROVE: 5,
  SWITCH: 6,
};

export const RebootMode = {
  DEFAULT: 0,
  POWERCYCLE: 1,
  FORCE: 2,
};

export const ApplyMode = {
  UNSPECIFIED: 0,
  AUTO: 1,
  NO_REBOOT: 2,
  STAGED: 3,
  TRY: 4,
};

export const EventType = {
  UNSPECIFIED: 0,
  CREATED: 1,
  UPDATED: 2,
  DESTROYED: 3,
  BOOTSTRAPPED: 4,
  ERRORED: 5,
};

export const Phase = {
  UNSPECIFIED: 0,
  RUNNING: 1,
  TEARING_DOWN: 2,
};

export const SocketFilter = {
  ALL: 0,
  CONNECTED: 1,
  LISTENING: 2,
};

export const SocketState = {
  RESERVED: 0,
  ESTABLISHED: 1,
  SYN_SENT: 2,
  SYN_RECV: 3,
  FIN_WAIT1: 4,
  FIN_WAIT2: 5,
  TIME_WAIT: 6,
  CLOSE: 7,
  CLOSE_WAIT: 8,
  LAST_ACK: 9,
  LISTEN: 10,
  CLOSING: 11,
  NEW_SYN_RECV: 12,
};

export const SocketTimer = {
  OFF: 0,
  ON: 1,
  KEEPALIVE: 2,
  TIMEWAIT: 3,
  PROBE: 4,
};

export const WipeMethod = {
  FAST: 0,
  ZEROES: 1,
};

export const WipeState = {
  UNSPECIFIED: 0,
  PLANNED: 1,
  RUNNING: 2,
  DONE: 3,
  FAILED: 4,
};

export const ResetMode = {
  ALL: 0,
  SYSTEM_DISK: 1,
  USER_DISKS: 2,
};

export const ResetStep = {
  UNSPECIFIED: 0,
  PLANNED: 1,
  LEAVING: 2,
  CLOSING: 3,
  WIPING: 4,
  DONE: 5,
  FAILED: 6,
};

export const TrimState = {
  UNSPECIFIED: 0,
  PLANNED: 1,
  QUEUED: 2,
  RUNNING: 3,
  PAUSED: 4,
  DONE: 5,
  SKIPPED: 6,
  FAILED: 7,
};

export const RotationState = {
  UNSPECIFIED: 0,
  PLANNED: 1,
  RUNNING: 2,
  DONE: 3,
  SKIPPED: 4,
  FAILED: 5,
};

export const CaptureRequest = {
  name: 'nodecore.v1.CaptureRequest',
  encode: (message) => writeCaptureRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureRequest(reader, reader.len); },
};

function writeCaptureRequest(message, writer) {
  if (message.interfaces !== undefined) for (const item of message.interfaces) writer.uint32(10).string(item);
  if (!(message.promiscuous === undefined || message.promiscuous === false)) writer.uint32(16).bool(message.promiscuous);
  if (!(message.snapLength === undefined || message.snapLength === 0)) writer.uint32(24).uint32(message.snapLength);
  if (!(message.filter === undefined || message.filter === '')) writer.uint32(34).string(message.filter);
  if (message.instructions !== undefined) for (const item of message.instructions) writeCaptureInstruction(item, writer.uint32(42).fork()).ldelim();
  if (!(message.direction === undefined || message.direction === 0)) writer.uint32(48).int32(message.direction);
  if (!(message.durationMillis === undefined || message.durationMillis === 0)) writer.uint32(56).uint32(message.durationMillis);
  if (!(message.packets === undefined || message.packets === 0n)) writer.uint32(64).uint64(toBits(message.packets));
  if (!(message.bytes === undefined || message.bytes === 0n)) writer.uint32(72).uint64(toBits(message.bytes));
  if (!(message.format === undefined || message.format === 0)) writer.uint32(80).int32(message.format);
  if (!(message.includeApiTraffic === undefined || message.includeApiTraffic === false)) writer.uint32(88).bool(message.includeApiTraffic);
  if (!(message.file === undefined)) writeCaptureFile(message.file, writer.uint32(98).fork()).ldelim();
  if (!(message.owners === undefined || message.owners === false)) writer.uint32(104).bool(message.owners);
  return writer;
}

function readCaptureRequest(reader, end) {
  const message = { interfaces: [], promiscuous: false, snapLength: 0, filter: '', instructions: [], direction: 0, durationMillis: 0, packets: 0n, bytes: 0n, format: 0, includeApiTraffic: false, owners: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.interfaces.push(reader.string()); break;
      case 16: message.promiscuous = reader.bool(); break;
      case 24: message.snapLength = reader.uint32(); break;
      case 34: message.filter = reader.string(); break;
      case 42: message.instructions.push(readCaptureInstruction(reader, endOf(reader))); break;
      case 48: message.direction = reader.int32(); break;
      case 56: message.durationMillis = reader.uint32(); break;
      case 64: message.packets = readUnsigned(reader); break;
      case 72: message.bytes = readUnsigned(reader); break;
      case 80: message.format = reader.int32(); break;
      case 88: message.includeApiTraffic = reader.bool(); break;
      case 98: message.file = readCaptureFile(reader, endOf(reader)); break;
      case 104: message.owners = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureInstruction = {
  name: 'nodecore.v1.CaptureInstruction',
  encode: (message) => writeCaptureInstruction(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureInstruction(reader, reader.len); },
};

function writeCaptureInstruction(message, writer) {
  if (!(message.code === undefined || message.code === 0)) writer.uint32(8).uint32(message.code);
  if (!(message.jt === undefined || message.jt === 0)) writer.uint32(16).uint32(message.jt);
  if (!(message.jf === undefined || message.jf === 0)) writer.uint32(24).uint32(message.jf);
  if (!(message.k === undefined || message.k === 0)) writer.uint32(32).uint32(message.k);
  return writer;
}

function readCaptureInstruction(reader, end) {
  const message = { code: 0, jt: 0, jf: 0, k: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.code = reader.uint32(); break;
      case 16: message.jt = reader.uint32(); break;
      case 24: message.jf = reader.uint32(); break;
      case 32: message.k = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureFile = {
  name: 'nodecore.v1.CaptureFile',
  encode: (message) => writeCaptureFile(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureFile(reader, reader.len); },
};

function writeCaptureFile(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.nextBytes === undefined || message.nextBytes === 0n)) writer.uint32(16).uint64(toBits(message.nextBytes));
  if (!(message.keep === undefined || message.keep === 0)) writer.uint32(24).uint32(message.keep);
  return writer;
}

function readCaptureFile(reader, end) {
  const message = { name: '', nextBytes: 0n, keep: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 16: message.nextBytes = readUnsigned(reader); break;
      case 24: message.keep = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureResponse = {
  name: 'nodecore.v1.CaptureResponse',
  encode: (message) => writeCaptureResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureResponse(reader, reader.len); },
};

function writeCaptureResponse(message, writer) {
  if (!(message.start === undefined)) writeCaptureStart(message.start, writer.uint32(10).fork()).ldelim();
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(18).bytes(message.data);
  if (!(message.progress === undefined)) writeCaptureCounts(message.progress, writer.uint32(26).fork()).ldelim();
  if (!(message.report === undefined)) writeCaptureReport(message.report, writer.uint32(34).fork()).ldelim();
  return writer;
}

function readCaptureResponse(reader, end) {
  const message = { data: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.start = readCaptureStart(reader, endOf(reader)); break;
      case 18: message.data = reader.bytes(); break;
      case 26: message.progress = readCaptureCounts(reader, endOf(reader)); break;
      case 34: message.report = readCaptureReport(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureStart = {
  name: 'nodecore.v1.CaptureStart',
  encode: (message) => writeCaptureStart(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureStart(reader, reader.len); },
};

function writeCaptureStart(message, writer) {
  if (!(message.id === undefined || message.id === '')) writer.uint32(10).string(message.id);
  if (!(message.format === undefined || message.format === 0)) writer.uint32(16).int32(message.format);
  if (message.sources !== undefined) for (const item of message.sources) writeCaptureSource(item, writer.uint32(26).fork()).ldelim();
  if (!(message.header === undefined || message.header.length === 0)) writer.uint32(34).bytes(message.header);
  if (!(message.path === undefined || message.path === '')) writer.uint32(42).string(message.path);
  return writer;
}

function readCaptureStart(reader, end) {
  const message = { id: '', format: 0, sources: [], header: new Uint8Array(), path: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.id = reader.string(); break;
      case 16: message.format = reader.int32(); break;
      case 26: message.sources.push(readCaptureSource(reader, endOf(reader))); break;
      case 34: message.header = reader.bytes(); break;
      case 42: message.path = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureSource = {
  name: 'nodecore.v1.CaptureSource',
  encode: (message) => writeCaptureSource(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureSource(reader, reader.len); },
};

function writeCaptureSource(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.linkType === undefined || message.linkType === 0)) writer.uint32(16).uint32(message.linkType);
  if (!(message.snapLength === undefined || message.snapLength === 0)) writer.uint32(24).uint32(message.snapLength);
  if (!(message.program === undefined || message.program === '')) writer.uint32(34).string(message.program);
  return writer;
}

function readCaptureSource(reader, end) {
  const message = { name: '', linkType: 0, snapLength: 0, program: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 16: message.linkType = reader.uint32(); break;
      case 24: message.snapLength = reader.uint32(); break;
      case 34: message.program = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureCounts = {
  name: 'nodecore.v1.CaptureCounts',
  encode: (message) => writeCaptureCounts(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureCounts(reader, reader.len); },
};

function writeCaptureCounts(message, writer) {
  if (!(message.seen === undefined || message.seen === 0n)) writer.uint32(8).uint64(toBits(message.seen));
  if (!(message.received === undefined || message.received === 0n)) writer.uint32(16).uint64(toBits(message.received));
  if (!(message.dropped === undefined || message.dropped === 0n)) writer.uint32(24).uint64(toBits(message.dropped));
  if (!(message.truncated === undefined)) writer.uint32(32).uint64(toBits(message.truncated));
  if (!(message.bytes === undefined || message.bytes === 0n)) writer.uint32(40).uint64(toBits(message.bytes));
  return writer;
}

function readCaptureCounts(reader, end) {
  const message = { seen: 0n, received: 0n, dropped: 0n, bytes: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.seen = readUnsigned(reader); break;
      case 16: message.received = readUnsigned(reader); break;
      case 24: message.dropped = readUnsigned(reader); break;
      case 32: message.truncated = readUnsigned(reader); break;
      case 40: message.bytes = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureReport = {
  name: 'nodecore.v1.CaptureReport',
  encode: (message) => writeCaptureReport(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureReport(reader, reader.len); },
};

function writeCaptureReport(message, writer) {
  if (!(message.end === undefined || message.end === 0)) writer.uint32(8).int32(message.end);
  if (!(message.counts === undefined)) writeCaptureCounts(message.counts, writer.uint32(18).fork()).ldelim();
  if (!(message.trailer === undefined || message.trailer.length === 0)) writer.uint32(26).bytes(message.trailer);
  if (!(message.path === undefined || message.path === '')) writer.uint32(34).string(message.path);
  return writer;
}

function readCaptureReport(reader, end) {
  const message = { end: 0, trailer: new Uint8Array(), path: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.end = reader.int32(); break;
      case 18: message.counts = readCaptureCounts(reader, endOf(reader)); break;
      case 26: message.trailer = reader.bytes(); break;
      case 34: message.path = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const StopCaptureRequest = {
  name: 'nodecore.v1.StopCaptureRequest',
  encode: (message) => writeStopCaptureRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readStopCaptureRequest(reader, reader.len); },
};

function writeStopCaptureRequest(message, writer) {
  if (!(message.id === undefined || message.id === '')) writer.uint32(10).string(message.id);
  return writer;
}

function readStopCaptureRequest(reader, end) {
  const message = { id: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.id = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const StopCaptureResponse = {
  name: 'nodecore.v1.StopCaptureResponse',
  encode: (message) => writeStopCaptureResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readStopCaptureResponse(reader, reader.len); },
};

function writeStopCaptureResponse(message, writer) {
  return writer;
}

function readStopCaptureResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureInterfacesRequest = {
  name: 'nodecore.v1.CaptureInterfacesRequest',
  encode: (message) => writeCaptureInterfacesRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureInterfacesRequest(reader, reader.len); },
};

function writeCaptureInterfacesRequest(message, writer) {
  return writer;
}

function readCaptureInterfacesRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureInterfacesResponse = {
  name: 'nodecore.v1.CaptureInterfacesResponse',
  encode: (message) => writeCaptureInterfacesResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureInterfacesResponse(reader, reader.len); },
};

function writeCaptureInterfacesResponse(message, writer) {
  if (message.interfaces !== undefined) for (const item of message.interfaces) writeCaptureInterface(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readCaptureInterfacesResponse(reader, end) {
  const message = { interfaces: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.interfaces.push(readCaptureInterface(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureInterface = {
  name: 'nodecore.v1.CaptureInterface',
  encode: (message) => writeCaptureInterface(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureInterface(reader, reader.len); },
};

function writeCaptureInterface(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.index === undefined || message.index === 0)) writer.uint32(16).uint32(message.index);
  if (!(message.linkType === undefined || message.linkType === 0)) writer.uint32(24).uint32(message.linkType);
  if (!(message.up === undefined || message.up === false)) writer.uint32(32).bool(message.up);
  if (!(message.loopback === undefined || message.loopback === false)) writer.uint32(40).bool(message.loopback);
  return writer;
}

function readCaptureInterface(reader, end) {
  const message = { name: '', index: 0, linkType: 0, up: false, loopback: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 16: message.index = reader.uint32(); break;
      case 24: message.linkType = reader.uint32(); break;
      case 32: message.up = reader.bool(); break;
      case 40: message.loopback = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureFilesRequest = {
  name: 'nodecore.v1.CaptureFilesRequest',
  encode: (message) => writeCaptureFilesRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureFilesRequest(reader, reader.len); },
};

function writeCaptureFilesRequest(message, writer) {
  return writer;
}

function readCaptureFilesRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureFilesResponse = {
  name: 'nodecore.v1.CaptureFilesResponse',
  encode: (message) => writeCaptureFilesResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureFilesResponse(reader, reader.len); },
};

function writeCaptureFilesResponse(message, writer) {
  if (message.files !== undefined) for (const item of message.files) writeCaptureFileStatus(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readCaptureFilesResponse(reader, end) {
  const message = { files: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.files.push(readCaptureFileStatus(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CaptureFileStatus = {
  name: 'nodecore.v1.CaptureFileStatus',
  encode: (message) => writeCaptureFileStatus(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCaptureFileStatus(reader, reader.len); },
};

function writeCaptureFileStatus(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.sizeBytes === undefined || message.sizeBytes === 0n)) writer.uint32(16).uint64(toBits(message.sizeBytes));
  if (!(message.modifiedMillis === undefined || message.modifiedMillis === 0n)) writer.uint32(24).int64(toBits(message.modifiedMillis));
  return writer;
}

function readCaptureFileStatus(reader, end) {
  const message = { name: '', sizeBytes: 0n, modifiedMillis: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 16: message.sizeBytes = readUnsigned(reader); break;
      case 24: message.modifiedMillis = readSigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ReadCaptureFileRequest = {
  name: 'nodecore.v1.ReadCaptureFileRequest',
  encode: (message) => writeReadCaptureFileRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readReadCaptureFileRequest(reader, reader.len); },
};

function writeReadCaptureFileRequest(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  return writer;
}

function readReadCaptureFileRequest(reader, end) {
  const message = { name: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ReadCaptureFileResponse = {
  name: 'nodecore.v1.ReadCaptureFileResponse',
  encode: (message) => writeReadCaptureFileResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readReadCaptureFileResponse(reader, reader.len); },
};

function writeReadCaptureFileResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  return writer;
}

function readReadCaptureFileResponse(reader, end) {
  const message = { data: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RemoveCaptureFileRequest = {
  name: 'nodecore.v1.RemoveCaptureFileRequest',
  encode: (message) => writeRemoveCaptureFileRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRemoveCaptureFileRequest(reader, reader.len); },
};

function writeRemoveCaptureFileRequest(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  return writer;
}

function readRemoveCaptureFileRequest(reader, end) {
  const message = { name: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RemoveCaptureFileResponse = {
  name: 'nodecore.v1.RemoveCaptureFileResponse',
  encode: (message) => writeRemoveCaptureFileResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRemoveCaptureFileResponse(reader, reader.len); },
};

function writeRemoveCaptureFileResponse(message, writer) {
  return writer;
}

function readRemoveCaptureFileResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ReadCgroupsRequest = {
  name: 'nodecore.v1.ReadCgroupsRequest',
  encode: (message) => writeReadCgroupsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readReadCgroupsRequest(reader, reader.len); },
};

function writeReadCgroupsRequest(message, writer) {
  if (message.files !== undefined) for (const item of message.files) writer.uint32(10).string(item);
  if (!(message.cgroup === undefined || message.cgroup === '')) writer.uint32(18).string(message.cgroup);
  if (!(message.names === undefined || message.names === false)) writer.uint32(24).bool(message.names);
  if (!(message.processes === undefined || message.processes === false)) writer.uint32(32).bool(message.processes);
  return writer;
}

function readReadCgroupsRequest(reader, end) {
  const message = { files: [], cgroup: '', names: false, processes: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.files.push(reader.string()); break;
      case 18: message.cgroup = reader.string(); break;
      case 24: message.names = reader.bool(); break;
      case 32: message.processes = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WatchCgroupsRequest = {
  name: 'nodecore.v1.WatchCgroupsRequest',
  encode: (message) => writeWatchCgroupsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWatchCgroupsRequest(reader, reader.len); },
};

function writeWatchCgroupsRequest(message, writer) {
  if (!(message.what === undefined)) writeReadCgroupsRequest(message.what, writer.uint32(10).fork()).ldelim();
  if (!(message.intervalMillis === undefined || message.intervalMillis === 0)) writer.uint32(16).uint32(message.intervalMillis);
  return writer;
}

function readWatchCgroupsRequest(reader, end) {
  const message = { intervalMillis: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.what = readReadCgroupsRequest(reader, endOf(reader)); break;
      case 16: message.intervalMillis = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CgroupsResponse = {
  name: 'nodecore.v1.CgroupsResponse',
  encode: (message) => writeCgroupsResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCgroupsResponse(reader, reader.len); },
};

function writeCgroupsResponse(message, writer) {
  if (!(message.start === undefined)) writeCgroupsStart(message.start, writer.uint32(10).fork()).ldelim();
  if (!(message.cgroups === undefined)) writeCgroups(message.cgroups, writer.uint32(18).fork()).ldelim();
  if (!(message.sample === undefined)) writeCgroupSample(message.sample, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readCgroupsResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.start = readCgroupsStart(reader, endOf(reader)); break;
      case 18: message.cgroups = readCgroups(reader, endOf(reader)); break;
      case 26: message.sample = readCgroupSample(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CgroupsStart = {
  name: 'nodecore.v1.CgroupsStart',
  encode: (message) => writeCgroupsStart(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCgroupsStart(reader, reader.len); },
};

function writeCgroupsStart(message, writer) {
  if (!(message.directory === undefined || message.directory === '')) writer.uint32(10).string(message.directory);
  if (message.files !== undefined) for (const item of message.files) writer.uint32(18).string(item);
  if (message.elsewhere !== undefined) for (const item of message.elsewhere) writer.uint32(26).string(item);
  if (!(message.intervalMillis === undefined || message.intervalMillis === 0)) writer.uint32(32).uint32(message.intervalMillis);
  return writer;
}

function readCgroupsStart(reader, end) {
  const message = { directory: '', files: [], elsewhere: [], intervalMillis: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.directory = reader.string(); break;
      case 18: message.files.push(reader.string()); break;
      case 26: message.elsewhere.push(reader.string()); break;
      case 32: message.intervalMillis = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Cgroups = {
  name: 'nodecore.v1.Cgroups',
  encode: (message) => writeCgroups(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCgroups(reader, reader.len); },
};

function writeCgroups(message, writer) {
  if (message.cgroups !== undefined) for (const item of message.cgroups) writeCgroup(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readCgroups(reader, end) {
  const message = { cgroups: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.cgroups.push(readCgroup(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CgroupSample = {
  name: 'nodecore.v1.CgroupSample',
  encode: (message) => writeCgroupSample(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCgroupSample(reader, reader.len); },
};

function writeCgroupSample(message, writer) {
  if (!(message.cgroups === undefined || message.cgroups === 0)) writer.uint32(8).uint32(message.cgroups);
  if (message.gone !== undefined && message.gone.length > 0) { writer.uint32(18).fork(); for (const item of message.gone) writer.uint32(item); writer.ldelim(); }
  if (message.devices !== undefined) for (const item of message.devices) writeBlockDevice(item, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readCgroupSample(reader, end) {
  const message = { cgroups: 0, gone: [], devices: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.cgroups = reader.uint32(); break;
      case 18: { const end = endOf(reader); while (reader.pos < end) message.gone.push(reader.uint32()); } break;
      case 16: message.gone.push(reader.uint32()); break;
      case 26: message.devices.push(readBlockDevice(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const BlockDevice = {
  name: 'nodecore.v1.BlockDevice',
  encode: (message) => writeBlockDevice(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readBlockDevice(reader, reader.len); },
};

function writeBlockDevice(message, writer) {
  if (!(message.number === undefined || message.number === '')) writer.uint32(10).string(message.number);
  if (!(message.name === undefined || message.name === '')) writer.uint32(18).string(message.name);
  return writer;
}

function readBlockDevice(reader, end) {
  const message = { number: '', name: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.number = reader.string(); break;
      case 18: message.name = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Cgroup = {
  name: 'nodecore.v1.Cgroup',
  encode: (message) => writeCgroup(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCgroup(reader, reader.len); },
};

function writeCgroup(message, writer) {
  if (!(message.id === undefined || message.id === 0)) writer.uint32(8).uint32(message.id);
  if (!(message.path === undefined || message.path === '')) writer.uint32(18).string(message.path);
  if (!(message.takenNanos === undefined || message.takenNanos === 0n)) writer.uint32(24).uint64(toBits(message.takenNanos));
  if (!(message.elapsedNanos === undefined || message.elapsedNanos === 0n)) writer.uint32(32).uint64(toBits(message.elapsedNanos));
  if (message.files !== undefined) for (const item of message.files) writeCgroupFile(item, writer.uint32(42).fork()).ldelim();
  if (!(message.name === undefined)) writeCgroupName(message.name, writer.uint32(50).fork()).ldelim();
  if (message.processes !== undefined) for (const item of message.processes) writer.uint32(58).string(item);
  return writer;
}

function readCgroup(reader, end) {
  const message = { id: 0, path: '', takenNanos: 0n, elapsedNanos: 0n, files: [], processes: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.id = reader.uint32(); break;
      case 18: message.path = reader.string(); break;
      case 24: message.takenNanos = readUnsigned(reader); break;
      case 32: message.elapsedNanos = readUnsigned(reader); break;
      case 42: message.files.push(readCgroupFile(reader, endOf(reader))); break;
      case 50: message.name = readCgroupName(reader, endOf(reader)); break;
      case 58: message.processes.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CgroupFile = {
  name: 'nodecore.v1.CgroupFile',
  encode: (message) => writeCgroupFile(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCgroupFile(reader, reader.len); },
};

function writeCgroupFile(message, writer) {
  if (!(message.file === undefined || message.file === 0)) writer.uint32(8).uint32(message.file);
  if (!(message.text === undefined || message.text === '')) writer.uint32(18).string(message.text);
  if (!(message.errno === undefined || message.errno === 0)) writer.uint32(24).uint32(message.errno);
  if (!(message.absent === undefined || message.absent === false)) writer.uint32(32).bool(message.absent);
  if (message.rates !== undefined) for (const item of message.rates) writeCounterRate(item, writer.uint32(42).fork()).ldelim();
  return writer;
}

function readCgroupFile(reader, end) {
  const message = { file: 0, text: '', errno: 0, absent: false, rates: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.file = reader.uint32(); break;
      case 18: message.text = reader.string(); break;
      case 24: message.errno = reader.uint32(); break;
      case 32: message.absent = reader.bool(); break;
      case 42: message.rates.push(readCounterRate(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CounterRate = {
  name: 'nodecore.v1.CounterRate',
  encode: (message) => writeCounterRate(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCounterRate(reader, reader.len); },
};

function writeCounterRate(message, writer) {
  if (!(message.counter === undefined || message.counter === '')) writer.uint32(10).string(message.counter);
  if (!(message.perSecond === undefined || message.perSecond === 0)) writer.uint32(17).double(message.perSecond);
  if (!(message.reset === undefined || message.reset === false)) writer.uint32(24).bool(message.reset);
  return writer;
}

function readCounterRate(reader, end) {
  const message = { counter: '', perSecond: 0, reset: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.counter = reader.string(); break;
      case 17: message.perSecond = reader.double(); break;
      case 24: message.reset = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CgroupName = {
  name: 'nodecore.v1.CgroupName',
  encode: (message) => writeCgroupName(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCgroupName(reader, reader.len); },
};

function writeCgroupName(message, writer) {
  if (!(message.kind === undefined || message.kind === '')) writer.uint32(10).string(message.kind);
  if (!(message.name === undefined || message.name === '')) writer.uint32(18).string(message.name);
  if (!(message.id === undefined || message.id === '')) writer.uint32(26).string(message.id);
  if (!(message.runtime === undefined || message.runtime === '')) writer.uint32(34).string(message.runtime);
  return writer;
}

function readCgroupName(reader, end) {
  const message = { kind: '', name: '', id: '', runtime: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.kind = reader.string(); break;
      case 18: message.name = reader.string(); break;
      case 26: message.id = reader.string(); break;
      case 34: message.runtime = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const PressureRequest = {
  name: 'nodecore.v1.PressureRequest',
  encode: (message) => writePressureRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readPressureRequest(reader, reader.len); },
};

function writePressureRequest(message, writer) {
  if (!(message.top === undefined || message.top === 0)) writer.uint32(8).uint32(message.top);
  if (!(message.sort === undefined || message.sort === 0)) writer.uint32(16).int32(message.sort);
  if (!(message.intervalMillis === undefined || message.intervalMillis === 0)) writer.uint32(24).uint32(message.intervalMillis);
  if (!(message.names === undefined || message.names === false)) writer.uint32(32).bool(message.names);
  return writer;
}

function readPressureRequest(reader, end) {
  const message = { top: 0, sort: 0, intervalMillis: 0, names: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.top = reader.uint32(); break;
      case 16: message.sort = reader.int32(); break;
      case 24: message.intervalMillis = reader.uint32(); break;
      case 32: message.names = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const PressureResponse = {
  name: 'nodecore.v1.PressureResponse',
  encode: (message) => writePressureResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readPressureResponse(reader, reader.len); },
};

function writePressureResponse(message, writer) {
  if (!(message.system === undefined)) writePressureReading(message.system, writer.uint32(10).fork()).ldelim();
  if (message.cgroups !== undefined) for (const item of message.cgroups) writeCgroupPressure(item, writer.uint32(18).fork()).ldelim();
  if (!(message.total === undefined || message.total === 0)) writer.uint32(24).uint32(message.total);
  return writer;
}

function readPressureResponse(reader, end) {
  const message = { cgroups: [], total: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.system = readPressureReading(reader, endOf(reader)); break;
      case 18: message.cgroups.push(readCgroupPressure(reader, endOf(reader))); break;
      case 24: message.total = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CgroupPressure = {
  name: 'nodecore.v1.CgroupPressure',
  encode: (message) => writeCgroupPressure(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCgroupPressure(reader, reader.len); },
};

function writeCgroupPressure(message, writer) {
  if (!(message.path === undefined || message.path === '')) writer.uint32(10).string(message.path);
  if (!(message.name === undefined)) writeCgroupName(message.name, writer.uint32(18).fork()).ldelim();
  if (!(message.pressure === undefined)) writePressureReading(message.pressure, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readCgroupPressure(reader, end) {
  const message = { path: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.path = reader.string(); break;
      case 18: message.name = readCgroupName(reader, endOf(reader)); break;
      case 26: message.pressure = readPressureReading(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const PressureReading = {
  name: 'nodecore.v1.PressureReading',
  encode: (message) => writePressureReading(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readPressureReading(reader, reader.len); },
};

function writePressureReading(message, writer) {
  if (!(message.cpu === undefined)) writeResourcePressure(message.cpu, writer.uint32(10).fork()).ldelim();
  if (!(message.memory === undefined)) writeResourcePressure(message.memory, writer.uint32(18).fork()).ldelim();
  if (!(message.io === undefined)) writeResourcePressure(message.io, writer.uint32(26).fork()).ldelim();
  if (!(message.irq === undefined)) writeResourcePressure(message.irq, writer.uint32(34).fork()).ldelim();
  return writer;
}

function readPressureReading(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.cpu = readResourcePressure(reader, endOf(reader)); break;
      case 18: message.memory = readResourcePressure(reader, endOf(reader)); break;
      case 26: message.io = readResourcePressure(reader, endOf(reader)); break;
      case 34: message.irq = readResourcePressure(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ResourcePressure = {
  name: 'nodecore.v1.ResourcePressure',
  encode: (message) => writeResourcePressure(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readResourcePressure(reader, reader.len); },
};

function writeResourcePressure(message, writer) {
  if (!(message.some === undefined)) writePressureLine(message.some, writer.uint32(10).fork()).ldelim();
  if (!(message.full === undefined)) writePressureLine(message.full, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readResourcePressure(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.some = readPressureLine(reader, endOf(reader)); break;
      case 18: message.full = readPressureLine(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const PressureLine = {
  name: 'nodecore.v1.PressureLine',
  encode: (message) => writePressureLine(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readPressureLine(reader, reader.len); },
};

function writePressureLine(message, writer) {
  if (!(message.avg10 === undefined || message.avg10 === 0)) writer.uint32(9).double(message.avg10);
  if (!(message.avg60 === undefined || message.avg60 === 0)) writer.uint32(17).double(message.avg60);
  if (!(message.avg300 === undefined || message.avg300 === 0)) writer.uint32(25).double(message.avg300);
  if (!(message.totalMicros === undefined || message.totalMicros === 0n)) writer.uint32(32).uint64(toBits(message.totalMicros));
  if (!(message.recent === undefined)) writer.uint32(41).double(message.recent);
  return writer;
}

function readPressureLine(reader, end) {
  const message = { avg10: 0, avg60: 0, avg300: 0, totalMicros: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 9: message.avg10 = reader.double(); break;
      case 17: message.avg60 = reader.double(); break;
      case 25: message.avg300 = reader.double(); break;
      case 32: message.totalMicros = readUnsigned(reader); break;
      case 41: message.recent = reader.double(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ContainersRequest = {
  name: 'nodecore.v1.ContainersRequest',
  encode: (message) => writeContainersRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readContainersRequest(reader, reader.len); },
};

function writeContainersRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  return writer;
}

function readContainersRequest(reader, end) {
  const message = { namespace: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ContainersResponse = {
  name: 'nodecore.v1.ContainersResponse',
  encode: (message) => writeContainersResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readContainersResponse(reader, reader.len); },
};

function writeContainersResponse(message, writer) {
  if (message.containers !== undefined) for (const item of message.containers) writeContainerInfo(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readContainersResponse(reader, end) {
  const message = { containers: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.containers.push(readContainerInfo(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ContainerInfo = {
  name: 'nodecore.v1.ContainerInfo',
  encode: (message) => writeContainerInfo(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readContainerInfo(reader, reader.len); },
};

function writeContainerInfo(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.id === undefined || message.id === '')) writer.uint32(18).string(message.id);
  if (!(message.image === undefined || message.image === '')) writer.uint32(26).string(message.image);
  if (!(message.pid === undefined || message.pid === 0)) writer.uint32(32).uint32(message.pid);
  if (!(message.status === undefined || message.status === '')) writer.uint32(42).string(message.status);
  if (!(message.podId === undefined || message.podId === '')) writer.uint32(50).string(message.podId);
  if (!(message.name === undefined || message.name === '')) writer.uint32(58).string(message.name);
  if (!(message.networkNamespace === undefined || message.networkNamespace === '')) writer.uint32(66).string(message.networkNamespace);
  if (!(message.internalId === undefined || message.internalId === '')) writer.uint32(74).string(message.internalId);
  if (!(message.uid === undefined || message.uid === '')) writer.uint32(82).string(message.uid);
  return writer;
}

function readContainerInfo(reader, end) {
  const message = { namespace: '', id: '', image: '', pid: 0, status: '', podId: '', name: '', networkNamespace: '', internalId: '', uid: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.id = reader.string(); break;
      case 26: message.image = reader.string(); break;
      case 32: message.pid = reader.uint32(); break;
      case 42: message.status = reader.string(); break;
      case 50: message.podId = reader.string(); break;
      case 58: message.name = reader.string(); break;
      case 66: message.networkNamespace = reader.string(); break;
      case 74: message.internalId = reader.string(); break;
      case 82: message.uid = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ContainerStatsRequest = {
  name: 'nodecore.v1.ContainerStatsRequest',
  encode: (message) => writeContainerStatsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readContainerStatsRequest(reader, reader.len); },
};

function writeContainerStatsRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  return writer;
}

function readContainerStatsRequest(reader, end) {
  const message = { namespace: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ContainerStatsResponse = {
  name: 'nodecore.v1.ContainerStatsResponse',
  encode: (message) => writeContainerStatsResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readContainerStatsResponse(reader, reader.len); },
};

function writeContainerStatsResponse(message, writer) {
  if (message.stats !== undefined) for (const item of message.stats) writeContainerStat(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readContainerStatsResponse(reader, end) {
  const message = { stats: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.stats.push(readContainerStat(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ContainerStat = {
  name: 'nodecore.v1.ContainerStat',
  encode: (message) => writeContainerStat(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readContainerStat(reader, reader.len); },
};

function writeContainerStat(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.id === undefined || message.id === '')) writer.uint32(18).string(message.id);
  if (!(message.memoryBytes === undefined || message.memoryBytes === 0n)) writer.uint32(24).uint64(toBits(message.memoryBytes));
  if (!(message.cpuNanos === undefined || message.cpuNanos === 0n)) writer.uint32(32).uint64(toBits(message.cpuNanos));
  if (!(message.podId === undefined || message.podId === '')) writer.uint32(42).string(message.podId);
  if (!(message.name === undefined || message.name === '')) writer.uint32(50).string(message.name);
  return writer;
}

function readContainerStat(reader, end) {
  const message = { namespace: '', id: '', memoryBytes: 0n, cpuNanos: 0n, podId: '', name: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.id = reader.string(); break;
      case 24: message.memoryBytes = readUnsigned(reader); break;
      case 32: message.cpuNanos = readUnsigned(reader); break;
      case 42: message.podId = reader.string(); break;
      case 50: message.name = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ImageListRequest = {
  name: 'nodecore.v1.ImageListRequest',
  encode: (message) => writeImageListRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readImageListRequest(reader, reader.len); },
};

function writeImageListRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  return writer;
}

function readImageListRequest(reader, end) {
  const message = { namespace: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ImageListResponse = {
  name: 'nodecore.v1.ImageListResponse',
  encode: (message) => writeImageListResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readImageListResponse(reader, reader.len); },
};

function writeImageListResponse(message, writer) {
  if (message.images !== undefined) for (const item of message.images) writeImageInfo(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readImageListResponse(reader, end) {
  const message = { images: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.images.push(readImageInfo(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ImageInfo = {
  name: 'nodecore.v1.ImageInfo',
  encode: (message) => writeImageInfo(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readImageInfo(reader, reader.len); },
};

function writeImageInfo(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.digest === undefined || message.digest === '')) writer.uint32(18).string(message.digest);
  if (!(message.sizeBytes === undefined)) writer.uint32(24).uint64(toBits(message.sizeBytes));
  if (!(message.createdMillis === undefined || message.createdMillis === 0n)) writer.uint32(32).uint64(toBits(message.createdMillis));
  if (message.labels !== undefined) for (const [key, item] of Object.entries(message.labels)) writer.uint32(42).fork().uint32(10).string(key).uint32(18).string(item).ldelim();
  return writer;
}

function readImageInfo(reader, end) {
  const message = { name: '', digest: '', createdMillis: 0n, labels: {} };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 18: message.digest = reader.string(); break;
      case 24: message.sizeBytes = readUnsigned(reader); break;
      case 32: message.createdMillis = readUnsigned(reader); break;
      case 42: readEntry(reader, message.labels); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ImagePullRequest = {
  name: 'nodecore.v1.ImagePullRequest',
  encode: (message) => writeImagePullRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readImagePullRequest(reader, reader.len); },
};

function writeImagePullRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.reference === undefined || message.reference === '')) writer.uint32(18).string(message.reference);
  return writer;
}

function readImagePullRequest(reader, end) {
  const message = { namespace: '', reference: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.reference = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ImagePullResponse = {
  name: 'nodecore.v1.ImagePullResponse',
  encode: (message) => writeImagePullResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readImagePullResponse(reader, reader.len); },
};

function writeImagePullResponse(message, writer) {
  if (message.layers !== undefined) for (const item of message.layers) writeImageLayerProgress(item, writer.uint32(10).fork()).ldelim();
  if (!(message.name === undefined || message.name === '')) writer.uint32(18).string(message.name);
  return writer;
}

function readImagePullResponse(reader, end) {
  const message = { layers: [], name: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.layers.push(readImageLayerProgress(reader, endOf(reader))); break;
      case 18: message.name = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ImageLayerProgress = {
  name: 'nodecore.v1.ImageLayerProgress',
  encode: (message) => writeImageLayerProgress(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readImageLayerProgress(reader, reader.len); },
};

function writeImageLayerProgress(message, writer) {
  if (!(message.id === undefined || message.id === '')) writer.uint32(10).string(message.id);
  if (!(message.status === undefined || message.status === '')) writer.uint32(18).string(message.status);
  if (!(message.offsetBytes === undefined || message.offsetBytes === 0n)) writer.uint32(24).uint64(toBits(message.offsetBytes));
  if (!(message.totalBytes === undefined || message.totalBytes === 0n)) writer.uint32(32).uint64(toBits(message.totalBytes));
  return writer;
}

function readImageLayerProgress(reader, end) {
  const message = { id: '', status: '', offsetBytes: 0n, totalBytes: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.id = reader.string(); break;
      case 18: message.status = reader.string(); break;
      case 24: message.offsetBytes = readUnsigned(reader); break;
      case 32: message.totalBytes = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ImageImportRequest = {
  name: 'nodecore.v1.ImageImportRequest',
  encode: (message) => writeImageImportRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readImageImportRequest(reader, reader.len); },
};

function writeImageImportRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(18).bytes(message.data);
  return writer;
}

function readImageImportRequest(reader, end) {
  const message = { namespace: '', data: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.data = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ImageImportResponse = {
  name: 'nodecore.v1.ImageImportResponse',
  encode: (message) => writeImageImportResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readImageImportResponse(reader, reader.len); },
};

function writeImageImportResponse(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  return writer;
}

function readImageImportResponse(reader, end) {
  const message = { name: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ImageRemoveRequest = {
  name: 'nodecore.v1.ImageRemoveRequest',
  encode: (message) => writeImageRemoveRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readImageRemoveRequest(reader, reader.len); },
};

function writeImageRemoveRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.reference === undefined || message.reference === '')) writer.uint32(18).string(message.reference);
  return writer;
}

function readImageRemoveRequest(reader, end) {
  const message = { namespace: '', reference: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.reference = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ImageRemoveResponse = {
  name: 'nodecore.v1.ImageRemoveResponse',
  encode: (message) => writeImageRemoveResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readImageRemoveResponse(reader, reader.len); },
};

function writeImageRemoveResponse(message, writer) {
  return writer;
}

function readImageRemoveResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const EventsRequest = {
  name: 'nodecore.v1.EventsRequest',
  encode: (message) => writeEventsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readEventsRequest(reader, reader.len); },
};

function writeEventsRequest(message, writer) {
  if (!(message.tailEvents === undefined || message.tailEvents === 0)) writer.uint32(8).int32(message.tailEvents);
  if (!(message.tailId === undefined || message.tailId === '')) writer.uint32(18).string(message.tailId);
  if (!(message.tailSeconds === undefined || message.tailSeconds === 0)) writer.uint32(24).uint32(message.tailSeconds);
  if (!(message.withActorId === undefined || message.withActorId === '')) writer.uint32(34).string(message.withActorId);
  if (!(message.pastOnly === undefined || message.pastOnly === false)) writer.uint32(800).bool(message.pastOnly);
  return writer;
}

function readEventsRequest(reader, end) {
  const message = { tailEvents: 0, tailId: '', tailSeconds: 0, withActorId: '', pastOnly: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.tailEvents = reader.int32(); break;
      case 18: message.tailId = reader.string(); break;
      case 24: message.tailSeconds = reader.uint32(); break;
      case 34: message.withActorId = reader.string(); break;
      case 800: message.pastOnly = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const EventsResponse = {
  name: 'nodecore.v1.EventsResponse',
  encode: (message) => writeEventsResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readEventsResponse(reader, reader.len); },
};

function writeEventsResponse(message, writer) {
  if (message.events !== undefined) for (const item of message.events) writeNodeEvent(item, writer.uint32(10).fork()).ldelim();
  if (!(message.cursor === undefined || message.cursor === '')) writer.uint32(18).string(message.cursor);
  return writer;
}

function readEventsResponse(reader, end) {
  const message = { events: [], cursor: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.events.push(readNodeEvent(reader, endOf(reader))); break;
      case 18: message.cursor = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const PublishRequest = {
  name: 'nodecore.v1.PublishRequest',
  encode: (message) => writePublishRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readPublishRequest(reader, reader.len); },
};

function writePublishRequest(message, writer) {
  if (message.events !== undefined) for (const item of message.events) writeNodeEvent(item, writer.uint32(10).fork()).ldelim();
  if (!(message.hostname === undefined || message.hostname === '')) writer.uint32(18).string(message.hostname);
  return writer;
}

function readPublishRequest(reader, end) {
  const message = { events: [], hostname: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.events.push(readNodeEvent(reader, endOf(reader))); break;
      case 18: message.hostname = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const PublishResponse = {
  name: 'nodecore.v1.PublishResponse',
  encode: (message) => writePublishResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readPublishResponse(reader, reader.len); },
};

function writePublishResponse(message, writer) {
  return writer;
}

function readPublishResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const NodeEvent = {
  name: 'nodecore.v1.NodeEvent',
  encode: (message) => writeNodeEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readNodeEvent(reader, reader.len); },
};

function writeNodeEvent(message, writer) {
  if (!(message.data === undefined)) writeEventData(message.data, writer.uint32(18).fork()).ldelim();
  if (!(message.id === undefined || message.id === '')) writer.uint32(26).string(message.id);
  if (!(message.actorId === undefined || message.actorId === '')) writer.uint32(34).string(message.actorId);
  if (!(message.bootId === undefined || message.bootId === '')) writer.uint32(802).string(message.bootId);
  if (!(message.timeMillis === undefined || message.timeMillis === 0n)) writer.uint32(808).uint64(toBits(message.timeMillis));
  if (!(message.lost === undefined || message.lost === 0n)) writer.uint32(816).uint64(toBits(message.lost));
  return writer;
}

function readNodeEvent(reader, end) {
  const message = { id: '', actorId: '', bootId: '', timeMillis: 0n, lost: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 18: message.data = readEventData(reader, endOf(reader)); break;
      case 26: message.id = reader.string(); break;
      case 34: message.actorId = reader.string(); break;
      case 802: message.bootId = reader.string(); break;
      case 808: message.timeMillis = readUnsigned(reader); break;
      case 816: message.lost = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const EventData = {
  name: 'nodecore.v1.EventData',
  encode: (message) => writeEventData(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readEventData(reader, reader.len); },
};

function writeEventData(message, writer) {
  if (!(message.sequence === undefined)) writeSequenceEvent(message.sequence, writer.uint32(10).fork()).ldelim();
  if (!(message.phase === undefined)) writePhaseEvent(message.phase, writer.uint32(18).fork()).ldelim();
  if (!(message.task === undefined)) writeTaskEvent(message.task, writer.uint32(26).fork()).ldelim();
  if (!(message.service === undefined)) writeServiceStateEvent(message.service, writer.uint32(34).fork()).ldelim();
  if (!(message.restart === undefined)) writeRestartEvent(message.restart, writer.uint32(42).fork()).ldelim();
  if (!(message.configLoadError === undefined)) writeConfigLoadErrorEvent(message.configLoadError, writer.uint32(50).fork()).ldelim();
  if (!(message.configValidationError === undefined)) writeConfigValidationErrorEvent(message.configValidationError, writer.uint32(58).fork()).ldelim();
  if (!(message.address === undefined)) writeAddressEvent(message.address, writer.uint32(66).fork()).ldelim();
  if (!(message.machineStatus === undefined)) writeMachineStatusEvent(message.machineStatus, writer.uint32(74).fork()).ldelim();
  return writer;
}

function readEventData(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.sequence = readSequenceEvent(reader, endOf(reader)); break;
      case 18: message.phase = readPhaseEvent(reader, endOf(reader)); break;
      case 26: message.task = readTaskEvent(reader, endOf(reader)); break;
      case 34: message.service = readServiceStateEvent(reader, endOf(reader)); break;
      case 42: message.restart = readRestartEvent(reader, endOf(reader)); break;
      case 50: message.configLoadError = readConfigLoadErrorEvent(reader, endOf(reader)); break;
      case 58: message.configValidationError = readConfigValidationErrorEvent(reader, endOf(reader)); break;
      case 66: message.address = readAddressEvent(reader, endOf(reader)); break;
      case 74: message.machineStatus = readMachineStatusEvent(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const SequenceError = {
  name: 'nodecore.v1.SequenceError',
  encode: (message) => writeSequenceError(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readSequenceError(reader, reader.len); },
};

function writeSequenceError(message, writer) {
  if (!(message.code === undefined || message.code === 0)) writer.uint32(8).int32(message.code);
  if (!(message.message === undefined || message.message === '')) writer.uint32(18).string(message.message);
  return writer;
}

function readSequenceError(reader, end) {
  const message = { code: 0, message: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.code = reader.int32(); break;
      case 18: message.message = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const SequenceEvent = {
  name: 'nodecore.v1.SequenceEvent',
  encode: (message) => writeSequenceEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readSequenceEvent(reader, reader.len); },
};

function writeSequenceEvent(message, writer) {
  if (!(message.sequence === undefined || message.sequence === '')) writer.uint32(10).string(message.sequence);
  if (!(message.action === undefined || message.action === 0)) writer.uint32(16).int32(message.action);
  if (!(message.error === undefined)) writeSequenceError(message.error, writer.uint32(26).fork()).ldelim();
  return writer;
}

function readSequenceEvent(reader, end) {
  const message = { sequence: '', action: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.sequence = reader.string(); break;
      case 16: message.action = reader.int32(); break;
      case 26: message.error = readSequenceError(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const PhaseEvent = {
  name: 'nodecore.v1.PhaseEvent',
  encode: (message) => writePhaseEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readPhaseEvent(reader, reader.len); },
};

function writePhaseEvent(message, writer) {
  if (!(message.phase === undefined || message.phase === '')) writer.uint32(10).string(message.phase);
  if (!(message.action === undefined || message.action === 0)) writer.uint32(16).int32(message.action);
  return writer;
}

function readPhaseEvent(reader, end) {
  const message = { phase: '', action: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.phase = reader.string(); break;
      case 16: message.action = reader.int32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const TaskEvent = {
  name: 'nodecore.v1.TaskEvent',
  encode: (message) => writeTaskEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readTaskEvent(reader, reader.len); },
};

function writeTaskEvent(message, writer) {
  if (!(message.task === undefined || message.task === '')) writer.uint32(10).string(message.task);
  if (!(message.action === undefined || message.action === 0)) writer.uint32(16).int32(message.action);
  return writer;
}

function readTaskEvent(reader, end) {
  const message = { task: '', action: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.task = reader.string(); break;
      case 16: message.action = reader.int32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const EventServiceHealth = {
  name: 'nodecore.v1.EventServiceHealth',
  encode: (message) => writeEventServiceHealth(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readEventServiceHealth(reader, reader.len); },
};

function writeEventServiceHealth(message, writer) {
  if (!(message.unknown === undefined || message.unknown === false)) writer.uint32(8).bool(message.unknown);
  if (!(message.healthy === undefined || message.healthy === false)) writer.uint32(16).bool(message.healthy);
  if (!(message.lastMessage === undefined || message.lastMessage === '')) writer.uint32(26).string(message.lastMessage);
  if (!(message.lastChangeMillis === undefined || message.lastChangeMillis === 0n)) writer.uint32(32).uint64(toBits(message.lastChangeMillis));
  return writer;
}

function readEventServiceHealth(reader, end) {
  const message = { unknown: false, healthy: false, lastMessage: '', lastChangeMillis: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.unknown = reader.bool(); break;
      case 16: message.healthy = reader.bool(); break;
      case 26: message.lastMessage = reader.string(); break;
      case 32: message.lastChangeMillis = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceStateEvent = {
  name: 'nodecore.v1.ServiceStateEvent',
  encode: (message) => writeServiceStateEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceStateEvent(reader, reader.len); },
};

function writeServiceStateEvent(message, writer) {
  if (!(message.service === undefined || message.service === '')) writer.uint32(10).string(message.service);
  if (!(message.action === undefined || message.action === 0)) writer.uint32(16).int32(message.action);
  if (!(message.message === undefined || message.message === '')) writer.uint32(26).string(message.message);
  if (!(message.health === undefined)) writeEventServiceHealth(message.health, writer.uint32(34).fork()).ldelim();
  return writer;
}

function readServiceStateEvent(reader, end) {
  const message = { service: '', action: 0, message: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.service = reader.string(); break;
      case 16: message.action = reader.int32(); break;
      case 26: message.message = reader.string(); break;
      case 34: message.health = readEventServiceHealth(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RestartEvent = {
  name: 'nodecore.v1.RestartEvent',
  encode: (message) => writeRestartEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRestartEvent(reader, reader.len); },
};

function writeRestartEvent(message, writer) {
  if (!(message.cmd === undefined || message.cmd === 0n)) writer.uint32(8).int64(toBits(message.cmd));
  if (!(message.reason === undefined || message.reason === '')) writer.uint32(18).string(message.reason);
  return writer;
}

function readRestartEvent(reader, end) {
  const message = { cmd: 0n, reason: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.cmd = readSigned(reader); break;
      case 18: message.reason = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ConfigLoadErrorEvent = {
  name: 'nodecore.v1.ConfigLoadErrorEvent',
  encode: (message) => writeConfigLoadErrorEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readConfigLoadErrorEvent(reader, reader.len); },
};

function writeConfigLoadErrorEvent(message, writer) {
  if (!(message.error === undefined || message.error === '')) writer.uint32(10).string(message.error);
  return writer;
}

function readConfigLoadErrorEvent(reader, end) {
  const message = { error: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.error = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ConfigValidationErrorEvent = {
  name: 'nodecore.v1.ConfigValidationErrorEvent',
  encode: (message) => writeConfigValidationErrorEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readConfigValidationErrorEvent(reader, reader.len); },
};

function writeConfigValidationErrorEvent(message, writer) {
  if (!(message.error === undefined || message.error === '')) writer.uint32(10).string(message.error);
  return writer;
}

function readConfigValidationErrorEvent(reader, end) {
  const message = { error: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.error = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AddressEvent = {
  name: 'nodecore.v1.AddressEvent',
  encode: (message) => writeAddressEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAddressEvent(reader, reader.len); },
};

function writeAddressEvent(message, writer) {
  if (!(message.hostname === undefined || message.hostname === '')) writer.uint32(10).string(message.hostname);
  if (message.addresses !== undefined) for (const item of message.addresses) writer.uint32(18).string(item);
  return writer;
}

function readAddressEvent(reader, end) {
  const message = { hostname: '', addresses: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.hostname = reader.string(); break;
      case 18: message.addresses.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const EventUnmetCondition = {
  name: 'nodecore.v1.EventUnmetCondition',
  encode: (message) => writeEventUnmetCondition(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readEventUnmetCondition(reader, reader.len); },
};

function writeEventUnmetCondition(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.reason === undefined || message.reason === '')) writer.uint32(18).string(message.reason);
  return writer;
}

function readEventUnmetCondition(reader, end) {
  const message = { name: '', reason: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 18: message.reason = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const EventMachineReadiness = {
  name: 'nodecore.v1.EventMachineReadiness',
  encode: (message) => writeEventMachineReadiness(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readEventMachineReadiness(reader, reader.len); },
};

function writeEventMachineReadiness(message, writer) {
  if (!(message.ready === undefined || message.ready === false)) writer.uint32(8).bool(message.ready);
  if (message.unmetConditions !== undefined) for (const item of message.unmetConditions) writeEventUnmetCondition(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readEventMachineReadiness(reader, end) {
  const message = { ready: false, unmetConditions: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.ready = reader.bool(); break;
      case 18: message.unmetConditions.push(readEventUnmetCondition(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MachineStatusEvent = {
  name: 'nodecore.v1.MachineStatusEvent',
  encode: (message) => writeMachineStatusEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMachineStatusEvent(reader, reader.len); },
};

function writeMachineStatusEvent(message, writer) {
  if (!(message.stage === undefined || message.stage === 0)) writer.uint32(8).int32(message.stage);
  if (!(message.status === undefined)) writeEventMachineReadiness(message.status, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readMachineStatusEvent(reader, end) {
  const message = { stage: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.stage = reader.int32(); break;
      case 18: message.status = readEventMachineReadiness(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ListFilesRequest = {
  name: 'nodecore.v1.ListFilesRequest',
  encode: (message) => writeListFilesRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readListFilesRequest(reader, reader.len); },
};

function writeListFilesRequest(message, writer) {
  if (!(message.root === undefined || message.root.length === 0)) writer.uint32(10).bytes(message.root);
  if (!(message.depth === undefined || message.depth === 0)) writer.uint32(16).uint32(message.depth);
  if (message.types !== undefined && message.types.length > 0) { writer.uint32(26).fork(); for (const item of message.types) writer.int32(item); writer.ldelim(); }
  if (!(message.details === undefined || message.details === false)) writer.uint32(32).bool(message.details);
  if (!(message.oneFileSystem === undefined || message.oneFileSystem === false)) writer.uint32(40).bool(message.oneFileSystem);
  return writer;
}

function readListFilesRequest(reader, end) {
  const message = { root: new Uint8Array(), depth: 0, types: [], details: false, oneFileSystem: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.root = reader.bytes(); break;
      case 16: message.depth = reader.uint32(); break;
      case 26: { const end = endOf(reader); while (reader.pos < end) message.types.push(reader.int32()); } break;
      case 24: message.types.push(reader.int32()); break;
      case 32: message.details = reader.bool(); break;
      case 40: message.oneFileSystem = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ListFilesResponse = {
  name: 'nodecore.v1.ListFilesResponse',
  encode: (message) => writeListFilesResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readListFilesResponse(reader, reader.len); },
};

function writeListFilesResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  return writer;
}

function readListFilesResponse(reader, end) {
  const message = { data: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const FileBatch = {
  name: 'nodecore.v1.FileBatch',
  encode: (message) => writeFileBatch(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readFileBatch(reader, reader.len); },
};

function writeFileBatch(message, writer) {
  if (message.entries !== undefined) for (const item of message.entries) writeFileEntry(item, writer.uint32(10).fork()).ldelim();
  if (message.failures !== undefined) for (const item of message.failures) writeFileFailure(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readFileBatch(reader, end) {
  const message = { entries: [], failures: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.entries.push(readFileEntry(reader, endOf(reader))); break;
      case 18: message.failures.push(readFileFailure(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const FileEntry = {
  name: 'nodecore.v1.FileEntry',
  encode: (message) => writeFileEntry(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readFileEntry(reader, reader.len); },
};

function writeFileEntry(message, writer) {
  if (!(message.path === undefined || message.path.length === 0)) writer.uint32(10).bytes(message.path);
  if (!(message.type === undefined || message.type === 0)) writer.uint32(16).int32(message.type);
  if (!(message.mode === undefined || message.mode === 0)) writer.uint32(24).uint32(message.mode);
  if (!(message.uid === undefined || message.uid === 0)) writer.uint32(32).uint32(message.uid);
  if (!(message.gid === undefined || message.gid === 0)) writer.uint32(40).uint32(message.gid);
  if (!(message.size === undefined || message.size === 0n)) writer.uint32(48).uint64(toBits(message.size));
  if (!(message.diskBytes === undefined || message.diskBytes === 0n)) writer.uint32(56).uint64(toBits(message.diskBytes));
  if (!(message.modifiedSeconds === undefined || message.modifiedSeconds === 0n)) writer.uint32(64).int64(toBits(message.modifiedSeconds));
  if (!(message.modifiedNanos === undefined || message.modifiedNanos === 0)) writer.uint32(72).uint32(message.modifiedNanos);
  if (!(message.links === undefined || message.links === 0n)) writer.uint32(80).uint64(toBits(message.links));
  if (!(message.inode === undefined || message.inode === 0n)) writer.uint32(88).uint64(toBits(message.inode));
  if (!(message.deviceMajor === undefined || message.deviceMajor === 0)) writer.uint32(96).uint32(message.deviceMajor);
  if (!(message.deviceMinor === undefined || message.deviceMinor === 0)) writer.uint32(104).uint32(message.deviceMinor);
  if (!(message.target === undefined || message.target.length === 0)) writer.uint32(114).bytes(message.target);
  if (!(message.label === undefined || message.label === '')) writer.uint32(122).string(message.label);
  if (message.attributes !== undefined) for (const item of message.attributes) writer.uint32(130).string(item);
  return writer;
}

function readFileEntry(reader, end) {
  const message = { path: new Uint8Array(), type: 0, mode: 0, uid: 0, gid: 0, size: 0n, diskBytes: 0n, modifiedSeconds: 0n, modifiedNanos: 0, links: 0n, inode: 0n, deviceMajor: 0, deviceMinor: 0, target: new Uint8Array(), label: '', attributes: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.path = reader.bytes(); break;
      case 16: message.type = reader.int32(); break;
      case 24: message.mode = reader.uint32(); break;
      case 32: message.uid = reader.uint32(); break;
      case 40: message.gid = reader.uint32(); break;
      case 48: message.size = readUnsigned(reader); break;
      case 56: message.diskBytes = readUnsigned(reader); break;
      case 64: message.modifiedSeconds = readSigned(reader); break;
      case 72: message.modifiedNanos = reader.uint32(); break;
      case 80: message.links = readUnsigned(reader); break;
      case 88: message.inode = readUnsigned(reader); break;
      case 96: message.deviceMajor = reader.uint32(); break;
      case 104: message.deviceMinor = reader.uint32(); break;
      case 114: message.target = reader.bytes(); break;
      case 122: message.label = reader.string(); break;
      case 130: message.attributes.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const FileFailure = {
  name: 'nodecore.v1.FileFailure',
  encode: (message) => writeFileFailure(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readFileFailure(reader, reader.len); },
};

function writeFileFailure(message, writer) {
  if (!(message.path === undefined || message.path.length === 0)) writer.uint32(10).bytes(message.path);
  if (!(message.error === undefined || message.error === '')) writer.uint32(18).string(message.error);
  if (!(message.call === undefined || message.call === '')) writer.uint32(26).string(message.call);
  return writer;
}

function readFileFailure(reader, end) {
  const message = { path: new Uint8Array(), error: '', call: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.path = reader.bytes(); break;
      case 18: message.error = reader.string(); break;
      case 26: message.call = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const FileUsageRequest = {
  name: 'nodecore.v1.FileUsageRequest',
  encode: (message) => writeFileUsageRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readFileUsageRequest(reader, reader.len); },
};

function writeFileUsageRequest(message, writer) {
  if (message.paths !== undefined) for (const item of message.paths) writer.uint32(10).bytes(item);
  if (!(message.depth === undefined || message.depth === 0)) writer.uint32(16).uint32(message.depth);
  if (!(message.all === undefined || message.all === false)) writer.uint32(24).bool(message.all);
  if (!(message.threshold === undefined || message.threshold === 0n)) writer.uint32(32).int64(toBits(message.threshold));
  if (!(message.apparent === undefined || message.apparent === false)) writer.uint32(40).bool(message.apparent);
  if (!(message.oneFileSystem === undefined || message.oneFileSystem === false)) writer.uint32(48).bool(message.oneFileSystem);
  return writer;
}

function readFileUsageRequest(reader, end) {
  const message = { paths: [], depth: 0, all: false, threshold: 0n, apparent: false, oneFileSystem: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.paths.push(reader.bytes()); break;
      case 16: message.depth = reader.uint32(); break;
      case 24: message.all = reader.bool(); break;
      case 32: message.threshold = readSigned(reader); break;
      case 40: message.apparent = reader.bool(); break;
      case 48: message.oneFileSystem = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const FileUsageResponse = {
  name: 'nodecore.v1.FileUsageResponse',
  encode: (message) => writeFileUsageResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readFileUsageResponse(reader, reader.len); },
};

function writeFileUsageResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  return writer;
}

function readFileUsageResponse(reader, end) {
  const message = { data: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const FileUsageBatch = {
  name: 'nodecore.v1.FileUsageBatch',
  encode: (message) => writeFileUsageBatch(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readFileUsageBatch(reader, reader.len); },
};

function writeFileUsageBatch(message, writer) {
  if (message.rows !== undefined) for (const item of message.rows) writeFileUsage(item, writer.uint32(10).fork()).ldelim();
  if (message.failures !== undefined) for (const item of message.failures) writeFileFailure(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readFileUsageBatch(reader, end) {
  const message = { rows: [], failures: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.rows.push(readFileUsage(reader, endOf(reader))); break;
      case 18: message.failures.push(readFileFailure(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const FileUsage = {
  name: 'nodecore.v1.FileUsage',
  encode: (message) => writeFileUsage(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readFileUsage(reader, reader.len); },
};

function writeFileUsage(message, writer) {
  if (!(message.path === undefined || message.path.length === 0)) writer.uint32(10).bytes(message.path);
  if (!(message.type === undefined || message.type === 0)) writer.uint32(16).int32(message.type);
  if (!(message.diskBytes === undefined || message.diskBytes === 0n)) writer.uint32(24).uint64(toBits(message.diskBytes));
  if (!(message.apparentBytes === undefined || message.apparentBytes === 0n)) writer.uint32(32).uint64(toBits(message.apparentBytes));
  if (!(message.files === undefined || message.files === 0n)) writer.uint32(40).uint64(toBits(message.files));
  return writer;
}

function readFileUsage(reader, end) {
  const message = { path: new Uint8Array(), type: 0, diskBytes: 0n, apparentBytes: 0n, files: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.path = reader.bytes(); break;
      case 16: message.type = reader.int32(); break;
      case 24: message.diskBytes = readUnsigned(reader); break;
      case 32: message.apparentBytes = readUnsigned(reader); break;
      case 40: message.files = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ReadFileRequest = {
  name: 'nodecore.v1.ReadFileRequest',
  encode: (message) => writeReadFileRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readReadFileRequest(reader, reader.len); },
};

function writeReadFileRequest(message, writer) {
  if (!(message.path === undefined || message.path.length === 0)) writer.uint32(10).bytes(message.path);
  if (!(message.offset === undefined || message.offset === 0n)) writer.uint32(16).int64(toBits(message.offset));
  if (!(message.length === undefined)) writer.uint32(24).uint64(toBits(message.length));
  if (!(message.follow === undefined || message.follow === false)) writer.uint32(32).bool(message.follow);
  return writer;
}

function readReadFileRequest(reader, end) {
  const message = { path: new Uint8Array(), offset: 0n, follow: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.path = reader.bytes(); break;
      case 16: message.offset = readSigned(reader); break;
      case 24: message.length = readUnsigned(reader); break;
      case 32: message.follow = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ReadFileResponse = {
  name: 'nodecore.v1.ReadFileResponse',
  encode: (message) => writeReadFileResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readReadFileResponse(reader, reader.len); },
};

function writeReadFileResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  return writer;
}

function readReadFileResponse(reader, end) {
  const message = { data: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CopyFilesRequest = {
  name: 'nodecore.v1.CopyFilesRequest',
  encode: (message) => writeCopyFilesRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCopyFilesRequest(reader, reader.len); },
};

function writeCopyFilesRequest(message, writer) {
  if (!(message.root === undefined || message.root.length === 0)) writer.uint32(10).bytes(message.root);
  if (!(message.oneFileSystem === undefined || message.oneFileSystem === false)) writer.uint32(16).bool(message.oneFileSystem);
  return writer;
}

function readCopyFilesRequest(reader, end) {
  const message = { root: new Uint8Array(), oneFileSystem: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.root = reader.bytes(); break;
      case 16: message.oneFileSystem = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CopyFilesResponse = {
  name: 'nodecore.v1.CopyFilesResponse',
  encode: (message) => writeCopyFilesResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCopyFilesResponse(reader, reader.len); },
};

function writeCopyFilesResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  if (!(message.report === undefined)) writeCopyReport(message.report, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readCopyFilesResponse(reader, end) {
  const message = { data: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      case 18: message.report = readCopyReport(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CopyReport = {
  name: 'nodecore.v1.CopyReport',
  encode: (message) => writeCopyReport(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCopyReport(reader, reader.len); },
};

function writeCopyReport(message, writer) {
  if (!(message.files === undefined || message.files === 0n)) writer.uint32(8).uint64(toBits(message.files));
  if (!(message.bytes === undefined || message.bytes === 0n)) writer.uint32(16).uint64(toBits(message.bytes));
  if (!(message.sockets === undefined || message.sockets === 0n)) writer.uint32(24).uint64(toBits(message.sockets));
  if (!(message.failed === undefined || message.failed === 0n)) writer.uint32(32).uint64(toBits(message.failed));
  if (message.failures !== undefined) for (const item of message.failures) writeFileFailure(item, writer.uint32(42).fork()).ldelim();
  return writer;
}

function readCopyReport(reader, end) {
  const message = { files: 0n, bytes: 0n, sockets: 0n, failed: 0n, failures: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.files = readUnsigned(reader); break;
      case 16: message.bytes = readUnsigned(reader); break;
      case 24: message.sockets = readUnsigned(reader); break;
      case 32: message.failed = readUnsigned(reader); break;
      case 42: message.failures.push(readFileFailure(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ControllerRuntimeDependenciesRequest = {
  name: 'nodecore.v1.ControllerRuntimeDependenciesRequest',
  encode: (message) => writeControllerRuntimeDependenciesRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readControllerRuntimeDependenciesRequest(reader, reader.len); },
};

function writeControllerRuntimeDependenciesRequest(message, writer) {
  return writer;
}

function readControllerRuntimeDependenciesRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ControllerRuntimeDependenciesResponse = {
  name: 'nodecore.v1.ControllerRuntimeDependenciesResponse',
  encode: (message) => writeControllerRuntimeDependenciesResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readControllerRuntimeDependenciesResponse(reader, reader.len); },
};

function writeControllerRuntimeDependenciesResponse(message, writer) {
  if (message.edges !== undefined) for (const item of message.edges) writeControllerDependency(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readControllerRuntimeDependenciesResponse(reader, end) {
  const message = { edges: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.edges.push(readControllerDependency(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ControllerDependency = {
  name: 'nodecore.v1.ControllerDependency',
  encode: (message) => writeControllerDependency(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readControllerDependency(reader, reader.len); },
};

function writeControllerDependency(message, writer) {
  if (!(message.controllerName === undefined || message.controllerName === '')) writer.uint32(10).string(message.controllerName);
  if (!(message.type === undefined || message.type === 0)) writer.uint32(16).int32(message.type);
  if (!(message.resourceNamespace === undefined || message.resourceNamespace === '')) writer.uint32(26).string(message.resourceNamespace);
  if (!(message.resourceType === undefined || message.resourceType === '')) writer.uint32(34).string(message.resourceType);
  if (!(message.resourceId === undefined || message.resourceId === '')) writer.uint32(42).string(message.resourceId);
  if (!(message.need === undefined || message.need === '')) writer.uint32(50).string(message.need);
  return writer;
}

function readControllerDependency(reader, end) {
  const message = { controllerName: '', type: 0, resourceNamespace: '', resourceType: '', resourceId: '', need: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.controllerName = reader.string(); break;
      case 16: message.type = reader.int32(); break;
      case 26: message.resourceNamespace = reader.string(); break;
      case 34: message.resourceType = reader.string(); break;
      case 42: message.resourceId = reader.string(); break;
      case 50: message.need = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CpuProfileRequest = {
  name: 'nodecore.v1.CpuProfileRequest',
  encode: (message) => writeCpuProfileRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCpuProfileRequest(reader, reader.len); },
};

function writeCpuProfileRequest(message, writer) {
  if (!(message.durationMillis === undefined || message.durationMillis === 0)) writer.uint32(8).uint32(message.durationMillis);
  return writer;
}

function readCpuProfileRequest(reader, end) {
  const message = { durationMillis: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.durationMillis = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const HeapSnapshotRequest = {
  name: 'nodecore.v1.HeapSnapshotRequest',
  encode: (message) => writeHeapSnapshotRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readHeapSnapshotRequest(reader, reader.len); },
};

function writeHeapSnapshotRequest(message, writer) {
  return writer;
}

function readHeapSnapshotRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ProfileResponse = {
  name: 'nodecore.v1.ProfileResponse',
  encode: (message) => writeProfileResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readProfileResponse(reader, reader.len); },
};

function writeProfileResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  if (!(message.pauseMillis === undefined || message.pauseMillis === 0)) writer.uint32(16).uint32(message.pauseMillis);
  return writer;
}

function readProfileResponse(reader, end) {
  const message = { data: new Uint8Array(), pauseMillis: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      case 16: message.pauseMillis = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const HealthRequest = {
  name: 'nodecore.v1.HealthRequest',
  encode: (message) => writeHealthRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readHealthRequest(reader, reader.len); },
};

function writeHealthRequest(message, writer) {
  return writer;
}

function readHealthRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const HealthResponse = {
  name: 'nodecore.v1.HealthResponse',
  encode: (message) => writeHealthResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readHealthResponse(reader, reader.len); },
};

function writeHealthResponse(message, writer) {
  if (message.checks !== undefined) for (const item of message.checks) writeHealthCheck(item, writer.uint32(10).fork()).ldelim();
  if (!(message.machineType === undefined || message.machineType === '')) writer.uint32(18).string(message.machineType);
  return writer;
}

function readHealthResponse(reader, end) {
  const message = { checks: [], machineType: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.checks.push(readHealthCheck(reader, endOf(reader))); break;
      case 18: message.machineType = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const HealthCheck = {
  name: 'nodecore.v1.HealthCheck',
  encode: (message) => writeHealthCheck(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readHealthCheck(reader, reader.len); },
};

function writeHealthCheck(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.state === undefined || message.state === 0)) writer.uint32(16).int32(message.state);
  if (!(message.reason === undefined || message.reason === '')) writer.uint32(26).string(message.reason);
  if (!(message.durationMillis === undefined || message.durationMillis === 0)) writer.uint32(32).uint32(message.durationMillis);
  return writer;
}

function readHealthCheck(reader, end) {
  const message = { name: '', state: 0, reason: '', durationMillis: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 16: message.state = reader.int32(); break;
      case 26: message.reason = reader.string(); break;
      case 32: message.durationMillis = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DmesgRequest = {
  name: 'nodecore.v1.DmesgRequest',
  encode: (message) => writeDmesgRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDmesgRequest(reader, reader.len); },
};

function writeDmesgRequest(message, writer) {
  if (!(message.follow === undefined || message.follow === false)) writer.uint32(8).bool(message.follow);
  if (!(message.tail === undefined || message.tail === false)) writer.uint32(16).bool(message.tail);
  if (!(message.sinceSeconds === undefined || message.sinceSeconds === 0)) writer.uint32(800).uint32(message.sinceSeconds);
  if (message.priorities !== undefined) for (const item of message.priorities) writer.uint32(810).string(item);
  if (!(message.bootId === undefined || message.bootId === '')) writer.uint32(818).string(message.bootId);
  if (!(message.afterSequence === undefined)) writer.uint32(824).uint64(toBits(message.afterSequence));
  return writer;
}

function readDmesgRequest(reader, end) {
  const message = { follow: false, tail: false, sinceSeconds: 0, priorities: [], bootId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.follow = reader.bool(); break;
      case 16: message.tail = reader.bool(); break;
      case 800: message.sinceSeconds = reader.uint32(); break;
      case 810: message.priorities.push(reader.string()); break;
      case 818: message.bootId = reader.string(); break;
      case 824: message.afterSequence = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DmesgResponse = {
  name: 'nodecore.v1.DmesgResponse',
  encode: (message) => writeDmesgResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDmesgResponse(reader, reader.len); },
};

function writeDmesgResponse(message, writer) {
  if (message.records !== undefined) for (const item of message.records) writeKernelLogRecord(item, writer.uint32(10).fork()).ldelim();
  if (!(message.bootId === undefined || message.bootId === '')) writer.uint32(18).string(message.bootId);
  if (!(message.lost === undefined || message.lost === 0n)) writer.uint32(24).uint64(toBits(message.lost));
  if (!(message.lastSequence === undefined)) writer.uint32(32).uint64(toBits(message.lastSequence));
  return writer;
}

function readDmesgResponse(reader, end) {
  const message = { records: [], bootId: '', lost: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.records.push(readKernelLogRecord(reader, endOf(reader))); break;
      case 18: message.bootId = reader.string(); break;
      case 24: message.lost = readUnsigned(reader); break;
      case 32: message.lastSequence = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KernelLogRecord = {
  name: 'nodecore.v1.KernelLogRecord',
  encode: (message) => writeKernelLogRecord(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKernelLogRecord(reader, reader.len); },
};

function writeKernelLogRecord(message, writer) {
  if (!(message.sequence === undefined || message.sequence === 0n)) writer.uint32(8).uint64(toBits(message.sequence));
  if (!(message.clockMicros === undefined || message.clockMicros === 0n)) writer.uint32(16).uint64(toBits(message.clockMicros));
  if (!(message.timeMicros === undefined || message.timeMicros === 0n)) writer.uint32(24).uint64(toBits(message.timeMicros));
  if (!(message.facility === undefined || message.facility === '')) writer.uint32(34).string(message.facility);
  if (!(message.priority === undefined || message.priority === '')) writer.uint32(42).string(message.priority);
  if (!(message.message === undefined || message.message === '')) writer.uint32(50).string(message.message);
  return writer;
}

function readKernelLogRecord(reader, end) {
  const message = { sequence: 0n, clockMicros: 0n, timeMicros: 0n, facility: '', priority: '', message: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.sequence = readUnsigned(reader); break;
      case 16: message.clockMicros = readUnsigned(reader); break;
      case 24: message.timeMicros = readUnsigned(reader); break;
      case 34: message.facility = reader.string(); break;
      case 42: message.priority = reader.string(); break;
      case 50: message.message = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KvstoreStatusRequest = {
  name: 'nodecore.v1.KvstoreStatusRequest',
  encode: (message) => writeKvstoreStatusRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKvstoreStatusRequest(reader, reader.len); },
};

function writeKvstoreStatusRequest(message, writer) {
  return writer;
}

function readKvstoreStatusRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KvstoreStatusResponse = {
  name: 'nodecore.v1.KvstoreStatusResponse',
  encode: (message) => writeKvstoreStatusResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKvstoreStatusResponse(reader, reader.len); },
};

function writeKvstoreStatusResponse(message, writer) {
  if (!(message.memberId === undefined || message.memberId === 0n)) writer.uint32(8).uint64(toBits(message.memberId));
  if (!(message.version === undefined || message.version === '')) writer.uint32(18).string(message.version);
  if (!(message.storageVersion === undefined || message.storageVersion === '')) writer.uint32(26).string(message.storageVersion);
  if (!(message.dbSize === undefined || message.dbSize === 0n)) writer.uint32(32).int64(toBits(message.dbSize));
  if (!(message.dbSizeInUse === undefined || message.dbSizeInUse === 0n)) writer.uint32(40).int64(toBits(message.dbSizeInUse));
  if (!(message.leader === undefined || message.leader === 0n)) writer.uint32(48).uint64(toBits(message.leader));
  if (!(message.raftIndex === undefined || message.raftIndex === 0n)) writer.uint32(56).uint64(toBits(message.raftIndex));
  if (!(message.raftTerm === undefined || message.raftTerm === 0n)) writer.uint32(64).uint64(toBits(message.raftTerm));
  if (!(message.raftAppliedIndex === undefined || message.raftAppliedIndex === 0n)) writer.uint32(72).uint64(toBits(message.raftAppliedIndex));
  if (message.errors !== undefined) for (const item of message.errors) writer.uint32(82).string(item);
  if (!(message.isLearner === undefined || message.isLearner === false)) writer.uint32(88).bool(message.isLearner);
  return writer;
}

function readKvstoreStatusResponse(reader, end) {
  const message = { memberId: 0n, version: '', storageVersion: '', dbSize: 0n, dbSizeInUse: 0n, leader: 0n, raftIndex: 0n, raftTerm: 0n, raftAppliedIndex: 0n, errors: [], isLearner: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.memberId = readUnsigned(reader); break;
      case 18: message.version = reader.string(); break;
      case 26: message.storageVersion = reader.string(); break;
      case 32: message.dbSize = readSigned(reader); break;
      case 40: message.dbSizeInUse = readSigned(reader); break;
      case 48: message.leader = readUnsigned(reader); break;
      case 56: message.raftIndex = readUnsigned(reader); break;
      case 64: message.raftTerm = readUnsigned(reader); break;
      case 72: message.raftAppliedIndex = readUnsigned(reader); break;
      case 82: message.errors.push(reader.string()); break;
      case 88: message.isLearner = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KvstoreMembersRequest = {
  name: 'nodecore.v1.KvstoreMembersRequest',
  encode: (message) => writeKvstoreMembersRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKvstoreMembersRequest(reader, reader.len); },
};

function writeKvstoreMembersRequest(message, writer) {
  return writer;
}

function readKvstoreMembersRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KvstoreMembersResponse = {
  name: 'nodecore.v1.KvstoreMembersResponse',
  encode: (message) => writeKvstoreMembersResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKvstoreMembersResponse(reader, reader.len); },
};

function writeKvstoreMembersResponse(message, writer) {
  if (message.members !== undefined) for (const item of message.members) writeKvstoreMember(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readKvstoreMembersResponse(reader, end) {
  const message = { members: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.members.push(readKvstoreMember(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KvstoreMember = {
  name: 'nodecore.v1.KvstoreMember',
  encode: (message) => writeKvstoreMember(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKvstoreMember(reader, reader.len); },
};

function writeKvstoreMember(message, writer) {
  if (!(message.id === undefined || message.id === 0n)) writer.uint32(8).uint64(toBits(message.id));
  if (!(message.hostname === undefined || message.hostname === '')) writer.uint32(18).string(message.hostname);
  if (message.peerUrls !== undefined) for (const item of message.peerUrls) writer.uint32(26).string(item);
  if (message.clientUrls !== undefined) for (const item of message.clientUrls) writer.uint32(34).string(item);
  if (!(message.isLearner === undefined || message.isLearner === false)) writer.uint32(40).bool(message.isLearner);
  return writer;
}

function readKvstoreMember(reader, end) {
  const message = { id: 0n, hostname: '', peerUrls: [], clientUrls: [], isLearner: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.id = readUnsigned(reader); break;
      case 18: message.hostname = reader.string(); break;
      case 26: message.peerUrls.push(reader.string()); break;
      case 34: message.clientUrls.push(reader.string()); break;
      case 40: message.isLearner = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KvstoreAlarm = {
  name: 'nodecore.v1.KvstoreAlarm',
  encode: (message) => writeKvstoreAlarm(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKvstoreAlarm(reader, reader.len); },
};

function writeKvstoreAlarm(message, writer) {
  if (!(message.memberId === undefined || message.memberId === 0n)) writer.uint32(8).uint64(toBits(message.memberId));
  if (!(message.type === undefined || message.type === 0)) writer.uint32(16).int32(message.type);
  return writer;
}

function readKvstoreAlarm(reader, end) {
  const message = { memberId: 0n, type: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.memberId = readUnsigned(reader); break;
      case 16: message.type = reader.int32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KvstoreAlarmsRequest = {
  name: 'nodecore.v1.KvstoreAlarmsRequest',
  encode: (message) => writeKvstoreAlarmsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKvstoreAlarmsRequest(reader, reader.len); },
};

function writeKvstoreAlarmsRequest(message, writer) {
  return writer;
}

function readKvstoreAlarmsRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KvstoreAlarmsResponse = {
  name: 'nodecore.v1.KvstoreAlarmsResponse',
  encode: (message) => writeKvstoreAlarmsResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKvstoreAlarmsResponse(reader, reader.len); },
};

function writeKvstoreAlarmsResponse(message, writer) {
  if (message.alarms !== undefined) for (const item of message.alarms) writeKvstoreAlarm(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readKvstoreAlarmsResponse(reader, end) {
  const message = { alarms: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.alarms.push(readKvstoreAlarm(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DisarmAlarmsRequest = {
  name: 'nodecore.v1.DisarmAlarmsRequest',
  encode: (message) => writeDisarmAlarmsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDisarmAlarmsRequest(reader, reader.len); },
};

function writeDisarmAlarmsRequest(message, writer) {
  if (message.alarms !== undefined) for (const item of message.alarms) writeKvstoreAlarm(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readDisarmAlarmsRequest(reader, end) {
  const message = { alarms: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.alarms.push(readKvstoreAlarm(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DisarmAlarmsResponse = {
  name: 'nodecore.v1.DisarmAlarmsResponse',
  encode: (message) => writeDisarmAlarmsResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDisarmAlarmsResponse(reader, reader.len); },
};

function writeDisarmAlarmsResponse(message, writer) {
  if (message.disarmed !== undefined) for (const item of message.disarmed) writeKvstoreAlarm(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readDisarmAlarmsResponse(reader, end) {
  const message = { disarmed: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.disarmed.push(readKvstoreAlarm(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KvstoreSnapshotRequest = {
  name: 'nodecore.v1.KvstoreSnapshotRequest',
  encode: (message) => writeKvstoreSnapshotRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKvstoreSnapshotRequest(reader, reader.len); },
};

function writeKvstoreSnapshotRequest(message, writer) {
  return writer;
}

function readKvstoreSnapshotRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const KvstoreSnapshotResponse = {
  name: 'nodecore.v1.KvstoreSnapshotResponse',
  encode: (message) => writeKvstoreSnapshotResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readKvstoreSnapshotResponse(reader, reader.len); },
};

function writeKvstoreSnapshotResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  if (!(message.totalBytes === undefined || message.totalBytes === 0n)) writer.uint32(16).uint64(toBits(message.totalBytes));
  return writer;
}

function readKvstoreSnapshotResponse(reader, end) {
  const message = { data: new Uint8Array(), totalBytes: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      case 16: message.totalBytes = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DefragmentRequest = {
  name: 'nodecore.v1.DefragmentRequest',
  encode: (message) => writeDefragmentRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDefragmentRequest(reader, reader.len); },
};

function writeDefragmentRequest(message, writer) {
  if (!(message.dryRun === undefined || message.dryRun === false)) writer.uint32(8).bool(message.dryRun);
  if (!(message.force === undefined || message.force === false)) writer.uint32(16).bool(message.force);
  return writer;
}

function readDefragmentRequest(reader, end) {
  const message = { dryRun: false, force: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.dryRun = reader.bool(); break;
      case 16: message.force = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DefragmentResponse = {
  name: 'nodecore.v1.DefragmentResponse',
  encode: (message) => writeDefragmentResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDefragmentResponse(reader, reader.len); },
};

function writeDefragmentResponse(message, writer) {
  if (!(message.memberId === undefined || message.memberId === 0n)) writer.uint32(8).uint64(toBits(message.memberId));
  if (!(message.state === undefined || message.state === 0)) writer.uint32(16).int32(message.state);
  if (!(message.dbSizeBefore === undefined || message.dbSizeBefore === 0n)) writer.uint32(24).int64(toBits(message.dbSizeBefore));
  if (!(message.dbSizeInUse === undefined || message.dbSizeInUse === 0n)) writer.uint32(32).int64(toBits(message.dbSizeInUse));
  if (!(message.dbSizeAfter === undefined || message.dbSizeAfter === 0n)) writer.uint32(40).int64(toBits(message.dbSizeAfter));
  if (!(message.estimatedMillis === undefined || message.estimatedMillis === 0n)) writer.uint32(48).uint64(toBits(message.estimatedMillis));
  if (!(message.elapsedMillis === undefined || message.elapsedMillis === 0n)) writer.uint32(56).uint64(toBits(message.elapsedMillis));
  if (!(message.message === undefined || message.message === '')) writer.uint32(66).string(message.message);
  return writer;
}

function readDefragmentResponse(reader, end) {
  const message = { memberId: 0n, state: 0, dbSizeBefore: 0n, dbSizeInUse: 0n, dbSizeAfter: 0n, estimatedMillis: 0n, elapsedMillis: 0n, message: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.memberId = readUnsigned(reader); break;
      case 16: message.state = reader.int32(); break;
      case 24: message.dbSizeBefore = readSigned(reader); break;
      case 32: message.dbSizeInUse = readSigned(reader); break;
      case 40: message.dbSizeAfter = readSigned(reader); break;
      case 48: message.estimatedMillis = readUnsigned(reader); break;
      case 56: message.elapsedMillis = readUnsigned(reader); break;
      case 66: message.message = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RecoverSpaceRequest = {
  name: 'nodecore.v1.RecoverSpaceRequest',
  encode: (message) => writeRecoverSpaceRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRecoverSpaceRequest(reader, reader.len); },
};

function writeRecoverSpaceRequest(message, writer) {
  return writer;
}

function readRecoverSpaceRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RecoverSpaceResponse = {
  name: 'nodecore.v1.RecoverSpaceResponse',
  encode: (message) => writeRecoverSpaceResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRecoverSpaceResponse(reader, reader.len); },
};

function writeRecoverSpaceResponse(message, writer) {
  if (!(message.message === undefined || message.message === '')) writer.uint32(10).string(message.message);
  if (!(message.report === undefined)) writeRecoverSpaceReport(message.report, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readRecoverSpaceResponse(reader, end) {
  const message = { message: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.message = reader.string(); break;
      case 18: message.report = readRecoverSpaceReport(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RecoverSpaceReport = {
  name: 'nodecore.v1.RecoverSpaceReport',
  encode: (message) => writeRecoverSpaceReport(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRecoverSpaceReport(reader, reader.len); },
};

function writeRecoverSpaceReport(message, writer) {
  if (!(message.compactedTo === undefined || message.compactedTo === 0n)) writer.uint32(8).uint64(toBits(message.compactedTo));
  if (message.disarmed !== undefined) for (const item of message.disarmed) writeKvstoreAlarm(item, writer.uint32(18).fork()).ldelim();
  if (!(message.defragmented === undefined || message.defragmented === 0)) writer.uint32(24).uint32(message.defragmented);
  return writer;
}

function readRecoverSpaceReport(reader, end) {
  const message = { compactedTo: 0n, disarmed: [], defragmented: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.compactedTo = readUnsigned(reader); break;
      case 18: message.disarmed.push(readKvstoreAlarm(reader, endOf(reader))); break;
      case 24: message.defragmented = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ForfeitLeadershipRequest = {
  name: 'nodecore.v1.ForfeitLeadershipRequest',
  encode: (message) => writeForfeitLeadershipRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readForfeitLeadershipRequest(reader, reader.len); },
};

function writeForfeitLeadershipRequest(message, writer) {
  return writer;
}

function readForfeitLeadershipRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ForfeitLeadershipResponse = {
  name: 'nodecore.v1.ForfeitLeadershipResponse',
  encode: (message) => writeForfeitLeadershipResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readForfeitLeadershipResponse(reader, reader.len); },
};

function writeForfeitLeadershipResponse(message, writer) {
  if (!(message.member === undefined || message.member === '')) writer.uint32(10).string(message.member);
  return writer;
}

function readForfeitLeadershipResponse(reader, end) {
  const message = { member: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.member = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LeaveKvstoreRequest = {
  name: 'nodecore.v1.LeaveKvstoreRequest',
  encode: (message) => writeLeaveKvstoreRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLeaveKvstoreRequest(reader, reader.len); },
};

function writeLeaveKvstoreRequest(message, writer) {
  return writer;
}

function readLeaveKvstoreRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LeaveKvstoreResponse = {
  name: 'nodecore.v1.LeaveKvstoreResponse',
  encode: (message) => writeLeaveKvstoreResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLeaveKvstoreResponse(reader, reader.len); },
};

function writeLeaveKvstoreResponse(message, writer) {
  return writer;
}

function readLeaveKvstoreResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RemoveMemberRequest = {
  name: 'nodecore.v1.RemoveMemberRequest',
  encode: (message) => writeRemoveMemberRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRemoveMemberRequest(reader, reader.len); },
};

function writeRemoveMemberRequest(message, writer) {
  if (!(message.memberId === undefined || message.memberId === 0n)) writer.uint32(8).uint64(toBits(message.memberId));
  if (!(message.force === undefined || message.force === false)) writer.uint32(16).bool(message.force);
  return writer;
}

function readRemoveMemberRequest(reader, end) {
  const message = { memberId: 0n, force: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.memberId = readUnsigned(reader); break;
      case 16: message.force = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RemoveMemberResponse = {
  name: 'nodecore.v1.RemoveMemberResponse',
  encode: (message) => writeRemoveMemberResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRemoveMemberResponse(reader, reader.len); },
};

function writeRemoveMemberResponse(message, writer) {
  return writer;
}

function readRemoveMemberResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DowngradeRequest = {
  name: 'nodecore.v1.DowngradeRequest',
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
  name: 'nodecore.v1.DowngradeResponse',
  encode: (message) => writeDowngradeResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDowngradeResponse(reader, reader.len); },
};

function writeDowngradeResponse(message, writer) {
  if (!(message.clusterVersion === undefined || message.clusterVersion === '')) writer.uint32(10).string(message.clusterVersion);
  return writer;
}

function readDowngradeResponse(reader, end) {
  const message = { clusterVersion: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.clusterVersion = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RecoverRequest = {
  name: 'nodecore.v1.RecoverRequest',
  encode: (message) => writeRecoverRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRecoverRequest(reader, reader.len); },
};

function writeRecoverRequest(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  if (!(message.totalBytes === undefined || message.totalBytes === 0n)) writer.uint32(24).uint64(toBits(message.totalBytes));
  if (!(message.sha256 === undefined || message.sha256.length === 0)) writer.uint32(18).bytes(message.sha256);
  return writer;
}

function readRecoverRequest(reader, end) {
  const message = { data: new Uint8Array(), totalBytes: 0n, sha256: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      case 24: message.totalBytes = readUnsigned(reader); break;
      case 18: message.sha256 = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RecoverResponse = {
  name: 'nodecore.v1.RecoverResponse',
  encode: (message) => writeRecoverResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRecoverResponse(reader, reader.len); },
};

function writeRecoverResponse(message, writer) {
  if (!(message.sizeBytes === undefined || message.sizeBytes === 0n)) writer.uint32(8).uint64(toBits(message.sizeBytes));
  return writer;
}

function readRecoverResponse(reader, end) {
  const message = { sizeBytes: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.sizeBytes = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const BootstrapRequest = {
  name: 'nodecore.v1.BootstrapRequest',
  encode: (message) => writeBootstrapRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readBootstrapRequest(reader, reader.len); },
};

function writeBootstrapRequest(message, writer) {
  if (!(message.recover === undefined || message.recover === false)) writer.uint32(8).bool(message.recover);
  if (!(message.skipHashCheck === undefined || message.skipHashCheck === false)) writer.uint32(16).bool(message.skipHashCheck);
  if (!(message.revisionBump === undefined || message.revisionBump === 0n)) writer.uint32(24).uint64(toBits(message.revisionBump));
  if (!(message.snapshotSha256 === undefined || message.snapshotSha256 === '')) writer.uint32(34).string(message.snapshotSha256);
  return writer;
}

function readBootstrapRequest(reader, end) {
  const message = { recover: false, skipHashCheck: false, revisionBump: 0n, snapshotSha256: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.recover = reader.bool(); break;
      case 16: message.skipHashCheck = reader.bool(); break;
      case 24: message.revisionBump = readUnsigned(reader); break;
      case 34: message.snapshotSha256 = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const BootstrapResponse = {
  name: 'nodecore.v1.BootstrapResponse',
  encode: (message) => writeBootstrapResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readBootstrapResponse(reader, reader.len); },
};

function writeBootstrapResponse(message, writer) {
  if (!(message.step === undefined || message.step === '')) writer.uint32(10).string(message.step);
  if (!(message.message === undefined || message.message === '')) writer.uint32(18).string(message.message);
  if (!(message.memberId === undefined || message.memberId === 0n)) writer.uint32(24).uint64(toBits(message.memberId));
  return writer;
}

function readBootstrapResponse(reader, end) {
  const message = { step: '', message: '', memberId: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.step = reader.string(); break;
      case 18: message.message = reader.string(); break;
      case 24: message.memberId = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ContainerdInstance = {
  name: 'nodecore.v1.ContainerdInstance',
  encode: (message) => writeContainerdInstance(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readContainerdInstance(reader, reader.len); },
};

function writeContainerdInstance(message, writer) {
  if (!(message.driver === undefined || message.driver === '')) writer.uint32(10).string(message.driver);
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(18).string(message.namespace);
  return writer;
}

function readContainerdInstance(reader, end) {
  const message = { driver: '', namespace: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.driver = reader.string(); break;
      case 18: message.namespace = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const InstallerSource = {
  name: 'nodecore.v1.InstallerSource',
  encode: (message) => writeInstallerSource(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readInstallerSource(reader, reader.len); },
};

function writeInstallerSource(message, writer) {
  if (!(message.imageName === undefined || message.imageName === '')) writer.uint32(10).string(message.imageName);
  return writer;
}

function readInstallerSource(reader, end) {
  const message = { imageName: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.imageName = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const InstallDestination = {
  name: 'nodecore.v1.InstallDestination',
  encode: (message) => writeInstallDestination(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readInstallDestination(reader, reader.len); },
};

function writeInstallDestination(message, writer) {
  if (!(message.disk === undefined || message.disk === '')) writer.uint32(10).string(message.disk);
  return writer;
}

function readInstallDestination(reader, end) {
  const message = { disk: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.disk = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const InstallRequest = {
  name: 'nodecore.v1.InstallRequest',
  encode: (message) => writeInstallRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readInstallRequest(reader, reader.len); },
};

function writeInstallRequest(message, writer) {
  if (!(message.containerd === undefined)) writeContainerdInstance(message.containerd, writer.uint32(10).fork()).ldelim();
  if (!(message.source === undefined)) writeInstallerSource(message.source, writer.uint32(18).fork()).ldelim();
  if (!(message.destination === undefined)) writeInstallDestination(message.destination, writer.uint32(26).fork()).ldelim();
  if (!(message.expectedDigest === undefined || message.expectedDigest === '')) writer.uint32(802).string(message.expectedDigest);
  if (!(message.dryRun === undefined || message.dryRun === false)) writer.uint32(808).bool(message.dryRun);
  if (!(message.force === undefined || message.force === false)) writer.uint32(816).bool(message.force);
  if (!(message.wipe === undefined || message.wipe === false)) writer.uint32(824).bool(message.wipe);
  return writer;
}

function readInstallRequest(reader, end) {
  const message = { expectedDigest: '', dryRun: false, force: false, wipe: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.containerd = readContainerdInstance(reader, endOf(reader)); break;
      case 18: message.source = readInstallerSource(reader, endOf(reader)); break;
      case 26: message.destination = readInstallDestination(reader, endOf(reader)); break;
      case 802: message.expectedDigest = reader.string(); break;
      case 808: message.dryRun = reader.bool(); break;
      case 816: message.force = reader.bool(); break;
      case 824: message.wipe = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const UpgradeRequest = {
  name: 'nodecore.v1.UpgradeRequest',
  encode: (message) => writeUpgradeRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readUpgradeRequest(reader, reader.len); },
};

function writeUpgradeRequest(message, writer) {
  if (!(message.containerd === undefined)) writeContainerdInstance(message.containerd, writer.uint32(10).fork()).ldelim();
  if (!(message.source === undefined)) writeInstallerSource(message.source, writer.uint32(18).fork()).ldelim();
  if (!(message.expectedDigest === undefined || message.expectedDigest === '')) writer.uint32(802).string(message.expectedDigest);
  if (!(message.dryRun === undefined || message.dryRun === false)) writer.uint32(808).bool(message.dryRun);
  if (!(message.force === undefined || message.force === false)) writer.uint32(816).bool(message.force);
  return writer;
}

function readUpgradeRequest(reader, end) {
  const message = { expectedDigest: '', dryRun: false, force: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.containerd = readContainerdInstance(reader, endOf(reader)); break;
      case 18: message.source = readInstallerSource(reader, endOf(reader)); break;
      case 802: message.expectedDigest = reader.string(); break;
      case 808: message.dryRun = reader.bool(); break;
      case 816: message.force = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const UpgradeResponse = {
  name: 'nodecore.v1.UpgradeResponse',
  encode: (message) => writeUpgradeResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readUpgradeResponse(reader, reader.len); },
};

function writeUpgradeResponse(message, writer) {
  if (!(message.message === undefined || message.message === '')) writer.uint32(10).string(message.message);
  if (!(message.exitCode === undefined)) writer.uint32(16).int32(message.exitCode);
  if (!(message.phase === undefined || message.phase === 0)) writer.uint32(800).int32(message.phase);
  if (!(message.doneBytes === undefined || message.doneBytes === 0n)) writer.uint32(808).uint64(toBits(message.doneBytes));
  if (!(message.totalBytes === undefined || message.totalBytes === 0n)) writer.uint32(816).uint64(toBits(message.totalBytes));
  if (!(message.entry === undefined || message.entry === '')) writer.uint32(826).string(message.entry);
  if (!(message.version === undefined || message.version === '')) writer.uint32(834).string(message.version);
  if (!(message.actorId === undefined || message.actorId === '')) writer.uint32(842).string(message.actorId);
  return writer;
}

function readUpgradeResponse(reader, end) {
  const message = { message: '', phase: 0, doneBytes: 0n, totalBytes: 0n, entry: '', version: '', actorId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.message = reader.string(); break;
      case 16: message.exitCode = reader.int32(); break;
      case 800: message.phase = reader.int32(); break;
      case 808: message.doneBytes = readUnsigned(reader); break;
      case 816: message.totalBytes = readUnsigned(reader); break;
      case 826: message.entry = reader.string(); break;
      case 834: message.version = reader.string(); break;
      case 842: message.actorId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const InstallResponse = {
  name: 'nodecore.v1.InstallResponse',
  encode: (message) => writeInstallResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readInstallResponse(reader, reader.len); },
};

function writeInstallResponse(message, writer) {
  if (!(message.message === undefined || message.message === '')) writer.uint32(10).string(message.message);
  if (!(message.exitCode === undefined)) writer.uint32(16).int32(message.exitCode);
  if (!(message.phase === undefined || message.phase === 0)) writer.uint32(800).int32(message.phase);
  if (!(message.doneBytes === undefined || message.doneBytes === 0n)) writer.uint32(808).uint64(toBits(message.doneBytes));
  if (!(message.totalBytes === undefined || message.totalBytes === 0n)) writer.uint32(816).uint64(toBits(message.totalBytes));
  if (!(message.entry === undefined || message.entry === '')) writer.uint32(826).string(message.entry);
  if (!(message.version === undefined || message.version === '')) writer.uint32(834).string(message.version);
  if (!(message.actorId === undefined || message.actorId === '')) writer.uint32(842).string(message.actorId);
  return writer;
}

function readInstallResponse(reader, end) {
  const message = { message: '', phase: 0, doneBytes: 0n, totalBytes: 0n, entry: '', version: '', actorId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.message = reader.string(); break;
      case 16: message.exitCode = reader.int32(); break;
      case 800: message.phase = reader.int32(); break;
      case 808: message.doneBytes = readUnsigned(reader); break;
      case 816: message.totalBytes = readUnsigned(reader); break;
      case 826: message.entry = reader.string(); break;
      case 834: message.version = reader.string(); break;
      case 842: message.actorId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const GenerateClientConfigurationRequest = {
  name: 'nodecore.v1.GenerateClientConfigurationRequest',
  encode: (message) => writeGenerateClientConfigurationRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readGenerateClientConfigurationRequest(reader, reader.len); },
};

function writeGenerateClientConfigurationRequest(message, writer) {
  if (message.roles !== undefined) for (const item of message.roles) writer.uint32(10).string(item);
  if (!(message.ttlMillis === undefined || message.ttlMillis === 0n)) writer.uint32(16).uint64(toBits(message.ttlMillis));
  if (!(message.csr === undefined || message.csr === '')) writer.uint32(802).string(message.csr);
  return writer;
}

function readGenerateClientConfigurationRequest(reader, end) {
  const message = { roles: [], ttlMillis: 0n, csr: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.roles.push(reader.string()); break;
      case 16: message.ttlMillis = readUnsigned(reader); break;
      case 802: message.csr = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const GenerateClientConfigurationResponse = {
  name: 'nodecore.v1.GenerateClientConfigurationResponse',
  encode: (message) => writeGenerateClientConfigurationResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readGenerateClientConfigurationResponse(reader, reader.len); },
};

function writeGenerateClientConfigurationResponse(message, writer) {
  if (!(message.ca === undefined || message.ca === '')) writer.uint32(10).string(message.ca);
  if (!(message.crt === undefined || message.crt === '')) writer.uint32(18).string(message.crt);
  if (!(message.clusterName === undefined || message.clusterName === '')) writer.uint32(26).string(message.clusterName);
  return writer;
}

function readGenerateClientConfigurationResponse(reader, end) {
  const message = { ca: '', crt: '', clusterName: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.ca = reader.string(); break;
      case 18: message.crt = reader.string(); break;
      case 26: message.clusterName = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RebootRequest = {
  name: 'nodecore.v1.RebootRequest',
  encode: (message) => writeRebootRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRebootRequest(reader, reader.len); },
};

function writeRebootRequest(message, writer) {
  if (!(message.mode === undefined || message.mode === 0)) writer.uint32(8).int32(message.mode);
  return writer;
}

function readRebootRequest(reader, end) {
  const message = { mode: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.mode = reader.int32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RebootResponse = {
  name: 'nodecore.v1.RebootResponse',
  encode: (message) => writeRebootResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRebootResponse(reader, reader.len); },
};

function writeRebootResponse(message, writer) {
  if (!(message.actorId === undefined || message.actorId === '')) writer.uint32(10).string(message.actorId);
  return writer;
}

function readRebootResponse(reader, end) {
  const message = { actorId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.actorId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ShutdownRequest = {
  name: 'nodecore.v1.ShutdownRequest',
  encode: (message) => writeShutdownRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readShutdownRequest(reader, reader.len); },
};

function writeShutdownRequest(message, writer) {
  if (!(message.force === undefined || message.force === false)) writer.uint32(8).bool(message.force);
  return writer;
}

function readShutdownRequest(reader, end) {
  const message = { force: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.force = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ShutdownResponse = {
  name: 'nodecore.v1.ShutdownResponse',
  encode: (message) => writeShutdownResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readShutdownResponse(reader, reader.len); },
};

function writeShutdownResponse(message, writer) {
  if (!(message.actorId === undefined || message.actorId === '')) writer.uint32(10).string(message.actorId);
  return writer;
}

function readShutdownResponse(reader, end) {
  const message = { actorId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.actorId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RollbackRequest = {
  name: 'nodecore.v1.RollbackRequest',
  encode: (message) => writeRollbackRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRollbackRequest(reader, reader.len); },
};

function writeRollbackRequest(message, writer) {
  if (!(message.force === undefined || message.force === false)) writer.uint32(800).bool(message.force);
  return writer;
}

function readRollbackRequest(reader, end) {
  const message = { force: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 800: message.force = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RollbackResponse = {
  name: 'nodecore.v1.RollbackResponse',
  encode: (message) => writeRollbackResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRollbackResponse(reader, reader.len); },
};

function writeRollbackResponse(message, writer) {
  if (!(message.version === undefined || message.version === '')) writer.uint32(10).string(message.version);
  if (!(message.entry === undefined || message.entry === '')) writer.uint32(18).string(message.entry);
  if (!(message.actorId === undefined || message.actorId === '')) writer.uint32(26).string(message.actorId);
  return writer;
}

function readRollbackResponse(reader, end) {
  const message = { version: '', entry: '', actorId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.version = reader.string(); break;
      case 18: message.entry = reader.string(); break;
      case 26: message.actorId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MetaWriteRequest = {
  name: 'nodecore.v1.MetaWriteRequest',
  encode: (message) => writeMetaWriteRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMetaWriteRequest(reader, reader.len); },
};

function writeMetaWriteRequest(message, writer) {
  if (!(message.key === undefined || message.key === 0)) writer.uint32(8).uint32(message.key);
  if (!(message.value === undefined || message.value.length === 0)) writer.uint32(18).bytes(message.value);
  return writer;
}

function readMetaWriteRequest(reader, end) {
  const message = { key: 0, value: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.key = reader.uint32(); break;
      case 18: message.value = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MetaWriteResponse = {
  name: 'nodecore.v1.MetaWriteResponse',
  encode: (message) => writeMetaWriteResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMetaWriteResponse(reader, reader.len); },
};

function writeMetaWriteResponse(message, writer) {
  return writer;
}

function readMetaWriteResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MetaDeleteRequest = {
  name: 'nodecore.v1.MetaDeleteRequest',
  encode: (message) => writeMetaDeleteRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMetaDeleteRequest(reader, reader.len); },
};

function writeMetaDeleteRequest(message, writer) {
  if (!(message.key === undefined || message.key === 0)) writer.uint32(8).uint32(message.key);
  return writer;
}

function readMetaDeleteRequest(reader, end) {
  const message = { key: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.key = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MetaDeleteResponse = {
  name: 'nodecore.v1.MetaDeleteResponse',
  encode: (message) => writeMetaDeleteResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMetaDeleteResponse(reader, reader.len); },
};

function writeMetaDeleteResponse(message, writer) {
  return writer;
}

function readMetaDeleteResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AccessRequest = {
  name: 'nodecore.v1.AccessRequest',
  encode: (message) => writeAccessRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAccessRequest(reader, reader.len); },
};

function writeAccessRequest(message, writer) {
  return writer;
}

function readAccessRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AccessResponse = {
  name: 'nodecore.v1.AccessResponse',
  encode: (message) => writeAccessResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAccessResponse(reader, reader.len); },
};

function writeAccessResponse(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (message.roles !== undefined) for (const item of message.roles) writer.uint32(18).string(item);
  if (!(message.maintenance === undefined || message.maintenance === false)) writer.uint32(24).bool(message.maintenance);
  if (message.methods !== undefined) for (const item of message.methods) writeMethodAccess(item, writer.uint32(34).fork()).ldelim();
  return writer;
}

function readAccessResponse(reader, end) {
  const message = { name: '', roles: [], maintenance: false, methods: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 18: message.roles.push(reader.string()); break;
      case 24: message.maintenance = reader.bool(); break;
      case 34: message.methods.push(readMethodAccess(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MethodAccess = {
  name: 'nodecore.v1.MethodAccess',
  encode: (message) => writeMethodAccess(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMethodAccess(reader, reader.len); },
};

function writeMethodAccess(message, writer) {
  if (!(message.method === undefined || message.method === '')) writer.uint32(10).string(message.method);
  if (!(message.allowed === undefined || message.allowed === false)) writer.uint32(16).bool(message.allowed);
  if (message.roles !== undefined) for (const item of message.roles) writer.uint32(26).string(item);
  return writer;
}

function readMethodAccess(reader, end) {
  const message = { method: '', allowed: false, roles: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.method = reader.string(); break;
      case 16: message.allowed = reader.bool(); break;
      case 26: message.roles.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ApplyConfigurationRequest = {
  name: 'nodecore.v1.ApplyConfigurationRequest',
  encode: (message) => writeApplyConfigurationRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readApplyConfigurationRequest(reader, reader.len); },
};

function writeApplyConfigurationRequest(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  if (!(message.mode === undefined || message.mode === 0)) writer.uint32(16).int32(message.mode);
  if (!(message.dryRun === undefined || message.dryRun === false)) writer.uint32(24).bool(message.dryRun);
  if (!(message.tryTimeoutMillis === undefined || message.tryTimeoutMillis === 0)) writer.uint32(32).uint32(message.tryTimeoutMillis);
  if (!(message.expectedVersion === undefined)) writer.uint32(40).uint64(toBits(message.expectedVersion));
  return writer;
}

function readApplyConfigurationRequest(reader, end) {
  const message = { data: new Uint8Array(), mode: 0, dryRun: false, tryTimeoutMillis: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      case 16: message.mode = reader.int32(); break;
      case 24: message.dryRun = reader.bool(); break;
      case 32: message.tryTimeoutMillis = reader.uint32(); break;
      case 40: message.expectedVersion = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ApplyConfigurationResponse = {
  name: 'nodecore.v1.ApplyConfigurationResponse',
  encode: (message) => writeApplyConfigurationResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readApplyConfigurationResponse(reader, reader.len); },
};

function writeApplyConfigurationResponse(message, writer) {
  if (message.warnings !== undefined) for (const item of message.warnings) writer.uint32(10).string(item);
  if (!(message.mode === undefined || message.mode === 0)) writer.uint32(16).int32(message.mode);
  if (!(message.modeDetails === undefined || message.modeDetails === '')) writer.uint32(26).string(message.modeDetails);
  if (!(message.diff === undefined || message.diff === '')) writer.uint32(34).string(message.diff);
  if (!(message.durable === undefined || message.durable === false)) writer.uint32(40).bool(message.durable);
  if (!(message.version === undefined || message.version === 0n)) writer.uint32(48).uint64(toBits(message.version));
  if (!(message.actorId === undefined || message.actorId === '')) writer.uint32(58).string(message.actorId);
  return writer;
}

function readApplyConfigurationResponse(reader, end) {
  const message = { warnings: [], mode: 0, modeDetails: '', diff: '', durable: false, version: 0n, actorId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.warnings.push(reader.string()); break;
      case 16: message.mode = reader.int32(); break;
      case 26: message.modeDetails = reader.string(); break;
      case 34: message.diff = reader.string(); break;
      case 40: message.durable = reader.bool(); break;
      case 48: message.version = readUnsigned(reader); break;
      case 58: message.actorId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const VersionRequest = {
  name: 'nodecore.v1.VersionRequest',
  encode: (message) => writeVersionRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readVersionRequest(reader, reader.len); },
};

function writeVersionRequest(message, writer) {
  return writer;
}

function readVersionRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const VersionResponse = {
  name: 'nodecore.v1.VersionResponse',
  encode: (message) => writeVersionResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readVersionResponse(reader, reader.len); },
};

function writeVersionResponse(message, writer) {
  if (!(message.hostname === undefined || message.hostname === '')) writer.uint32(10).string(message.hostname);
  if (!(message.version === undefined || message.version === '')) writer.uint32(18).string(message.version);
  if (!(message.revision === undefined || message.revision === '')) writer.uint32(26).string(message.revision);
  if (!(message.built === undefined || message.built === '')) writer.uint32(34).string(message.built);
  if (!(message.runtime === undefined || message.runtime === '')) writer.uint32(42).string(message.runtime);
  if (!(message.os === undefined || message.os === '')) writer.uint32(50).string(message.os);
  if (!(message.arch === undefined || message.arch === '')) writer.uint32(58).string(message.arch);
  if (!(message.kernel === undefined || message.kernel === '')) writer.uint32(66).string(message.kernel);
  if (!(message.maintenance === undefined || message.maintenance === false)) writer.uint32(72).bool(message.maintenance);
  return writer;
}

function readVersionResponse(reader, end) {
  const message = { hostname: '', version: '', revision: '', built: '', runtime: '', os: '', arch: '', kernel: '', maintenance: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.hostname = reader.string(); break;
      case 18: message.version = reader.string(); break;
      case 26: message.revision = reader.string(); break;
      case 34: message.built = reader.string(); break;
      case 42: message.runtime = reader.string(); break;
      case 50: message.os = reader.string(); break;
      case 58: message.arch = reader.string(); break;
      case 66: message.kernel = reader.string(); break;
      case 72: message.maintenance = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MountsRequest = {
  name: 'nodecore.v1.MountsRequest',
  encode: (message) => writeMountsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMountsRequest(reader, reader.len); },
};

function writeMountsRequest(message, writer) {
  return writer;
}

function readMountsRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MountsResponse = {
  name: 'nodecore.v1.MountsResponse',
  encode: (message) => writeMountsResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMountsResponse(reader, reader.len); },
};

function writeMountsResponse(message, writer) {
  if (message.mounts !== undefined) for (const item of message.mounts) writeMount(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readMountsResponse(reader, end) {
  const message = { mounts: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.mounts.push(readMount(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Mount = {
  name: 'nodecore.v1.Mount',
  encode: (message) => writeMount(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMount(reader, reader.len); },
};

function writeMount(message, writer) {
  if (!(message.source === undefined || message.source === '')) writer.uint32(10).string(message.source);
  if (!(message.target === undefined || message.target === '')) writer.uint32(18).string(message.target);
  if (!(message.type === undefined || message.type === '')) writer.uint32(26).string(message.type);
  if (message.options !== undefined) for (const item of message.options) writer.uint32(34).string(item);
  if (!(message.sizeBytes === undefined)) writer.uint32(40).uint64(toBits(message.sizeBytes));
  if (!(message.usedBytes === undefined)) writer.uint32(48).uint64(toBits(message.usedBytes));
  if (!(message.availableBytes === undefined)) writer.uint32(56).uint64(toBits(message.availableBytes));
  if (!(message.inodes === undefined)) writer.uint32(64).uint64(toBits(message.inodes));
  if (!(message.inodesFree === undefined)) writer.uint32(72).uint64(toBits(message.inodesFree));
  if (!(message.error === undefined || message.error === '')) writer.uint32(82).string(message.error);
  return writer;
}

function readMount(reader, end) {
  const message = { source: '', target: '', type: '', options: [], error: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.source = reader.string(); break;
      case 18: message.target = reader.string(); break;
      case 26: message.type = reader.string(); break;
      case 34: message.options.push(reader.string()); break;
      case 40: message.sizeBytes = readUnsigned(reader); break;
      case 48: message.usedBytes = readUnsigned(reader); break;
      case 56: message.availableBytes = readUnsigned(reader); break;
      case 64: message.inodes = readUnsigned(reader); break;
      case 72: message.inodesFree = readUnsigned(reader); break;
      case 82: message.error = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ErrorInfo = {
  name: 'nodecore.v1.ErrorInfo',
  encode: (message) => writeErrorInfo(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readErrorInfo(reader, reader.len); },
};

function writeErrorInfo(message, writer) {
  if (!(message.code === undefined || message.code === '')) writer.uint32(10).string(message.code);
  if (message.problems !== undefined) for (const item of message.problems) writeProblem(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readErrorInfo(reader, end) {
  const message = { code: '', problems: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.code = reader.string(); break;
      case 18: message.problems.push(readProblem(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Problem = {
  name: 'nodecore.v1.Problem',
  encode: (message) => writeProblem(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readProblem(reader, reader.len); },
};

function writeProblem(message, writer) {
  if (!(message.code === undefined || message.code === '')) writer.uint32(10).string(message.code);
  if (!(message.message === undefined || message.message === '')) writer.uint32(18).string(message.message);
  if (!(message.document === undefined || message.document === '')) writer.uint32(26).string(message.document);
  if (!(message.path === undefined || message.path === '')) writer.uint32(34).string(message.path);
  if (!(message.line === undefined || message.line === 0)) writer.uint32(40).uint32(message.line);
  if (!(message.column === undefined || message.column === 0)) writer.uint32(48).uint32(message.column);
  return writer;
}

function readProblem(reader, end) {
  const message = { code: '', message: '', document: '', path: '', line: 0, column: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.code = reader.string(); break;
      case 18: message.message = reader.string(); break;
      case 26: message.document = reader.string(); break;
      case 34: message.path = reader.string(); break;
      case 40: message.line = reader.uint32(); break;
      case 48: message.column = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ProcessesRequest = {
  name: 'nodecore.v1.ProcessesRequest',
  encode: (message) => writeProcessesRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readProcessesRequest(reader, reader.len); },
};

function writeProcessesRequest(message, writer) {
  if (!(message.intervalMillis === undefined || message.intervalMillis === 0)) writer.uint32(8).uint32(message.intervalMillis);
  return writer;
}

function readProcessesRequest(reader, end) {
  const message = { intervalMillis: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.intervalMillis = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ProcessesResponse = {
  name: 'nodecore.v1.ProcessesResponse',
  encode: (message) => writeProcessesResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readProcessesResponse(reader, reader.len); },
};

function writeProcessesResponse(message, writer) {
  if (message.processes !== undefined) for (const item of message.processes) writeProcess(item, writer.uint32(10).fork()).ldelim();
  if (!(message.complete === undefined || message.complete === false)) writer.uint32(16).bool(message.complete);
  if (!(message.clockMicros === undefined || message.clockMicros === 0n)) writer.uint32(24).uint64(toBits(message.clockMicros));
  return writer;
}

function readProcessesResponse(reader, end) {
  const message = { processes: [], complete: false, clockMicros: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.processes.push(readProcess(reader, endOf(reader))); break;
      case 16: message.complete = reader.bool(); break;
      case 24: message.clockMicros = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Process = {
  name: 'nodecore.v1.Process',
  encode: (message) => writeProcess(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readProcess(reader, reader.len); },
};

function writeProcess(message, writer) {
  if (!(message.pid === undefined || message.pid === 0)) writer.uint32(8).uint32(message.pid);
  if (!(message.ppid === undefined || message.ppid === 0)) writer.uint32(16).uint32(message.ppid);
  if (!(message.state === undefined || message.state === '')) writer.uint32(26).string(message.state);
  if (!(message.threads === undefined || message.threads === 0)) writer.uint32(32).uint32(message.threads);
  if (!(message.cpuTime === undefined || message.cpuTime === 0)) writer.uint32(41).double(message.cpuTime);
  if (!(message.virtualMemory === undefined || message.virtualMemory === 0n)) writer.uint32(48).uint64(toBits(message.virtualMemory));
  if (!(message.residentMemory === undefined || message.residentMemory === 0n)) writer.uint32(56).uint64(toBits(message.residentMemory));
  if (!(message.command === undefined || message.command === '')) writer.uint32(66).string(message.command);
  if (!(message.executable === undefined || message.executable === '')) writer.uint32(74).string(message.executable);
  if (message.args !== undefined) for (const item of message.args) writer.uint32(82).string(item);
  if (!(message.label === undefined || message.label === '')) writer.uint32(90).string(message.label);
  if (!(message.uid === undefined || message.uid === 0)) writer.uint32(800).uint32(message.uid);
  if (!(message.startMicros === undefined || message.startMicros === 0n)) writer.uint32(808).uint64(toBits(message.startMicros));
  if (!(message.kernelThread === undefined || message.kernelThread === false)) writer.uint32(816).bool(message.kernelThread);
  if (!(message.cgroup === undefined || message.cgroup === '')) writer.uint32(826).string(message.cgroup);
  if (!(message.nice === undefined || message.nice === 0)) writer.uint32(832).int32(message.nice);
  return writer;
}

function readProcess(reader, end) {
  const message = { pid: 0, ppid: 0, state: '', threads: 0, cpuTime: 0, virtualMemory: 0n, residentMemory: 0n, command: '', executable: '', args: [], label: '', uid: 0, startMicros: 0n, kernelThread: false, cgroup: '', nice: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.pid = reader.uint32(); break;
      case 16: message.ppid = reader.uint32(); break;
      case 26: message.state = reader.string(); break;
      case 32: message.threads = reader.uint32(); break;
      case 41: message.cpuTime = reader.double(); break;
      case 48: message.virtualMemory = readUnsigned(reader); break;
      case 56: message.residentMemory = readUnsigned(reader); break;
      case 66: message.command = reader.string(); break;
      case 74: message.executable = reader.string(); break;
      case 82: message.args.push(reader.string()); break;
      case 90: message.label = reader.string(); break;
      case 800: message.uid = reader.uint32(); break;
      case 808: message.startMicros = readUnsigned(reader); break;
      case 816: message.kernelThread = reader.bool(); break;
      case 826: message.cgroup = reader.string(); break;
      case 832: message.nice = reader.int32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const GetRequest = {
  name: 'nodecore.v1.GetRequest',
  encode: (message) => writeGetRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readGetRequest(reader, reader.len); },
};

function writeGetRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.type === undefined || message.type === '')) writer.uint32(18).string(message.type);
  if (!(message.id === undefined || message.id === '')) writer.uint32(26).string(message.id);
  return writer;
}

function readGetRequest(reader, end) {
  const message = { namespace: '', type: '', id: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.type = reader.string(); break;
      case 26: message.id = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const GetResponse = {
  name: 'nodecore.v1.GetResponse',
  encode: (message) => writeGetResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readGetResponse(reader, reader.len); },
};

function writeGetResponse(message, writer) {
  if (!(message.resource === undefined)) writeResource(message.resource, writer.uint32(10).fork()).ldelim();
  if (!(message.bookmark === undefined)) writeBookmark(message.bookmark, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readGetResponse(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.resource = readResource(reader, endOf(reader)); break;
      case 18: message.bookmark = readBookmark(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ListRequest = {
  name: 'nodecore.v1.ListRequest',
  encode: (message) => writeListRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readListRequest(reader, reader.len); },
};

function writeListRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.type === undefined || message.type === '')) writer.uint32(18).string(message.type);
  return writer;
}

function readListRequest(reader, end) {
  const message = { namespace: '', type: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.type = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ListResponse = {
  name: 'nodecore.v1.ListResponse',
  encode: (message) => writeListResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readListResponse(reader, reader.len); },
};

function writeListResponse(message, writer) {
  if (message.resources !== undefined) for (const item of message.resources) writeResource(item, writer.uint32(10).fork()).ldelim();
  if (!(message.bookmark === undefined)) writeBookmark(message.bookmark, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readListResponse(reader, end) {
  const message = { resources: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.resources.push(readResource(reader, endOf(reader))); break;
      case 18: message.bookmark = readBookmark(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WatchRequest = {
  name: 'nodecore.v1.WatchRequest',
  encode: (message) => writeWatchRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWatchRequest(reader, reader.len); },
};

function writeWatchRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.type === undefined || message.type === '')) writer.uint32(18).string(message.type);
  if (!(message.id === undefined || message.id === '')) writer.uint32(26).string(message.id);
  if (!(message.bookmark === undefined)) writeBookmark(message.bookmark, writer.uint32(34).fork()).ldelim();
  return writer;
}

function readWatchRequest(reader, end) {
  const message = { namespace: '', type: '', id: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.type = reader.string(); break;
      case 26: message.id = reader.string(); break;
      case 34: message.bookmark = readBookmark(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WatchResponse = {
  name: 'nodecore.v1.WatchResponse',
  encode: (message) => writeWatchResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWatchResponse(reader, reader.len); },
};

function writeWatchResponse(message, writer) {
  if (message.events !== undefined) for (const item of message.events) writeEvent(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readWatchResponse(reader, end) {
  const message = { events: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.events.push(readEvent(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Event = {
  name: 'nodecore.v1.Event',
  encode: (message) => writeEvent(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readEvent(reader, reader.len); },
};

function writeEvent(message, writer) {
  if (!(message.type === undefined || message.type === 0)) writer.uint32(8).int32(message.type);
  if (!(message.resource === undefined)) writeResource(message.resource, writer.uint32(18).fork()).ldelim();
  if (!(message.bookmark === undefined)) writeBookmark(message.bookmark, writer.uint32(26).fork()).ldelim();
  if (!(message.error === undefined || message.error === '')) writer.uint32(34).string(message.error);
  return writer;
}

function readEvent(reader, end) {
  const message = { type: 0, error: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.type = reader.int32(); break;
      case 18: message.resource = readResource(reader, endOf(reader)); break;
      case 26: message.bookmark = readBookmark(reader, endOf(reader)); break;
      case 34: message.error = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Bookmark = {
  name: 'nodecore.v1.Bookmark',
  encode: (message) => writeBookmark(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readBookmark(reader, reader.len); },
};

function writeBookmark(message, writer) {
  if (!(message.epoch === undefined || message.epoch === '')) writer.uint32(10).string(message.epoch);
  if (!(message.revision === undefined || message.revision === 0n)) writer.uint32(16).uint64(toBits(message.revision));
  return writer;
}

function readBookmark(reader, end) {
  const message = { epoch: '', revision: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.epoch = reader.string(); break;
      case 16: message.revision = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Resource = {
  name: 'nodecore.v1.Resource',
  encode: (message) => writeResource(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readResource(reader, reader.len); },
};

function writeResource(message, writer) {
  if (!(message.metadata === undefined)) writeMetadata(message.metadata, writer.uint32(10).fork()).ldelim();
  if (!(message.spec === undefined || message.spec.length === 0)) writer.uint32(18).bytes(message.spec);
  return writer;
}

function readResource(reader, end) {
  const message = { spec: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.metadata = readMetadata(reader, endOf(reader)); break;
      case 18: message.spec = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Metadata = {
  name: 'nodecore.v1.Metadata',
  encode: (message) => writeMetadata(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMetadata(reader, reader.len); },
};

function writeMetadata(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  if (!(message.type === undefined || message.type === '')) writer.uint32(18).string(message.type);
  if (!(message.id === undefined || message.id === '')) writer.uint32(26).string(message.id);
  if (!(message.version === undefined || message.version === 0n)) writer.uint32(32).uint64(toBits(message.version));
  if (!(message.owner === undefined || message.owner === '')) writer.uint32(42).string(message.owner);
  if (!(message.phase === undefined || message.phase === 0)) writer.uint32(48).int32(message.phase);
  if (!(message.createdMillis === undefined || message.createdMillis === 0n)) writer.uint32(56).int64(toBits(message.createdMillis));
  if (!(message.updatedMillis === undefined || message.updatedMillis === 0n)) writer.uint32(64).int64(toBits(message.updatedMillis));
  if (message.labels !== undefined) for (const [key, item] of Object.entries(message.labels)) writer.uint32(74).fork().uint32(10).string(key).uint32(18).string(item).ldelim();
  if (message.annotations !== undefined) for (const [key, item] of Object.entries(message.annotations)) writer.uint32(82).fork().uint32(10).string(key).uint32(18).string(item).ldelim();
  if (message.finalizers !== undefined) for (const item of message.finalizers) writer.uint32(90).string(item);
  return writer;
}

function readMetadata(reader, end) {
  const message = { namespace: '', type: '', id: '', version: 0n, owner: '', phase: 0, createdMillis: 0n, updatedMillis: 0n, labels: {}, annotations: {}, finalizers: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      case 18: message.type = reader.string(); break;
      case 26: message.id = reader.string(); break;
      case 32: message.version = readUnsigned(reader); break;
      case 42: message.owner = reader.string(); break;
      case 48: message.phase = reader.int32(); break;
      case 56: message.createdMillis = readSigned(reader); break;
      case 64: message.updatedMillis = readSigned(reader); break;
      case 74: readEntry(reader, message.labels); break;
      case 82: readEntry(reader, message.annotations); break;
      case 90: message.finalizers.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CertificateRequest = {
  name: 'nodecore.v1.CertificateRequest',
  encode: (message) => writeCertificateRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCertificateRequest(reader, reader.len); },
};

function writeCertificateRequest(message, writer) {
  if (!(message.terms === undefined || message.terms.length === 0)) writer.uint32(10).bytes(message.terms);
  if (!(message.proof === undefined || message.proof.length === 0)) writer.uint32(18).bytes(message.proof);
  return writer;
}

function readCertificateRequest(reader, end) {
  const message = { terms: new Uint8Array(), proof: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.terms = reader.bytes(); break;
      case 18: message.proof = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CertificateTerms = {
  name: 'nodecore.v1.CertificateTerms',
  encode: (message) => writeCertificateTerms(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCertificateTerms(reader, reader.len); },
};

function writeCertificateTerms(message, writer) {
  if (!(message.csr === undefined || message.csr === '')) writer.uint32(10).string(message.csr);
  if (message.names !== undefined) for (const item of message.names) writer.uint32(18).string(item);
  if (!(message.uuid === undefined || message.uuid === '')) writer.uint32(26).string(message.uuid);
  return writer;
}

function readCertificateTerms(reader, end) {
  const message = { csr: '', names: [], uuid: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.csr = reader.string(); break;
      case 18: message.names.push(reader.string()); break;
      case 26: message.uuid = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CertificateResponse = {
  name: 'nodecore.v1.CertificateResponse',
  encode: (message) => writeCertificateResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCertificateResponse(reader, reader.len); },
};

function writeCertificateResponse(message, writer) {
  if (!(message.serverCertificate === undefined || message.serverCertificate === '')) writer.uint32(10).string(message.serverCertificate);
  if (!(message.nodeCertificate === undefined || message.nodeCertificate === '')) writer.uint32(18).string(message.nodeCertificate);
  if (!(message.authority === undefined || message.authority === '')) writer.uint32(26).string(message.authority);
  if (message.withheld !== undefined) for (const item of message.withheld) writeWithheldName(item, writer.uint32(34).fork()).ldelim();
  if (message.controlPlanes !== undefined) for (const item of message.controlPlanes) writer.uint32(42).string(item);
  return writer;
}

function readCertificateResponse(reader, end) {
  const message = { serverCertificate: '', nodeCertificate: '', authority: '', withheld: [], controlPlanes: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.serverCertificate = reader.string(); break;
      case 18: message.nodeCertificate = reader.string(); break;
      case 26: message.authority = reader.string(); break;
      case 34: message.withheld.push(readWithheldName(reader, endOf(reader))); break;
      case 42: message.controlPlanes.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WithheldName = {
  name: 'nodecore.v1.WithheldName',
  encode: (message) => writeWithheldName(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWithheldName(reader, reader.len); },
};

function writeWithheldName(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.reason === undefined || message.reason === '')) writer.uint32(18).string(message.reason);
  return writer;
}

function readWithheldName(reader, end) {
  const message = { name: '', reason: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 18: message.reason = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceListRequest = {
  name: 'nodecore.v1.ServiceListRequest',
  encode: (message) => writeServiceListRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceListRequest(reader, reader.len); },
};

function writeServiceListRequest(message, writer) {
  return writer;
}

function readServiceListRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceListResponse = {
  name: 'nodecore.v1.ServiceListResponse',
  encode: (message) => writeServiceListResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceListResponse(reader, reader.len); },
};

function writeServiceListResponse(message, writer) {
  if (message.services !== undefined) for (const item of message.services) writeServiceInfo(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readServiceListResponse(reader, end) {
  const message = { services: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.services.push(readServiceInfo(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceInfo = {
  name: 'nodecore.v1.ServiceInfo',
  encode: (message) => writeServiceInfo(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceInfo(reader, reader.len); },
};

function writeServiceInfo(message, writer) {
  if (!(message.id === undefined || message.id === '')) writer.uint32(10).string(message.id);
  if (!(message.state === undefined || message.state === '')) writer.uint32(18).string(message.state);
  if (message.events !== undefined) for (const item of message.events) writeServiceHistoryEntry(item, writer.uint32(26).fork()).ldelim();
  if (!(message.health === undefined)) writeServiceHealthInfo(message.health, writer.uint32(34).fork()).ldelim();
  if (!(message.pid === undefined || message.pid === 0)) writer.uint32(40).uint32(message.pid);
  if (!(message.restarts === undefined || message.restarts === 0)) writer.uint32(48).uint32(message.restarts);
  if (message.operations !== undefined) for (const item of message.operations) writer.uint32(58).string(item);
  return writer;
}

function readServiceInfo(reader, end) {
  const message = { id: '', state: '', events: [], pid: 0, restarts: 0, operations: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.id = reader.string(); break;
      case 18: message.state = reader.string(); break;
      case 26: message.events.push(readServiceHistoryEntry(reader, endOf(reader))); break;
      case 34: message.health = readServiceHealthInfo(reader, endOf(reader)); break;
      case 40: message.pid = reader.uint32(); break;
      case 48: message.restarts = reader.uint32(); break;
      case 58: message.operations.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceHistoryEntry = {
  name: 'nodecore.v1.ServiceHistoryEntry',
  encode: (message) => writeServiceHistoryEntry(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceHistoryEntry(reader, reader.len); },
};

function writeServiceHistoryEntry(message, writer) {
  if (!(message.message === undefined || message.message === '')) writer.uint32(10).string(message.message);
  if (!(message.state === undefined || message.state === '')) writer.uint32(18).string(message.state);
  if (!(message.timeMillis === undefined || message.timeMillis === 0n)) writer.uint32(24).uint64(toBits(message.timeMillis));
  return writer;
}

function readServiceHistoryEntry(reader, end) {
  const message = { message: '', state: '', timeMillis: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.message = reader.string(); break;
      case 18: message.state = reader.string(); break;
      case 24: message.timeMillis = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceHealthInfo = {
  name: 'nodecore.v1.ServiceHealthInfo',
  encode: (message) => writeServiceHealthInfo(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceHealthInfo(reader, reader.len); },
};

function writeServiceHealthInfo(message, writer) {
  if (!(message.unknown === undefined || message.unknown === false)) writer.uint32(8).bool(message.unknown);
  if (!(message.healthy === undefined || message.healthy === false)) writer.uint32(16).bool(message.healthy);
  if (!(message.lastMessage === undefined || message.lastMessage === '')) writer.uint32(26).string(message.lastMessage);
  if (!(message.lastChangeMillis === undefined || message.lastChangeMillis === 0n)) writer.uint32(32).uint64(toBits(message.lastChangeMillis));
  return writer;
}

function readServiceHealthInfo(reader, end) {
  const message = { unknown: false, healthy: false, lastMessage: '', lastChangeMillis: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.unknown = reader.bool(); break;
      case 16: message.healthy = reader.bool(); break;
      case 26: message.lastMessage = reader.string(); break;
      case 32: message.lastChangeMillis = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceStartRequest = {
  name: 'nodecore.v1.ServiceStartRequest',
  encode: (message) => writeServiceStartRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceStartRequest(reader, reader.len); },
};

function writeServiceStartRequest(message, writer) {
  if (!(message.id === undefined || message.id === '')) writer.uint32(10).string(message.id);
  return writer;
}

function readServiceStartRequest(reader, end) {
  const message = { id: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.id = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceStartResponse = {
  name: 'nodecore.v1.ServiceStartResponse',
  encode: (message) => writeServiceStartResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceStartResponse(reader, reader.len); },
};

function writeServiceStartResponse(message, writer) {
  if (!(message.response === undefined || message.response === '')) writer.uint32(10).string(message.response);
  return writer;
}

function readServiceStartResponse(reader, end) {
  const message = { response: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.response = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceStopRequest = {
  name: 'nodecore.v1.ServiceStopRequest',
  encode: (message) => writeServiceStopRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceStopRequest(reader, reader.len); },
};

function writeServiceStopRequest(message, writer) {
  if (!(message.id === undefined || message.id === '')) writer.uint32(10).string(message.id);
  return writer;
}

function readServiceStopRequest(reader, end) {
  const message = { id: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.id = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceStopResponse = {
  name: 'nodecore.v1.ServiceStopResponse',
  encode: (message) => writeServiceStopResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceStopResponse(reader, reader.len); },
};

function writeServiceStopResponse(message, writer) {
  if (!(message.response === undefined || message.response === '')) writer.uint32(10).string(message.response);
  return writer;
}

function readServiceStopResponse(reader, end) {
  const message = { response: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.response = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceRestartRequest = {
  name: 'nodecore.v1.ServiceRestartRequest',
  encode: (message) => writeServiceRestartRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceRestartRequest(reader, reader.len); },
};

function writeServiceRestartRequest(message, writer) {
  if (!(message.id === undefined || message.id === '')) writer.uint32(10).string(message.id);
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(18).string(message.namespace);
  return writer;
}

function readServiceRestartRequest(reader, end) {
  const message = { id: '', namespace: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.id = reader.string(); break;
      case 18: message.namespace = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ServiceRestartResponse = {
  name: 'nodecore.v1.ServiceRestartResponse',
  encode: (message) => writeServiceRestartResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readServiceRestartResponse(reader, reader.len); },
};

function writeServiceRestartResponse(message, writer) {
  if (!(message.response === undefined || message.response === '')) writer.uint32(10).string(message.response);
  return writer;
}

function readServiceRestartResponse(reader, end) {
  const message = { response: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.response = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LogsRequest = {
  name: 'nodecore.v1.LogsRequest',
  encode: (message) => writeLogsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLogsRequest(reader, reader.len); },
};

function writeLogsRequest(message, writer) {
  if (!(message.id === undefined || message.id === '')) writer.uint32(10).string(message.id);
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(18).string(message.namespace);
  if (!(message.follow === undefined || message.follow === false)) writer.uint32(24).bool(message.follow);
  if (!(message.tailLines === undefined)) writer.uint32(32).uint32(message.tailLines);
  if (!(message.fromOffset === undefined)) writer.uint32(40).uint64(toBits(message.fromOffset));
  if (!(message.fromBootId === undefined || message.fromBootId === '')) writer.uint32(802).string(message.fromBootId);
  if (!(message.kind === undefined || message.kind === '')) writer.uint32(810).string(message.kind);
  return writer;
}

function readLogsRequest(reader, end) {
  const message = { id: '', namespace: '', follow: false, fromBootId: '', kind: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.id = reader.string(); break;
      case 18: message.namespace = reader.string(); break;
      case 24: message.follow = reader.bool(); break;
      case 32: message.tailLines = reader.uint32(); break;
      case 40: message.fromOffset = readUnsigned(reader); break;
      case 802: message.fromBootId = reader.string(); break;
      case 810: message.kind = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LogsResponse = {
  name: 'nodecore.v1.LogsResponse',
  encode: (message) => writeLogsResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLogsResponse(reader, reader.len); },
};

function writeLogsResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  if (!(message.offset === undefined || message.offset === 0n)) writer.uint32(16).uint64(toBits(message.offset));
  if (!(message.lost === undefined || message.lost === 0n)) writer.uint32(24).uint64(toBits(message.lost));
  if (!(message.bootId === undefined || message.bootId === '')) writer.uint32(802).string(message.bootId);
  return writer;
}

function readLogsResponse(reader, end) {
  const message = { data: new Uint8Array(), offset: 0n, lost: 0n, bootId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      case 16: message.offset = readUnsigned(reader); break;
      case 24: message.lost = readUnsigned(reader); break;
      case 802: message.bootId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LogsContainersRequest = {
  name: 'nodecore.v1.LogsContainersRequest',
  encode: (message) => writeLogsContainersRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLogsContainersRequest(reader, reader.len); },
};

function writeLogsContainersRequest(message, writer) {
  if (!(message.namespace === undefined || message.namespace === '')) writer.uint32(10).string(message.namespace);
  return writer;
}

function readLogsContainersRequest(reader, end) {
  const message = { namespace: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.namespace = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LogsContainersResponse = {
  name: 'nodecore.v1.LogsContainersResponse',
  encode: (message) => writeLogsContainersResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLogsContainersResponse(reader, reader.len); },
};

function writeLogsContainersResponse(message, writer) {
  if (message.ids !== undefined) for (const item of message.ids) writer.uint32(10).string(item);
  return writer;
}

function readLogsContainersResponse(reader, end) {
  const message = { ids: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.ids.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const NetstatRequest = {
  name: 'nodecore.v1.NetstatRequest',
  encode: (message) => writeNetstatRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readNetstatRequest(reader, reader.len); },
};

function writeNetstatRequest(message, writer) {
  if (!(message.filter === undefined || message.filter === 0)) writer.uint32(8).int32(message.filter);
  if (message.protocols !== undefined) for (const item of message.protocols) writer.uint32(18).string(item);
  if (!(message.processes === undefined || message.processes === false)) writer.uint32(24).bool(message.processes);
  if (!(message.pods === undefined || message.pods === false)) writer.uint32(32).bool(message.pods);
  if (!(message.pod === undefined || message.pod === '')) writer.uint32(42).string(message.pod);
  return writer;
}

function readNetstatRequest(reader, end) {
  const message = { filter: 0, protocols: [], processes: false, pods: false, pod: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.filter = reader.int32(); break;
      case 18: message.protocols.push(reader.string()); break;
      case 24: message.processes = reader.bool(); break;
      case 32: message.pods = reader.bool(); break;
      case 42: message.pod = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const NetstatResponse = {
  name: 'nodecore.v1.NetstatResponse',
  encode: (message) => writeNetstatResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readNetstatResponse(reader, reader.len); },
};

function writeNetstatResponse(message, writer) {
  if (message.sockets !== undefined) for (const item of message.sockets) writeSocket(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readNetstatResponse(reader, end) {
  const message = { sockets: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.sockets.push(readSocket(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Socket = {
  name: 'nodecore.v1.Socket',
  encode: (message) => writeSocket(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readSocket(reader, reader.len); },
};

function writeSocket(message, writer) {
  if (!(message.protocol === undefined || message.protocol === '')) writer.uint32(10).string(message.protocol);
  if (!(message.localAddress === undefined || message.localAddress === '')) writer.uint32(18).string(message.localAddress);
  if (!(message.localPort === undefined || message.localPort === 0)) writer.uint32(24).uint32(message.localPort);
  if (!(message.remoteAddress === undefined || message.remoteAddress === '')) writer.uint32(34).string(message.remoteAddress);
  if (!(message.remotePort === undefined || message.remotePort === 0)) writer.uint32(40).uint32(message.remotePort);
  if (!(message.state === undefined || message.state === 0)) writer.uint32(48).int32(message.state);
  if (!(message.receiveQueue === undefined || message.receiveQueue === 0)) writer.uint32(56).uint32(message.receiveQueue);
  if (!(message.sendQueue === undefined || message.sendQueue === 0)) writer.uint32(64).uint32(message.sendQueue);
  if (!(message.timer === undefined || message.timer === 0)) writer.uint32(72).int32(message.timer);
  if (!(message.timerMillis === undefined || message.timerMillis === 0)) writer.uint32(80).uint32(message.timerMillis);
  if (!(message.retransmits === undefined || message.retransmits === 0)) writer.uint32(88).uint32(message.retransmits);
  if (!(message.uid === undefined || message.uid === 0)) writer.uint32(96).uint32(message.uid);
  if (!(message.inode === undefined || message.inode === 0n)) writer.uint32(104).uint64(toBits(message.inode));
  if (message.processes !== undefined) for (const item of message.processes) writeSocketProcess(item, writer.uint32(114).fork()).ldelim();
  if (!(message.interface === undefined || message.interface === '')) writer.uint32(122).string(message.interface);
  if (!(message.pod === undefined || message.pod === '')) writer.uint32(130).string(message.pod);
  return writer;
}

function readSocket(reader, end) {
  const message = { protocol: '', localAddress: '', localPort: 0, remoteAddress: '', remotePort: 0, state: 0, receiveQueue: 0, sendQueue: 0, timer: 0, timerMillis: 0, retransmits: 0, uid: 0, inode: 0n, processes: [], interface: '', pod: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.protocol = reader.string(); break;
      case 18: message.localAddress = reader.string(); break;
      case 24: message.localPort = reader.uint32(); break;
      case 34: message.remoteAddress = reader.string(); break;
      case 40: message.remotePort = reader.uint32(); break;
      case 48: message.state = reader.int32(); break;
      case 56: message.receiveQueue = reader.uint32(); break;
      case 64: message.sendQueue = reader.uint32(); break;
      case 72: message.timer = reader.int32(); break;
      case 80: message.timerMillis = reader.uint32(); break;
      case 88: message.retransmits = reader.uint32(); break;
      case 96: message.uid = reader.uint32(); break;
      case 104: message.inode = readUnsigned(reader); break;
      case 114: message.processes.push(readSocketProcess(reader, endOf(reader))); break;
      case 122: message.interface = reader.string(); break;
      case 130: message.pod = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const SocketProcess = {
  name: 'nodecore.v1.SocketProcess',
  encode: (message) => writeSocketProcess(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readSocketProcess(reader, reader.len); },
};

function writeSocketProcess(message, writer) {
  if (!(message.pid === undefined || message.pid === 0)) writer.uint32(8).uint32(message.pid);
  if (!(message.name === undefined || message.name === '')) writer.uint32(18).string(message.name);
  return writer;
}

function readSocketProcess(reader, end) {
  const message = { pid: 0, name: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.pid = reader.uint32(); break;
      case 18: message.name = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemoryRequest = {
  name: 'nodecore.v1.MemoryRequest',
  encode: (message) => writeMemoryRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemoryRequest(reader, reader.len); },
};

function writeMemoryRequest(message, writer) {
  return writer;
}

function readMemoryRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemoryResponse = {
  name: 'nodecore.v1.MemoryResponse',
  encode: (message) => writeMemoryResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemoryResponse(reader, reader.len); },
};

function writeMemoryResponse(message, writer) {
  if (message.values !== undefined) for (const item of message.values) writeMemoryValue(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readMemoryResponse(reader, end) {
  const message = { values: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.values.push(readMemoryValue(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const MemoryValue = {
  name: 'nodecore.v1.MemoryValue',
  encode: (message) => writeMemoryValue(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readMemoryValue(reader, reader.len); },
};

function writeMemoryValue(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.value === undefined || message.value === 0n)) writer.uint32(16).uint64(toBits(message.value));
  if (!(message.unit === undefined || message.unit === '')) writer.uint32(26).string(message.unit);
  return writer;
}

function readMemoryValue(reader, end) {
  const message = { name: '', value: 0n, unit: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 16: message.value = readUnsigned(reader); break;
      case 26: message.unit = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const SystemStatRequest = {
  name: 'nodecore.v1.SystemStatRequest',
  encode: (message) => writeSystemStatRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readSystemStatRequest(reader, reader.len); },
};

function writeSystemStatRequest(message, writer) {
  return writer;
}

function readSystemStatRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const SystemStatResponse = {
  name: 'nodecore.v1.SystemStatResponse',
  encode: (message) => writeSystemStatResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readSystemStatResponse(reader, reader.len); },
};

function writeSystemStatResponse(message, writer) {
  if (!(message.bootTimeSeconds === undefined || message.bootTimeSeconds === 0n)) writer.uint32(8).uint64(toBits(message.bootTimeSeconds));
  if (!(message.total === undefined)) writeCpuTimes(message.total, writer.uint32(18).fork()).ldelim();
  if (message.processors !== undefined) for (const item of message.processors) writeCpuTimes(item, writer.uint32(26).fork()).ldelim();
  if (!(message.interrupts === undefined || message.interrupts === 0n)) writer.uint32(32).uint64(toBits(message.interrupts));
  if (!(message.softInterrupts === undefined || message.softInterrupts === 0n)) writer.uint32(40).uint64(toBits(message.softInterrupts));
  if (message.softInterruptsByKind !== undefined) for (const item of message.softInterruptsByKind) writeSoftInterrupts(item, writer.uint32(50).fork()).ldelim();
  if (!(message.contextSwitches === undefined || message.contextSwitches === 0n)) writer.uint32(56).uint64(toBits(message.contextSwitches));
  if (!(message.processesCreated === undefined || message.processesCreated === 0n)) writer.uint32(64).uint64(toBits(message.processesCreated));
  if (!(message.processesRunning === undefined || message.processesRunning === 0n)) writer.uint32(72).uint64(toBits(message.processesRunning));
  if (!(message.processesBlocked === undefined || message.processesBlocked === 0n)) writer.uint32(80).uint64(toBits(message.processesBlocked));
  return writer;
}

function readSystemStatResponse(reader, end) {
  const message = { bootTimeSeconds: 0n, processors: [], interrupts: 0n, softInterrupts: 0n, softInterruptsByKind: [], contextSwitches: 0n, processesCreated: 0n, processesRunning: 0n, processesBlocked: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.bootTimeSeconds = readUnsigned(reader); break;
      case 18: message.total = readCpuTimes(reader, endOf(reader)); break;
      case 26: message.processors.push(readCpuTimes(reader, endOf(reader))); break;
      case 32: message.interrupts = readUnsigned(reader); break;
      case 40: message.softInterrupts = readUnsigned(reader); break;
      case 50: message.softInterruptsByKind.push(readSoftInterrupts(reader, endOf(reader))); break;
      case 56: message.contextSwitches = readUnsigned(reader); break;
      case 64: message.processesCreated = readUnsigned(reader); break;
      case 72: message.processesRunning = readUnsigned(reader); break;
      case 80: message.processesBlocked = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const SoftInterrupts = {
  name: 'nodecore.v1.SoftInterrupts',
  encode: (message) => writeSoftInterrupts(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readSoftInterrupts(reader, reader.len); },
};

function writeSoftInterrupts(message, writer) {
  if (!(message.kind === undefined || message.kind === '')) writer.uint32(10).string(message.kind);
  if (!(message.count === undefined || message.count === 0n)) writer.uint32(16).uint64(toBits(message.count));
  return writer;
}

function readSoftInterrupts(reader, end) {
  const message = { kind: '', count: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.kind = reader.string(); break;
      case 16: message.count = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CpuTimes = {
  name: 'nodecore.v1.CpuTimes',
  encode: (message) => writeCpuTimes(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCpuTimes(reader, reader.len); },
};

function writeCpuTimes(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.user === undefined || message.user === 0)) writer.uint32(17).double(message.user);
  if (!(message.nice === undefined || message.nice === 0)) writer.uint32(25).double(message.nice);
  if (!(message.system === undefined || message.system === 0)) writer.uint32(33).double(message.system);
  if (!(message.idle === undefined || message.idle === 0)) writer.uint32(41).double(message.idle);
  if (!(message.iowait === undefined || message.iowait === 0)) writer.uint32(49).double(message.iowait);
  if (!(message.irq === undefined || message.irq === 0)) writer.uint32(57).double(message.irq);
  if (!(message.softIrq === undefined || message.softIrq === 0)) writer.uint32(65).double(message.softIrq);
  if (!(message.steal === undefined || message.steal === 0)) writer.uint32(73).double(message.steal);
  if (!(message.guest === undefined || message.guest === 0)) writer.uint32(81).double(message.guest);
  if (!(message.guestNice === undefined || message.guestNice === 0)) writer.uint32(89).double(message.guestNice);
  return writer;
}

function readCpuTimes(reader, end) {
  const message = { name: '', user: 0, nice: 0, system: 0, idle: 0, iowait: 0, irq: 0, softIrq: 0, steal: 0, guest: 0, guestNice: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 17: message.user = reader.double(); break;
      case 25: message.nice = reader.double(); break;
      case 33: message.system = reader.double(); break;
      case 41: message.idle = reader.double(); break;
      case 49: message.iowait = reader.double(); break;
      case 57: message.irq = reader.double(); break;
      case 65: message.softIrq = reader.double(); break;
      case 73: message.steal = reader.double(); break;
      case 81: message.guest = reader.double(); break;
      case 89: message.guestNice = reader.double(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LoadAvgRequest = {
  name: 'nodecore.v1.LoadAvgRequest',
  encode: (message) => writeLoadAvgRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLoadAvgRequest(reader, reader.len); },
};

function writeLoadAvgRequest(message, writer) {
  return writer;
}

function readLoadAvgRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const LoadAvgResponse = {
  name: 'nodecore.v1.LoadAvgResponse',
  encode: (message) => writeLoadAvgResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readLoadAvgResponse(reader, reader.len); },
};

function writeLoadAvgResponse(message, writer) {
  if (!(message.load1 === undefined || message.load1 === 0)) writer.uint32(9).double(message.load1);
  if (!(message.load5 === undefined || message.load5 === 0)) writer.uint32(17).double(message.load5);
  if (!(message.load15 === undefined || message.load15 === 0)) writer.uint32(25).double(message.load15);
  return writer;
}

function readLoadAvgResponse(reader, end) {
  const message = { load1: 0, load5: 0, load15: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 9: message.load1 = reader.double(); break;
      case 17: message.load5 = reader.double(); break;
      case 25: message.load15 = reader.double(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CpuInfoRequest = {
  name: 'nodecore.v1.CpuInfoRequest',
  encode: (message) => writeCpuInfoRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCpuInfoRequest(reader, reader.len); },
};

function writeCpuInfoRequest(message, writer) {
  return writer;
}

function readCpuInfoRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CpuInfoResponse = {
  name: 'nodecore.v1.CpuInfoResponse',
  encode: (message) => writeCpuInfoResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCpuInfoResponse(reader, reader.len); },
};

function writeCpuInfoResponse(message, writer) {
  if (message.processors !== undefined) for (const item of message.processors) writeProcessor(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readCpuInfoResponse(reader, end) {
  const message = { processors: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.processors.push(readProcessor(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const Processor = {
  name: 'nodecore.v1.Processor',
  encode: (message) => writeProcessor(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readProcessor(reader, reader.len); },
};

function writeProcessor(message, writer) {
  if (!(message.number === undefined || message.number === 0)) writer.uint32(8).uint32(message.number);
  if (message.facts !== undefined) for (const [key, item] of Object.entries(message.facts)) writer.uint32(18).fork().uint32(10).string(key).uint32(18).string(item).ldelim();
  return writer;
}

function readProcessor(reader, end) {
  const message = { number: 0, facts: {} };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.number = reader.uint32(); break;
      case 18: readEntry(reader, message.facts); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CpuFreqStatsRequest = {
  name: 'nodecore.v1.CpuFreqStatsRequest',
  encode: (message) => writeCpuFreqStatsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCpuFreqStatsRequest(reader, reader.len); },
};

function writeCpuFreqStatsRequest(message, writer) {
  return writer;
}

function readCpuFreqStatsRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CpuFreqStatsResponse = {
  name: 'nodecore.v1.CpuFreqStatsResponse',
  encode: (message) => writeCpuFreqStatsResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCpuFreqStatsResponse(reader, reader.len); },
};

function writeCpuFreqStatsResponse(message, writer) {
  if (message.processors !== undefined) for (const item of message.processors) writeCpuFrequency(item, writer.uint32(10).fork()).ldelim();
  return writer;
}

function readCpuFreqStatsResponse(reader, end) {
  const message = { processors: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.processors.push(readCpuFrequency(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const CpuFrequency = {
  name: 'nodecore.v1.CpuFrequency',
  encode: (message) => writeCpuFrequency(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readCpuFrequency(reader, reader.len); },
};

function writeCpuFrequency(message, writer) {
  if (!(message.number === undefined || message.number === 0)) writer.uint32(8).uint32(message.number);
  if (!(message.currentHertz === undefined)) writer.uint32(16).uint64(toBits(message.currentHertz));
  if (!(message.minimumHertz === undefined)) writer.uint32(24).uint64(toBits(message.minimumHertz));
  if (!(message.maximumHertz === undefined)) writer.uint32(32).uint64(toBits(message.maximumHertz));
  if (!(message.governor === undefined || message.governor === '')) writer.uint32(42).string(message.governor);
  return writer;
}

function readCpuFrequency(reader, end) {
  const message = { number: 0, governor: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.number = reader.uint32(); break;
      case 16: message.currentHertz = readUnsigned(reader); break;
      case 24: message.minimumHertz = readUnsigned(reader); break;
      case 32: message.maximumHertz = readUnsigned(reader); break;
      case 42: message.governor = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DiskStatsRequest = {
  name: 'nodecore.v1.DiskStatsRequest',
  encode: (message) => writeDiskStatsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDiskStatsRequest(reader, reader.len); },
};

function writeDiskStatsRequest(message, writer) {
  return writer;
}

function readDiskStatsRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DiskStatsResponse = {
  name: 'nodecore.v1.DiskStatsResponse',
  encode: (message) => writeDiskStatsResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDiskStatsResponse(reader, reader.len); },
};

function writeDiskStatsResponse(message, writer) {
  if (!(message.total === undefined)) writeDiskCounters(message.total, writer.uint32(10).fork()).ldelim();
  if (message.devices !== undefined) for (const item of message.devices) writeDiskCounters(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readDiskStatsResponse(reader, end) {
  const message = { devices: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.total = readDiskCounters(reader, endOf(reader)); break;
      case 18: message.devices.push(readDiskCounters(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const DiskCounters = {
  name: 'nodecore.v1.DiskCounters',
  encode: (message) => writeDiskCounters(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readDiskCounters(reader, reader.len); },
};

function writeDiskCounters(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.reads === undefined || message.reads === 0n)) writer.uint32(16).uint64(toBits(message.reads));
  if (!(message.readsMerged === undefined || message.readsMerged === 0n)) writer.uint32(24).uint64(toBits(message.readsMerged));
  if (!(message.sectorsRead === undefined || message.sectorsRead === 0n)) writer.uint32(32).uint64(toBits(message.sectorsRead));
  if (!(message.readMillis === undefined || message.readMillis === 0n)) writer.uint32(40).uint64(toBits(message.readMillis));
  if (!(message.writes === undefined || message.writes === 0n)) writer.uint32(48).uint64(toBits(message.writes));
  if (!(message.writesMerged === undefined || message.writesMerged === 0n)) writer.uint32(56).uint64(toBits(message.writesMerged));
  if (!(message.sectorsWritten === undefined || message.sectorsWritten === 0n)) writer.uint32(64).uint64(toBits(message.sectorsWritten));
  if (!(message.writeMillis === undefined || message.writeMillis === 0n)) writer.uint32(72).uint64(toBits(message.writeMillis));
  if (!(message.inProgress === undefined || message.inProgress === 0n)) writer.uint32(80).uint64(toBits(message.inProgress));
  if (!(message.busyMillis === undefined || message.busyMillis === 0n)) writer.uint32(88).uint64(toBits(message.busyMillis));
  if (!(message.weightedMillis === undefined || message.weightedMillis === 0n)) writer.uint32(96).uint64(toBits(message.weightedMillis));
  if (!(message.discards === undefined)) writer.uint32(104).uint64(toBits(message.discards));
  if (!(message.discardsMerged === undefined)) writer.uint32(112).uint64(toBits(message.discardsMerged));
  if (!(message.sectorsDiscarded === undefined)) writer.uint32(120).uint64(toBits(message.sectorsDiscarded));
  if (!(message.discardMillis === undefined)) writer.uint32(128).uint64(toBits(message.discardMillis));
  if (!(message.flushes === undefined)) writer.uint32(136).uint64(toBits(message.flushes));
  if (!(message.flushMillis === undefined)) writer.uint32(144).uint64(toBits(message.flushMillis));
  return writer;
}

function readDiskCounters(reader, end) {
  const message = { name: '', reads: 0n, readsMerged: 0n, sectorsRead: 0n, readMillis: 0n, writes: 0n, writesMerged: 0n, sectorsWritten: 0n, writeMillis: 0n, inProgress: 0n, busyMillis: 0n, weightedMillis: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 16: message.reads = readUnsigned(reader); break;
      case 24: message.readsMerged = readUnsigned(reader); break;
      case 32: message.sectorsRead = readUnsigned(reader); break;
      case 40: message.readMillis = readUnsigned(reader); break;
      case 48: message.writes = readUnsigned(reader); break;
      case 56: message.writesMerged = readUnsigned(reader); break;
      case 64: message.sectorsWritten = readUnsigned(reader); break;
      case 72: message.writeMillis = readUnsigned(reader); break;
      case 80: message.inProgress = readUnsigned(reader); break;
      case 88: message.busyMillis = readUnsigned(reader); break;
      case 96: message.weightedMillis = readUnsigned(reader); break;
      case 104: message.discards = readUnsigned(reader); break;
      case 112: message.discardsMerged = readUnsigned(reader); break;
      case 120: message.sectorsDiscarded = readUnsigned(reader); break;
      case 128: message.discardMillis = readUnsigned(reader); break;
      case 136: message.flushes = readUnsigned(reader); break;
      case 144: message.flushMillis = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const NetworkDeviceStatsRequest = {
  name: 'nodecore.v1.NetworkDeviceStatsRequest',
  encode: (message) => writeNetworkDeviceStatsRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readNetworkDeviceStatsRequest(reader, reader.len); },
};

function writeNetworkDeviceStatsRequest(message, writer) {
  return writer;
}

function readNetworkDeviceStatsRequest(reader, end) {
  const message = {  };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const NetworkDeviceStatsResponse = {
  name: 'nodecore.v1.NetworkDeviceStatsResponse',
  encode: (message) => writeNetworkDeviceStatsResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readNetworkDeviceStatsResponse(reader, reader.len); },
};

function writeNetworkDeviceStatsResponse(message, writer) {
  if (!(message.total === undefined)) writeNetworkDeviceCounters(message.total, writer.uint32(10).fork()).ldelim();
  if (message.devices !== undefined) for (const item of message.devices) writeNetworkDeviceCounters(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readNetworkDeviceStatsResponse(reader, end) {
  const message = { devices: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.total = readNetworkDeviceCounters(reader, endOf(reader)); break;
      case 18: message.devices.push(readNetworkDeviceCounters(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const NetworkDeviceCounters = {
  name: 'nodecore.v1.NetworkDeviceCounters',
  encode: (message) => writeNetworkDeviceCounters(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readNetworkDeviceCounters(reader, reader.len); },
};

function writeNetworkDeviceCounters(message, writer) {
  if (!(message.name === undefined || message.name === '')) writer.uint32(10).string(message.name);
  if (!(message.receivedBytes === undefined || message.receivedBytes === 0n)) writer.uint32(16).uint64(toBits(message.receivedBytes));
  if (!(message.receivedPackets === undefined || message.receivedPackets === 0n)) writer.uint32(24).uint64(toBits(message.receivedPackets));
  if (!(message.receiveErrors === undefined || message.receiveErrors === 0n)) writer.uint32(32).uint64(toBits(message.receiveErrors));
  if (!(message.receiveDropped === undefined || message.receiveDropped === 0n)) writer.uint32(40).uint64(toBits(message.receiveDropped));
  if (!(message.receiveFifo === undefined || message.receiveFifo === 0n)) writer.uint32(48).uint64(toBits(message.receiveFifo));
  if (!(message.receiveFrame === undefined || message.receiveFrame === 0n)) writer.uint32(56).uint64(toBits(message.receiveFrame));
  if (!(message.receiveCompressed === undefined || message.receiveCompressed === 0n)) writer.uint32(64).uint64(toBits(message.receiveCompressed));
  if (!(message.receiveMulticast === undefined || message.receiveMulticast === 0n)) writer.uint32(72).uint64(toBits(message.receiveMulticast));
  if (!(message.sentBytes === undefined || message.sentBytes === 0n)) writer.uint32(80).uint64(toBits(message.sentBytes));
  if (!(message.sentPackets === undefined || message.sentPackets === 0n)) writer.uint32(88).uint64(toBits(message.sentPackets));
  if (!(message.sendErrors === undefined || message.sendErrors === 0n)) writer.uint32(96).uint64(toBits(message.sendErrors));
  if (!(message.sendDropped === undefined || message.sendDropped === 0n)) writer.uint32(104).uint64(toBits(message.sendDropped));
  if (!(message.sendFifo === undefined || message.sendFifo === 0n)) writer.uint32(112).uint64(toBits(message.sendFifo));
  if (!(message.sendCollisions === undefined || message.sendCollisions === 0n)) writer.uint32(120).uint64(toBits(message.sendCollisions));
  if (!(message.sendCarrier === undefined || message.sendCarrier === 0n)) writer.uint32(128).uint64(toBits(message.sendCarrier));
  if (!(message.sendCompressed === undefined || message.sendCompressed === 0n)) writer.uint32(136).uint64(toBits(message.sendCompressed));
  return writer;
}

function readNetworkDeviceCounters(reader, end) {
  const message = { name: '', receivedBytes: 0n, receivedPackets: 0n, receiveErrors: 0n, receiveDropped: 0n, receiveFifo: 0n, receiveFrame: 0n, receiveCompressed: 0n, receiveMulticast: 0n, sentBytes: 0n, sentPackets: 0n, sendErrors: 0n, sendDropped: 0n, sendFifo: 0n, sendCollisions: 0n, sendCarrier: 0n, sendCompressed: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.name = reader.string(); break;
      case 16: message.receivedBytes = readUnsigned(reader); break;
      case 24: message.receivedPackets = readUnsigned(reader); break;
      case 32: message.receiveErrors = readUnsigned(reader); break;
      case 40: message.receiveDropped = readUnsigned(reader); break;
      case 48: message.receiveFifo = readUnsigned(reader); break;
      case 56: message.receiveFrame = readUnsigned(reader); break;
      case 64: message.receiveCompressed = readUnsigned(reader); break;
      case 72: message.receiveMulticast = readUnsigned(reader); break;
      case 80: message.sentBytes = readUnsigned(reader); break;
      case 88: message.sentPackets = readUnsigned(reader); break;
      case 96: message.sendErrors = readUnsigned(reader); break;
      case 104: message.sendDropped = readUnsigned(reader); break;
      case 112: message.sendFifo = readUnsigned(reader); break;
      case 120: message.sendCollisions = readUnsigned(reader); break;
      case 128: message.sendCarrier = readUnsigned(reader); break;
      case 136: message.sendCompressed = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ProveEmptyRequest = {
  name: 'nodecore.v1.ProveEmptyRequest',
  encode: (message) => writeProveEmptyRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readProveEmptyRequest(reader, reader.len); },
};

function writeProveEmptyRequest(message, writer) {
  if (!(message.device === undefined || message.device === '')) writer.uint32(10).string(message.device);
  return writer;
}

function readProveEmptyRequest(reader, end) {
  const message = { device: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.device = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ProveEmptyResponse = {
  name: 'nodecore.v1.ProveEmptyResponse',
  encode: (message) => writeProveEmptyResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readProveEmptyResponse(reader, reader.len); },
};

function writeProveEmptyResponse(message, writer) {
  if (!(message.device === undefined || message.device === '')) writer.uint32(10).string(message.device);
  if (!(message.devPath === undefined || message.devPath === '')) writer.uint32(18).string(message.devPath);
  if (!(message.empty === undefined || message.empty === false)) writer.uint32(24).bool(message.empty);
  if (message.reasons !== undefined) for (const item of message.reasons) writer.uint32(34).string(item);
  if (!(message.receipt === undefined)) writeEmptinessReceipt(message.receipt, writer.uint32(42).fork()).ldelim();
  return writer;
}

function readProveEmptyResponse(reader, end) {
  const message = { device: '', devPath: '', empty: false, reasons: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.device = reader.string(); break;
      case 18: message.devPath = reader.string(); break;
      case 24: message.empty = reader.bool(); break;
      case 34: message.reasons.push(reader.string()); break;
      case 42: message.receipt = readEmptinessReceipt(reader, endOf(reader)); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const EmptinessReceipt = {
  name: 'nodecore.v1.EmptinessReceipt',
  encode: (message) => writeEmptinessReceipt(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readEmptinessReceipt(reader, reader.len); },
};

function writeEmptinessReceipt(message, writer) {
  if (!(message.sizeBytes === undefined || message.sizeBytes === 0n)) writer.uint32(8).uint64(toBits(message.sizeBytes));
  if (!(message.begunMillis === undefined || message.begunMillis === 0n)) writer.uint32(16).int64(toBits(message.begunMillis));
  if (!(message.durationMillis === undefined || message.durationMillis === 0n)) writer.uint32(24).uint64(toBits(message.durationMillis));
  if (!(message.limitMillis === undefined || message.limitMillis === 0n)) writer.uint32(32).uint64(toBits(message.limitMillis));
  if (message.read !== undefined) for (const item of message.read) writeReadRanges(item, writer.uint32(42).fork()).ldelim();
  if (message.probedAt !== undefined && message.probedAt.length > 0) { writer.uint32(50).fork(); for (const item of message.probedAt) writer.uint64(toBits(item)); writer.ldelim(); }
  if (message.backupsOf !== undefined) for (const item of message.backupsOf) writer.uint32(58).string(item);
  if (!(message.map === undefined || message.map === '')) writer.uint32(66).string(message.map);
  if (!(message.mapUnknown === undefined || message.mapUnknown === '')) writer.uint32(74).string(message.mapUnknown);
  if (message.users !== undefined) for (const item of message.users) writer.uint32(82).string(item);
  if (message.found !== undefined) for (const item of message.found) writer.uint32(90).string(item);
  if (message.unproven !== undefined) for (const item of message.unproven) writer.uint32(98).string(item);
  return writer;
}

function readEmptinessReceipt(reader, end) {
  const message = { sizeBytes: 0n, begunMillis: 0n, durationMillis: 0n, limitMillis: 0n, read: [], probedAt: [], backupsOf: [], map: '', mapUnknown: '', users: [], found: [], unproven: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.sizeBytes = readUnsigned(reader); break;
      case 16: message.begunMillis = readSigned(reader); break;
      case 24: message.durationMillis = readUnsigned(reader); break;
      case 32: message.limitMillis = readUnsigned(reader); break;
      case 42: message.read.push(readReadRanges(reader, endOf(reader))); break;
      case 50: { const end = endOf(reader); while (reader.pos < end) message.probedAt.push(readUnsigned(reader)); } break;
      case 48: message.probedAt.push(readUnsigned(reader)); break;
      case 58: message.backupsOf.push(reader.string()); break;
      case 66: message.map = reader.string(); break;
      case 74: message.mapUnknown = reader.string(); break;
      case 82: message.users.push(reader.string()); break;
      case 90: message.found.push(reader.string()); break;
      case 98: message.unproven.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ReadRanges = {
  name: 'nodecore.v1.ReadRanges',
  encode: (message) => writeReadRanges(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readReadRanges(reader, reader.len); },
};

function writeReadRanges(message, writer) {
  if (!(message.purpose === undefined || message.purpose === '')) writer.uint32(10).string(message.purpose);
  if (message.ranges !== undefined) for (const item of message.ranges) writeByteRange(item, writer.uint32(18).fork()).ldelim();
  return writer;
}

function readReadRanges(reader, end) {
  const message = { purpose: '', ranges: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.purpose = reader.string(); break;
      case 18: message.ranges.push(readByteRange(reader, endOf(reader))); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ByteRange = {
  name: 'nodecore.v1.ByteRange',
  encode: (message) => writeByteRange(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readByteRange(reader, reader.len); },
};

function writeByteRange(message, writer) {
  if (!(message.offsetBytes === undefined || message.offsetBytes === 0n)) writer.uint32(8).uint64(toBits(message.offsetBytes));
  if (!(message.sizeBytes === undefined || message.sizeBytes === 0n)) writer.uint32(16).uint64(toBits(message.sizeBytes));
  return writer;
}

function readByteRange(reader, end) {
  const message = { offsetBytes: 0n, sizeBytes: 0n };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.offsetBytes = readUnsigned(reader); break;
      case 16: message.sizeBytes = readUnsigned(reader); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WipeRequest = {
  name: 'nodecore.v1.WipeRequest',
  encode: (message) => writeWipeRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWipeRequest(reader, reader.len); },
};

function writeWipeRequest(message, writer) {
  if (message.devices !== undefined) for (const item of message.devices) writer.uint32(10).string(item);
  if (!(message.method === undefined || message.method === 0)) writer.uint32(16).int32(message.method);
  if (!(message.dropPartition === undefined || message.dropPartition === false)) writer.uint32(24).bool(message.dropPartition);
  if (!(message.dryRun === undefined || message.dryRun === false)) writer.uint32(32).bool(message.dryRun);
  if (message.identities !== undefined) for (const item of message.identities) writer.uint32(42).string(item);
  return writer;
}

function readWipeRequest(reader, end) {
  const message = { devices: [], method: 0, dropPartition: false, dryRun: false, identities: [] };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.devices.push(reader.string()); break;
      case 16: message.method = reader.int32(); break;
      case 24: message.dropPartition = reader.bool(); break;
      case 32: message.dryRun = reader.bool(); break;
      case 42: message.identities.push(reader.string()); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WipeVolumesRequest = {
  name: 'nodecore.v1.WipeVolumesRequest',
  encode: (message) => writeWipeVolumesRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWipeVolumesRequest(reader, reader.len); },
};

function writeWipeVolumesRequest(message, writer) {
  if (message.volumes !== undefined) for (const item of message.volumes) writer.uint32(10).string(item);
  if (!(message.method === undefined || message.method === 0)) writer.uint32(16).int32(message.method);
  if (!(message.dryRun === undefined || message.dryRun === false)) writer.uint32(24).bool(message.dryRun);
  return writer;
}

function readWipeVolumesRequest(reader, end) {
  const message = { volumes: [], method: 0, dryRun: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.volumes.push(reader.string()); break;
      case 16: message.method = reader.int32(); break;
      case 24: message.dryRun = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const WipeResponse = {
  name: 'nodecore.v1.WipeResponse',
  encode: (message) => writeWipeResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readWipeResponse(reader, reader.len); },
};

function writeWipeResponse(message, writer) {
  if (!(message.device === undefined || message.device === '')) writer.uint32(10).string(message.device);
  if (!(message.state === undefined || message.state === 0)) writer.uint32(16).int32(message.state);
  if (!(message.content === undefined || message.content === '')) writer.uint32(26).string(message.content);
  if (!(message.sizeBytes === undefined || message.sizeBytes === 0n)) writer.uint32(32).uint64(toBits(message.sizeBytes));
  if (!(message.doneBytes === undefined || message.doneBytes === 0n)) writer.uint32(40).uint64(toBits(message.doneBytes));
  if (message.takers !== undefined) for (const item of message.takers) writer.uint32(50).string(item);
  if (message.closes !== undefined) for (const item of message.closes) writer.uint32(82).string(item);
  if (!(message.message === undefined || message.message === '')) writer.uint32(58).string(message.message);
  if (!(message.code === undefined || message.code === '')) writer.uint32(66).string(message.code);
  if (!(message.identity === undefined || message.identity === '')) writer.uint32(74).string(message.identity);
  return writer;
}

function readWipeResponse(reader, end) {
  const message = { device: '', state: 0, content: '', sizeBytes: 0n, doneBytes: 0n, takers: [], closes: [], message: '', code: '', identity: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.device = reader.string(); break;
      case 16: message.state = reader.int32(); break;
      case 26: message.content = reader.string(); break;
      case 32: message.sizeBytes = readUnsigned(reader); break;
      case 40: message.doneBytes = readUnsigned(reader); break;
      case 50: message.takers.push(reader.string()); break;
      case 82: message.closes.push(reader.string()); break;
      case 58: message.message = reader.string(); break;
      case 66: message.code = reader.string(); break;
      case 74: message.identity = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ResetRequest = {
  name: 'nodecore.v1.ResetRequest',
  encode: (message) => writeResetRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readResetRequest(reader, reader.len); },
};

function writeResetRequest(message, writer) {
  if (!(message.graceful === undefined || message.graceful === false)) writer.uint32(8).bool(message.graceful);
  if (!(message.reboot === undefined || message.reboot === false)) writer.uint32(16).bool(message.reboot);
  if (!(message.mode === undefined || message.mode === 0)) writer.uint32(24).int32(message.mode);
  if (message.systemLabels !== undefined) for (const item of message.systemLabels) writer.uint32(34).string(item);
  if (message.userDisks !== undefined) for (const item of message.userDisks) writer.uint32(42).string(item);
  if (!(message.dryRun === undefined || message.dryRun === false)) writer.uint32(48).bool(message.dryRun);
  if (!(message.digest === undefined || message.digest === '')) writer.uint32(58).string(message.digest);
  return writer;
}

function readResetRequest(reader, end) {
  const message = { graceful: false, reboot: false, mode: 0, systemLabels: [], userDisks: [], dryRun: false, digest: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.graceful = reader.bool(); break;
      case 16: message.reboot = reader.bool(); break;
      case 24: message.mode = reader.int32(); break;
      case 34: message.systemLabels.push(reader.string()); break;
      case 42: message.userDisks.push(reader.string()); break;
      case 48: message.dryRun = reader.bool(); break;
      case 58: message.digest = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const ResetResponse = {
  name: 'nodecore.v1.ResetResponse',
  encode: (message) => writeResetResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readResetResponse(reader, reader.len); },
};

function writeResetResponse(message, writer) {
  if (!(message.step === undefined || message.step === 0)) writer.uint32(8).int32(message.step);
  if (!(message.name === undefined || message.name === '')) writer.uint32(18).string(message.name);
  if (!(message.devPath === undefined || message.devPath === '')) writer.uint32(26).string(message.devPath);
  if (!(message.content === undefined || message.content === '')) writer.uint32(34).string(message.content);
  if (!(message.sizeBytes === undefined || message.sizeBytes === 0n)) writer.uint32(40).uint64(toBits(message.sizeBytes));
  if (!(message.doneBytes === undefined || message.doneBytes === 0n)) writer.uint32(48).uint64(toBits(message.doneBytes));
  if (!(message.digest === undefined || message.digest === '')) writer.uint32(58).string(message.digest);
  if (!(message.message === undefined || message.message === '')) writer.uint32(66).string(message.message);
  if (!(message.code === undefined || message.code === '')) writer.uint32(74).string(message.code);
  if (!(message.actorId === undefined || message.actorId === '')) writer.uint32(82).string(message.actorId);
  return writer;
}

function readResetResponse(reader, end) {
  const message = { step: 0, name: '', devPath: '', content: '', sizeBytes: 0n, doneBytes: 0n, digest: '', message: '', code: '', actorId: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.step = reader.int32(); break;
      case 18: message.name = reader.string(); break;
      case 26: message.devPath = reader.string(); break;
      case 34: message.content = reader.string(); break;
      case 40: message.sizeBytes = readUnsigned(reader); break;
      case 48: message.doneBytes = readUnsigned(reader); break;
      case 58: message.digest = reader.string(); break;
      case 66: message.message = reader.string(); break;
      case 74: message.code = reader.string(); break;
      case 82: message.actorId = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const TimeRequest = {
  name: 'nodecore.v1.TimeRequest',
  encode: (message) => writeTimeRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readTimeRequest(reader, reader.len); },
};

function writeTimeRequest(message, writer) {
  if (!(message.server === undefined || message.server === '')) writer.uint32(10).string(message.server);
  return writer;
}

function readTimeRequest(reader, end) {
  const message = { server: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.server = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const TimeResponse = {
  name: 'nodecore.v1.TimeResponse',
  encode: (message) => writeTimeResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readTimeResponse(reader, reader.len); },
};

function writeTimeResponse(message, writer) {
  if (!(message.server === undefined || message.server === '')) writer.uint32(10).string(message.server);
  if (!(message.address === undefined || message.address === '')) writer.uint32(18).string(message.address);
  if (!(message.localMicros === undefined || message.localMicros === 0n)) writer.uint32(24).uint64(toBits(message.localMicros));
  if (!(message.remoteMicros === undefined || message.remoteMicros === 0n)) writer.uint32(32).uint64(toBits(message.remoteMicros));
  if (!(message.offsetMicros === undefined || message.offsetMicros === 0n)) writer.uint32(40).int64(toBits(message.offsetMicros));
  if (!(message.roundTripMicros === undefined || message.roundTripMicros === 0n)) writer.uint32(48).uint64(toBits(message.roundTripMicros));
  if (!(message.stratum === undefined || message.stratum === 0)) writer.uint32(56).uint32(message.stratum);
  return writer;
}

function readTimeResponse(reader, end) {
  const message = { server: '', address: '', localMicros: 0n, remoteMicros: 0n, offsetMicros: 0n, roundTripMicros: 0n, stratum: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.server = reader.string(); break;
      case 18: message.address = reader.string(); break;
      case 24: message.localMicros = readUnsigned(reader); break;
      case 32: message.remoteMicros = readUnsigned(reader); break;
      case 40: message.offsetMicros = readSigned(reader); break;
      case 48: message.roundTripMicros = readUnsigned(reader); break;
      case 56: message.stratum = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const TrimRequest = {
  name: 'nodecore.v1.TrimRequest',
  encode: (message) => writeTrimRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readTrimRequest(reader, reader.len); },
};

function writeTrimRequest(message, writer) {
  if (message.volumes !== undefined) for (const item of message.volumes) writer.uint32(10).string(item);
  if (!(message.dryRun === undefined || message.dryRun === false)) writer.uint32(16).bool(message.dryRun);
  return writer;
}

function readTrimRequest(reader, end) {
  const message = { volumes: [], dryRun: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.volumes.push(reader.string()); break;
      case 16: message.dryRun = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const TrimResponse = {
  name: 'nodecore.v1.TrimResponse',
  encode: (message) => writeTrimResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readTrimResponse(reader, reader.len); },
};

function writeTrimResponse(message, writer) {
  if (!(message.volume === undefined || message.volume === '')) writer.uint32(10).string(message.volume);
  if (!(message.state === undefined || message.state === 0)) writer.uint32(16).int32(message.state);
  if (!(message.doneBytes === undefined || message.doneBytes === 0n)) writer.uint32(24).uint64(toBits(message.doneBytes));
  if (!(message.totalBytes === undefined || message.totalBytes === 0n)) writer.uint32(32).uint64(toBits(message.totalBytes));
  if (!(message.trimmedBytes === undefined || message.trimmedBytes === 0n)) writer.uint32(40).uint64(toBits(message.trimmedBytes));
  if (!(message.ranges === undefined || message.ranges === 0)) writer.uint32(48).uint32(message.ranges);
  if (!(message.durationMillis === undefined || message.durationMillis === 0n)) writer.uint32(56).uint64(toBits(message.durationMillis));
  if (!(message.pausedMillis === undefined || message.pausedMillis === 0n)) writer.uint32(64).uint64(toBits(message.pausedMillis));
  if (message.disks !== undefined) for (const item of message.disks) writer.uint32(74).string(item);
  if (!(message.message === undefined || message.message === '')) writer.uint32(82).string(message.message);
  if (!(message.code === undefined || message.code === '')) writer.uint32(90).string(message.code);
  if (!(message.permanence === undefined || message.permanence === '')) writer.uint32(98).string(message.permanence);
  return writer;
}

function readTrimResponse(reader, end) {
  const message = { volume: '', state: 0, doneBytes: 0n, totalBytes: 0n, trimmedBytes: 0n, ranges: 0, durationMillis: 0n, pausedMillis: 0n, disks: [], message: '', code: '', permanence: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.volume = reader.string(); break;
      case 16: message.state = reader.int32(); break;
      case 24: message.doneBytes = readUnsigned(reader); break;
      case 32: message.totalBytes = readUnsigned(reader); break;
      case 40: message.trimmedBytes = readUnsigned(reader); break;
      case 48: message.ranges = reader.uint32(); break;
      case 56: message.durationMillis = readUnsigned(reader); break;
      case 64: message.pausedMillis = readUnsigned(reader); break;
      case 74: message.disks.push(reader.string()); break;
      case 82: message.message = reader.string(); break;
      case 90: message.code = reader.string(); break;
      case 98: message.permanence = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RotateKeysRequest = {
  name: 'nodecore.v1.RotateKeysRequest',
  encode: (message) => writeRotateKeysRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRotateKeysRequest(reader, reader.len); },
};

function writeRotateKeysRequest(message, writer) {
  if (message.volumes !== undefined) for (const item of message.volumes) writer.uint32(10).string(item);
  if (message.slots !== undefined && message.slots.length > 0) { writer.uint32(18).fork(); for (const item of message.slots) writer.uint32(item); writer.ldelim(); }
  if (!(message.dryRun === undefined || message.dryRun === false)) writer.uint32(24).bool(message.dryRun);
  return writer;
}

function readRotateKeysRequest(reader, end) {
  const message = { volumes: [], slots: [], dryRun: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.volumes.push(reader.string()); break;
      case 18: { const end = endOf(reader); while (reader.pos < end) message.slots.push(reader.uint32()); } break;
      case 16: message.slots.push(reader.uint32()); break;
      case 24: message.dryRun = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RotateKeysResponse = {
  name: 'nodecore.v1.RotateKeysResponse',
  encode: (message) => writeRotateKeysResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRotateKeysResponse(reader, reader.len); },
};

function writeRotateKeysResponse(message, writer) {
  if (!(message.volume === undefined || message.volume === '')) writer.uint32(10).string(message.volume);
  if (!(message.slot === undefined)) writer.uint32(16).uint32(message.slot);
  if (!(message.kind === undefined || message.kind === '')) writer.uint32(26).string(message.kind);
  if (!(message.state === undefined || message.state === 0)) writer.uint32(32).int32(message.state);
  if (!(message.message === undefined || message.message === '')) writer.uint32(42).string(message.message);
  if (!(message.code === undefined || message.code === '')) writer.uint32(50).string(message.code);
  if (!(message.permanence === undefined || message.permanence === '')) writer.uint32(58).string(message.permanence);
  return writer;
}

function readRotateKeysResponse(reader, end) {
  const message = { volume: '', kind: '', state: 0, message: '', code: '', permanence: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.volume = reader.string(); break;
      case 16: message.slot = reader.uint32(); break;
      case 26: message.kind = reader.string(); break;
      case 32: message.state = reader.int32(); break;
      case 42: message.message = reader.string(); break;
      case 50: message.code = reader.string(); break;
      case 58: message.permanence = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AddRecoveryKeyRequest = {
  name: 'nodecore.v1.AddRecoveryKeyRequest',
  encode: (message) => writeAddRecoveryKeyRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAddRecoveryKeyRequest(reader, reader.len); },
};

function writeAddRecoveryKeyRequest(message, writer) {
  if (!(message.volume === undefined || message.volume === '')) writer.uint32(10).string(message.volume);
  if (!(message.key === undefined || message.key.length === 0)) writer.uint32(18).bytes(message.key);
  return writer;
}

function readAddRecoveryKeyRequest(reader, end) {
  const message = { volume: '', key: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.volume = reader.string(); break;
      case 18: message.key = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const AddRecoveryKeyResponse = {
  name: 'nodecore.v1.AddRecoveryKeyResponse',
  encode: (message) => writeAddRecoveryKeyResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readAddRecoveryKeyResponse(reader, reader.len); },
};

function writeAddRecoveryKeyResponse(message, writer) {
  if (!(message.slot === undefined || message.slot === 0)) writer.uint32(8).uint32(message.slot);
  return writer;
}

function readAddRecoveryKeyResponse(reader, end) {
  const message = { slot: 0 };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 8: message.slot = reader.uint32(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const BackupHeaderRequest = {
  name: 'nodecore.v1.BackupHeaderRequest',
  encode: (message) => writeBackupHeaderRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readBackupHeaderRequest(reader, reader.len); },
};

function writeBackupHeaderRequest(message, writer) {
  if (!(message.volume === undefined || message.volume === '')) writer.uint32(10).string(message.volume);
  return writer;
}

function readBackupHeaderRequest(reader, end) {
  const message = { volume: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.volume = reader.string(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const BackupHeaderResponse = {
  name: 'nodecore.v1.BackupHeaderResponse',
  encode: (message) => writeBackupHeaderResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readBackupHeaderResponse(reader, reader.len); },
};

function writeBackupHeaderResponse(message, writer) {
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(10).bytes(message.data);
  return writer;
}

function readBackupHeaderResponse(reader, end) {
  const message = { data: new Uint8Array() };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.data = reader.bytes(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RestoreHeaderRequest = {
  name: 'nodecore.v1.RestoreHeaderRequest',
  encode: (message) => writeRestoreHeaderRequest(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRestoreHeaderRequest(reader, reader.len); },
};

function writeRestoreHeaderRequest(message, writer) {
  if (!(message.volume === undefined || message.volume === '')) writer.uint32(10).string(message.volume);
  if (!(message.data === undefined || message.data.length === 0)) writer.uint32(18).bytes(message.data);
  if (!(message.force === undefined || message.force === false)) writer.uint32(24).bool(message.force);
  return writer;
}

function readRestoreHeaderRequest(reader, end) {
  const message = { volume: '', data: new Uint8Array(), force: false };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.volume = reader.string(); break;
      case 18: message.data = reader.bytes(); break;
      case 24: message.force = reader.bool(); break;
      default: reader.skipType(tag & 7, 0, tag >>> 3);
    }
  }
  return message;
}

export const RestoreHeaderResponse = {
  name: 'nodecore.v1.RestoreHeaderResponse',
  encode: (message) => writeRestoreHeaderResponse(message, protobuf.Writer.create()).finish(),
  decode: (bytes) => { const reader = protobuf.Reader.create(bytes); return readRestoreHeaderResponse(reader, reader.len); },
};

function writeRestoreHeaderResponse(message, writer) {
  if (!(message.uuid === undefined || message.uuid === '')) writer.uint32(10).string(message.uuid);
  return writer;
}

function readRestoreHeaderResponse(reader, end) {
  const message = { uuid: '' };
  while (reader.pos < end) {
    const tag = reader.tag();
    switch (tag) {
      case 10: message.uuid = reader.string(); break;
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

export const CaptureService = {
  capture: method('/nodecore.v1.CaptureService/Capture', false, true, CaptureRequest, CaptureResponse),
  stop: method('/nodecore.v1.CaptureService/Stop', false, false, StopCaptureRequest, StopCaptureResponse),
  interfaces: method('/nodecore.v1.CaptureService/Interfaces', false, false, CaptureInterfacesRequest, CaptureInterfacesResponse),
  files: method('/nodecore.v1.CaptureService/Files', false, false, CaptureFilesRequest, CaptureFilesResponse),
  readFile: method('/nodecore.v1.CaptureService/ReadFile', false, true, ReadCaptureFileRequest, ReadCaptureFileResponse),
  removeFile: method('/nodecore.v1.CaptureService/RemoveFile', false, false, RemoveCaptureFileRequest, RemoveCaptureFileResponse),
};

export const CgroupService = {
  read: method('/nodecore.v1.CgroupService/Read', false, true, ReadCgroupsRequest, CgroupsResponse),
  watch: method('/nodecore.v1.CgroupService/Watch', false, true, WatchCgroupsRequest, CgroupsResponse),
  pressure: method('/nodecore.v1.CgroupService/Pressure', false, true, PressureRequest, PressureResponse),
};

export const ContainerService = {
  containers: method('/nodecore.v1.ContainerService/Containers', false, false, ContainersRequest, ContainersResponse),
  containerStats: method('/nodecore.v1.ContainerService/ContainerStats', false, false, ContainerStatsRequest, ContainerStatsResponse),
  imageList: method('/nodecore.v1.ContainerService/ImageList', false, true, ImageListRequest, ImageListResponse),
  imagePull: method('/nodecore.v1.ContainerService/ImagePull', false, true, ImagePullRequest, ImagePullResponse),
  imageImport: method('/nodecore.v1.ContainerService/ImageImport', true, false, ImageImportRequest, ImageImportResponse),
  imageRemove: method('/nodecore.v1.ContainerService/ImageRemove', false, false, ImageRemoveRequest, ImageRemoveResponse),
};

export const EventService = {
  events: method('/nodecore.v1.EventService/Events', false, true, EventsRequest, EventsResponse),
};

export const EventSink = {
  publish: method('/nodecore.v1.EventSink/Publish', false, false, PublishRequest, PublishResponse),
};

export const FileService = {
  list: method('/nodecore.v1.FileService/List', false, true, ListFilesRequest, ListFilesResponse),
  usage: method('/nodecore.v1.FileService/Usage', false, true, FileUsageRequest, FileUsageResponse),
  read: method('/nodecore.v1.FileService/Read', false, true, ReadFileRequest, ReadFileResponse),
  copy: method('/nodecore.v1.FileService/Copy', false, true, CopyFilesRequest, CopyFilesResponse),
};

export const InspectService = {
  controllerRuntimeDependencies: method('/nodecore.v1.InspectService/ControllerRuntimeDependencies', false, false, ControllerRuntimeDependenciesRequest, ControllerRuntimeDependenciesResponse),
  health: method('/nodecore.v1.InspectService/Health', false, false, HealthRequest, HealthResponse),
  cpuProfile: method('/nodecore.v1.InspectService/CpuProfile', false, true, CpuProfileRequest, ProfileResponse),
  heapSnapshot: method('/nodecore.v1.InspectService/HeapSnapshot', false, true, HeapSnapshotRequest, ProfileResponse),
};

export const KernelLogService = {
  dmesg: method('/nodecore.v1.KernelLogService/Dmesg', false, true, DmesgRequest, DmesgResponse),
};

export const KvstoreService = {
  status: method('/nodecore.v1.KvstoreService/Status', false, false, KvstoreStatusRequest, KvstoreStatusResponse),
  members: method('/nodecore.v1.KvstoreService/Members', false, false, KvstoreMembersRequest, KvstoreMembersResponse),
  alarms: method('/nodecore.v1.KvstoreService/Alarms', false, false, KvstoreAlarmsRequest, KvstoreAlarmsResponse),
  disarmAlarms: method('/nodecore.v1.KvstoreService/DisarmAlarms', false, false, DisarmAlarmsRequest, DisarmAlarmsResponse),
  snapshot: method('/nodecore.v1.KvstoreService/Snapshot', false, true, KvstoreSnapshotRequest, KvstoreSnapshotResponse),
  defragment: method('/nodecore.v1.KvstoreService/Defragment', false, true, DefragmentRequest, DefragmentResponse),
  recoverSpace: method('/nodecore.v1.KvstoreService/RecoverSpace', false, true, RecoverSpaceRequest, RecoverSpaceResponse),
  forfeitLeadership: method('/nodecore.v1.KvstoreService/ForfeitLeadership', false, false, ForfeitLeadershipRequest, ForfeitLeadershipResponse),
  leave: method('/nodecore.v1.KvstoreService/Leave', false, false, LeaveKvstoreRequest, LeaveKvstoreResponse),
  removeMember: method('/nodecore.v1.KvstoreService/RemoveMember', false, false, RemoveMemberRequest, RemoveMemberResponse),
  downgrade: method('/nodecore.v1.KvstoreService/Downgrade', false, false, DowngradeRequest, DowngradeResponse),
  recover: method('/nodecore.v1.KvstoreService/Recover', true, false, RecoverRequest, RecoverResponse),
  bootstrap: method('/nodecore.v1.KvstoreService/Bootstrap', false, true, BootstrapRequest, BootstrapResponse),
};

export const LifecycleService = {
  install: method('/nodecore.v1.LifecycleService/Install', false, true, InstallRequest, InstallResponse),
  upgrade: method('/nodecore.v1.LifecycleService/Upgrade', false, true, UpgradeRequest, UpgradeResponse),
};

export const MachineService = {
  applyConfiguration: method('/nodecore.v1.MachineService/ApplyConfiguration', false, false, ApplyConfigurationRequest, ApplyConfigurationResponse),
  version: method('/nodecore.v1.MachineService/Version', false, false, VersionRequest, VersionResponse),
  mounts: method('/nodecore.v1.MachineService/Mounts', false, false, MountsRequest, MountsResponse),
  access: method('/nodecore.v1.MachineService/Access', false, false, AccessRequest, AccessResponse),
  reboot: method('/nodecore.v1.MachineService/Reboot', false, false, RebootRequest, RebootResponse),
  shutdown: method('/nodecore.v1.MachineService/Shutdown', false, false, ShutdownRequest, ShutdownResponse),
  metaWrite: method('/nodecore.v1.MachineService/MetaWrite', false, false, MetaWriteRequest, MetaWriteResponse),
  metaDelete: method('/nodecore.v1.MachineService/MetaDelete', false, false, MetaDeleteRequest, MetaDeleteResponse),
  rollback: method('/nodecore.v1.MachineService/Rollback', false, false, RollbackRequest, RollbackResponse),
  generateClientConfiguration: method('/nodecore.v1.MachineService/GenerateClientConfiguration', false, false, GenerateClientConfigurationRequest, GenerateClientConfigurationResponse),
};

export const ProcessService = {
  processes: method('/nodecore.v1.ProcessService/Processes', false, true, ProcessesRequest, ProcessesResponse),
};

export const ResourceService = {
  get: method('/nodecore.v1.ResourceService/Get', false, false, GetRequest, GetResponse),
  list: method('/nodecore.v1.ResourceService/List', false, true, ListRequest, ListResponse),
  watch: method('/nodecore.v1.ResourceService/Watch', false, true, WatchRequest, WatchResponse),
};

export const SecurityService = {
  certificate: method('/nodecore.v1.SecurityService/Certificate', false, false, CertificateRequest, CertificateResponse),
};

export const SupervisorService = {
  serviceList: method('/nodecore.v1.SupervisorService/ServiceList', false, false, ServiceListRequest, ServiceListResponse),
  serviceStart: method('/nodecore.v1.SupervisorService/ServiceStart', false, false, ServiceStartRequest, ServiceStartResponse),
  serviceStop: method('/nodecore.v1.SupervisorService/ServiceStop', false, false, ServiceStopRequest, ServiceStopResponse),
  serviceRestart: method('/nodecore.v1.SupervisorService/ServiceRestart', false, false, ServiceRestartRequest, ServiceRestartResponse),
  logs: method('/nodecore.v1.SupervisorService/Logs', false, true, LogsRequest, LogsResponse),
  logsContainers: method('/nodecore.v1.SupervisorService/LogsContainers', false, false, LogsContainersRequest, LogsContainersResponse),
};

export const SocketService = {
  netstat: method('/nodecore.v1.SocketService/Netstat', false, true, NetstatRequest, NetstatResponse),
};

export const StatService = {
  memory: method('/nodecore.v1.StatService/Memory', false, false, MemoryRequest, MemoryResponse),
  systemStat: method('/nodecore.v1.StatService/SystemStat', false, false, SystemStatRequest, SystemStatResponse),
  loadAvg: method('/nodecore.v1.StatService/LoadAvg', false, false, LoadAvgRequest, LoadAvgResponse),
  cpuInfo: method('/nodecore.v1.StatService/CpuInfo', false, false, CpuInfoRequest, CpuInfoResponse),
  cpuFreqStats: method('/nodecore.v1.StatService/CpuFreqStats', false, false, CpuFreqStatsRequest, CpuFreqStatsResponse),
  diskStats: method('/nodecore.v1.StatService/DiskStats', false, false, DiskStatsRequest, DiskStatsResponse),
  networkDeviceStats: method('/nodecore.v1.StatService/NetworkDeviceStats', false, false, NetworkDeviceStatsRequest, NetworkDeviceStatsResponse),
};

export const StorageService = {
  proveEmpty: method('/nodecore.v1.StorageService/ProveEmpty', false, false, ProveEmptyRequest, ProveEmptyResponse),
  wipe: method('/nodecore.v1.StorageService/Wipe', false, true, WipeRequest, WipeResponse),
  wipeVolumes: method('/nodecore.v1.StorageService/WipeVolumes', false, true, WipeVolumesRequest, WipeResponse),
  reset: method('/nodecore.v1.StorageService/Reset', false, true, ResetRequest, ResetResponse),
};

export const TimeService = {
  time: method('/nodecore.v1.TimeService/Time', false, false, TimeRequest, TimeResponse),
};

export const TrimService = {
  trim: method('/nodecore.v1.TrimService/Trim', false, true, TrimRequest, TrimResponse),
};

export const VolumeService = {
  rotateKeys: method('/nodecore.v1.VolumeService/RotateKeys', false, true, RotateKeysRequest, RotateKeysResponse),
  addRecoveryKey: method('/nodecore.v1.VolumeService/AddRecoveryKey', false, false, AddRecoveryKeyRequest, AddRecoveryKeyResponse),
  backupHeader: method('/nodecore.v1.VolumeService/BackupHeader', false, true, BackupHeaderRequest, BackupHeaderResponse),
  restoreHeader: method('/nodecore.v1.VolumeService/RestoreHeader', true, false, RestoreHeaderRequest, RestoreHeaderResponse),
};

export const requirements = {
  '/nodecore.v1.CaptureService/Capture': {"roles":["os:capture"],"maintenance":false},
  '/nodecore.v1.CaptureService/Stop': {"roles":["os:capture"],"maintenance":false},
  '/nodecore.v1.CaptureService/Interfaces': {"roles":["os:capture","os:reader"],"maintenance":false},
  '/nodecore.v1.CaptureService/Files': {"roles":["os:capture"],"maintenance":false},
  '/nodecore.v1.CaptureService/ReadFile': {"roles":["os:capture"],"maintenance":false},
  '/nodecore.v1.CaptureService/RemoveFile': {"roles":["os:capture"],"maintenance":false},
  '/nodecore.v1.CgroupService/Read': {"roles":["os:reader"],"maintenance":false},
  '/nodecore.v1.CgroupService/Watch': {"roles":["os:reader"],"maintenance":false},
  '/nodecore.v1.CgroupService/Pressure': {"roles":["os:reader"],"maintenance":false},
  '/nodecore.v1.ContainerService/Containers': {"roles":["os:reader"],"maintenance":false},
  '/nodecore.v1.ContainerService/ContainerStats': {"roles":["os:reader"],"maintenance":false},
  '/nodecore.v1.ContainerService/ImageList': {"roles":["os:reader"],"maintenance":false},
  '/nodecore.v1.ContainerService/ImagePull': {"roles":["os:operator"],"maintenance":false},
  '/nodecore.v1.ContainerService/ImageImport': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.ContainerService/ImageRemove': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.EventService/Events': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.FileService/List': {"roles":["os:reader"],"maintenance":false},
  '/nodecore.v1.FileService/Usage': {"roles":["os:reader"],"maintenance":false},
  '/nodecore.v1.FileService/Read': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.FileService/Copy': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.InspectService/ControllerRuntimeDependencies': {"roles":["os:reader"],"maintenance":false},
  '/nodecore.v1.InspectService/Health': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.InspectService/CpuProfile': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.InspectService/HeapSnapshot': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.KernelLogService/Dmesg': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.KvstoreService/Status': {"roles":["os:reader","os:kvstore:backup"],"maintenance":false},
  '/nodecore.v1.KvstoreService/Members': {"roles":["os:reader","os:kvstore:backup"],"maintenance":false},
  '/nodecore.v1.KvstoreService/Alarms': {"roles":["os:reader","os:kvstore:backup"],"maintenance":false},
  '/nodecore.v1.KvstoreService/DisarmAlarms': {"roles":["os:operator"],"maintenance":false},
  '/nodecore.v1.KvstoreService/Snapshot': {"roles":["os:operator","os:kvstore:backup"],"maintenance":false},
  '/nodecore.v1.KvstoreService/Defragment': {"roles":["os:operator"],"maintenance":false},
  '/nodecore.v1.KvstoreService/RecoverSpace': {"roles":["os:operator"],"maintenance":false},
  '/nodecore.v1.KvstoreService/ForfeitLeadership': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.KvstoreService/Leave': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.KvstoreService/RemoveMember': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.KvstoreService/Downgrade': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.KvstoreService/Recover': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.KvstoreService/Bootstrap': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.LifecycleService/Install': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.LifecycleService/Upgrade': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.MachineService/ApplyConfiguration': {"roles":["os:admin"],"maintenance":true},
  '/nodecore.v1.MachineService/Version': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.MachineService/Mounts': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.MachineService/Access': {"roles":["os:reader","os:capture","os:kvstore:backup","os:meta:writer"],"maintenance":true},
  '/nodecore.v1.MachineService/Reboot': {"roles":["os:operator"],"maintenance":false},
  '/nodecore.v1.MachineService/Shutdown': {"roles":["os:operator"],"maintenance":false},
  '/nodecore.v1.MachineService/MetaWrite': {"roles":["os:admin","os:meta:writer"],"maintenance":true},
  '/nodecore.v1.MachineService/MetaDelete': {"roles":["os:admin","os:meta:writer"],"maintenance":true},
  '/nodecore.v1.MachineService/Rollback': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.MachineService/GenerateClientConfiguration': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.ProcessService/Processes': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.ResourceService/Get': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.ResourceService/List': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.ResourceService/Watch': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.SupervisorService/ServiceList': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.SupervisorService/ServiceStart': {"roles":["os:operator"],"maintenance":false},
  '/nodecore.v1.SupervisorService/ServiceStop': {"roles":["os:operator"],"maintenance":false},
  '/nodecore.v1.SupervisorService/ServiceRestart': {"roles":["os:operator"],"maintenance":false},
  '/nodecore.v1.SupervisorService/Logs': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.SupervisorService/LogsContainers': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.SocketService/Netstat': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.StatService/Memory': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.StatService/SystemStat': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.StatService/LoadAvg': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.StatService/CpuInfo': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.StatService/CpuFreqStats': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.StatService/DiskStats': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.StatService/NetworkDeviceStats': {"roles":["os:reader"],"maintenance":true},
  '/nodecore.v1.StorageService/ProveEmpty': {"roles":["os:operator"],"maintenance":false},
  '/nodecore.v1.StorageService/Wipe': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.StorageService/WipeVolumes': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.StorageService/Reset': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.TimeService/Time': {"roles":["os:reader"],"maintenance":false},
  '/nodecore.v1.TrimService/Trim': {"roles":["os:operator"],"maintenance":false},
  '/nodecore.v1.VolumeService/RotateKeys': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.VolumeService/AddRecoveryKey': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.VolumeService/BackupHeader': {"roles":["os:admin"],"maintenance":false},
  '/nodecore.v1.VolumeService/RestoreHeader': {"roles":["os:admin"],"maintenance":false},
};
