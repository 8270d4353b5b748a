import { existsSync } from 'node:fs';

const groups = 'packages/foundation/testkit/src/groups';

// One syntax for every rung; which files belong to a rung is decided by their names (packages/foundation/testkit/src/rungs.ts).
export default {
  extensions: ['ts'],
  files: [
    'packages/*/*/test/**/*.test.ts',
    'native/test/**/*.test.ts',
    'hw-tests/test/**/*.test.ts',
    // Many files in one process, which the test command chooses.
    ...(process.env['NODECORE_SHARED_FILES'] === undefined ? [] : [`${groups}/shared-process.ts`]),
  ],
  // Child processes: descriptors, signals and process-wide libraries are part of what is tested.
  workerThreads: false,
  nodeArguments: ['--conditions=source', '--expose-gc'],
  // Seconds per file, for the test command.
  require: [`./${groups}/note-process.ts`].filter(
    () => process.env['NODECORE_TEST_NOTES'] && existsSync(groups),
  ),
  // With TAP, ava 8.0.1 breaks when its own limit strikes, and no file behind the one that hangs runs. The test command has a
  // limit that names the file and goes on (run-in-order.ts).
  timeout: process.env['NODECORE_TEST_NOTES'] ? '24h' : '5m',
};
