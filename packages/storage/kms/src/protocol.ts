/** The protocol as a server of it needs it. Loads protobufjs; the client loads it with its first call. */
export {
  KMSService,
  type Request,
  type RequestInit,
  type Response,
  type ResponseInit,
} from '../gen/sidero-kms.js';
export { encodeRequest, encodeResponse } from './key-message.ts';
