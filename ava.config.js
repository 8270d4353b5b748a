// One syntax for every rung; which files belong to a rung is decided by their names (packages/foundation/testkit/src/rungs.ts).
export default {
  extensions: ['ts'],
  files: ['packages/*/*/test/**/*.test.ts', 'native/test/**/*.test.ts', 'hw-tests/test/**/*.test.ts'],
  // Child processes: descriptors, signals and process-wide libraries are part of what is tested.
  workerThreads: false,
  nodeArguments: ['--conditions=source', '--expose-gc'],
  timeout: '5m',
};
