import { allowSlowProofs } from '../src/proof/time.ts';

// Imported for this alone: on a machine that runs other tests beside, a proof takes longer than its disk does. How long one may
// take is asserted by proof-deadline, with a clock of its own.
allowSlowProofs(60_000);
