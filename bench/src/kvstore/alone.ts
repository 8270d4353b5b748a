/**
 * One piece of work on a snapshot, in a process of its own that does nothing else:
 * `node alone.ts verify FILE`, `node alone.ts save FILE ENDPOINT`.
 */
import { keepCompiled } from '@nodecore/sys/compile-cache';

keepCompiled(); // as our programs do
const [work, file = '', endpoint = ''] = process.argv.slice(2);

if (work === 'verify') {
  const { verifySnapshot } = await import('@nodecore/kvstore/verify');
  await verifySnapshot(file);
} else {
  const { connect, saveSnapshot } = await import('@nodecore/kvstore');
  const kvstore = await connect({ endpoints: [endpoint], timeoutMs: 60_000 });
  try {
    await saveSnapshot(kvstore, { file });
  } finally {
    kvstore.close();
  }
}
