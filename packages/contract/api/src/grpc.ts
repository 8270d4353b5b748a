import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * grpc-js, loaded when it is first used: that takes a program as long as everything else it loads, and a client whose one call is a
 * stream of bytes does without.
 */
export function grpc(): typeof import('@grpc/grpc-js') {
  return require('@grpc/grpc-js') as typeof import('@grpc/grpc-js');
}
