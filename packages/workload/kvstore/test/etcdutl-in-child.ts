// Runs etcdutl in a process of its own, so that a test can kill that one.
import { runEtcdutl } from '../src/restore/etcdutl.ts';

await runEtcdutl([], { etcdutl: process.argv[2] });
