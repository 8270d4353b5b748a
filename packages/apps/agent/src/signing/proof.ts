import { createHmac, timingSafeEqual } from 'node:crypto';

import type { Secret } from '@nodecore/sys';

/** Tells this use of the token from any other. */
const purpose = 'nodecore machine certificate 1\n';

/** The shortest token that proves anything: one that is guessed makes its guesser a member of the cluster. */
export const leastTokenBytes = 16;

/** That its maker has the token of the cluster, and asks for these terms. The token can't be computed from it. */
export function proofOf(token: Secret, terms: Uint8Array): Buffer {
  return createHmac('sha256', token.bytes).update(purpose).update(terms).digest();
}

/** Whether a proof is one; takes as long for a wrong one. */
export function isProof(token: Secret, terms: Uint8Array, proof: Uint8Array): boolean {
  const right = proofOf(token, terms);
  return proof.byteLength === right.byteLength && timingSafeEqual(proof, right);
}
