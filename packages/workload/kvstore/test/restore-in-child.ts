// Restores in a process of its own, so that a test can kill it at any moment.
import { restoreSnapshot } from '../src/index.ts';

const [file = '', dataDirectory = '', name = '', peerUrl = '', etcdutl = ''] = process.argv.slice(2);
await restoreSnapshot({
  file,
  dataDirectory,
  name,
  cluster: { members: { [name]: [peerUrl] } },
  replace: true,
  etcdutl,
});
