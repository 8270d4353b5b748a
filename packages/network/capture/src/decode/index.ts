export { type ChecksumStatus } from './checksum.ts';
export { type CapturedPacket, type Decoded, Decoder, type DecoderOptions } from './decoder.ts';
export { json } from './json.ts';
export { type Layer } from './layer.ts';
export { line } from './line.ts';
export { type LineOptions } from './line-options.ts';
