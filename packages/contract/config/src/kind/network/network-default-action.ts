import { document } from '../../document.ts';
import { choice } from '../../field/scalars.ts';
import { required } from '../../field/type.ts';

/** `NetworkDefaultActionConfig`: what becomes of packets that no rule lets in. */
export const networkDefaultAction = document(
  'NetworkDefaultActionConfig',
  'what becomes of packets that no rule lets in',
  () => ({
    takesEffect: 'live',
    awaits: 'network',
    fields: { ingress: required('of packets to the node', choice('accept', 'block')) },
    example: 'ingress: block\n',
  }),
);
