/** How a call ended. The audit log has it, the caller gets the status and words of {@link answers}. */
export type Outcome =
  | 'ok'
  | 'invalid' // the request can't be one
  | 'no-identity' // a certificate without the name of a node, where one is needed
  | 'other-identity' // the certificate is for another node
  | 'not-listed' // the node is not in the list of those that are served
  | 'unknown-key' // the ring has no key of that id
  | 'not-authentic' // sealed for another node or volume, by another key of that id, or changed since
  | 'rate-limited'
  | 'busy' // too many calls at once
  | 'not-recorded' // the audit log can't be written
  | 'failed'; // a defect of ours; the log has it

type Answer = {
  readonly status:
    | 'INVALID_ARGUMENT'
    | 'PERMISSION_DENIED'
    | 'NOT_FOUND'
    | 'RESOURCE_EXHAUSTED'
    | 'UNAVAILABLE'
    | 'INTERNAL';
  readonly words: string;
};

/** gRPC statuses by name. What a stranger could learn from the difference is one answer: not listed, not authentic. */
export const answers: Readonly<Record<Exclude<Outcome, 'ok'>, Answer>> = {
  invalid: { status: 'INVALID_ARGUMENT', words: 'the request can not be one' },
  'no-identity': {
    status: 'PERMISSION_DENIED',
    words: 'the certificate names no node (urn:uuid:… among its alternative names)',
  },
  'other-identity': { status: 'PERMISSION_DENIED', words: 'the certificate is for another node' },
  'not-listed': { status: 'PERMISSION_DENIED', words: 'not for this node, or not what was sealed for it' },
  'not-authentic': { status: 'PERMISSION_DENIED', words: 'not for this node, or not what was sealed for it' },
  'unknown-key': { status: 'NOT_FOUND', words: 'the key that sealed this is not in the ring' },
  'rate-limited': { status: 'RESOURCE_EXHAUSTED', words: 'too many calls; come back later' },
  busy: { status: 'RESOURCE_EXHAUSTED', words: 'too many calls at once; come back later' },
  'not-recorded': { status: 'UNAVAILABLE', words: 'the call can not be recorded' },
  failed: { status: 'INTERNAL', words: 'internal error' },
};
