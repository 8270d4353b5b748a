import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/** Milliseconds that some work takes, from a clean heap: what one side leaves behind is not the other's to clear away. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  collect();
  const started = performance.now();
  await work();
  return performance.now() - started;
}
