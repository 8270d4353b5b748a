/** What a machine needs to know its fleet: no client, and nothing that signs. */
export { certificatePin } from './certificate-pin.ts';
export { parseJoinUrl, type JoinUrl } from './join-url.ts';
