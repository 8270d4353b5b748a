export { BuildError, type BuildErrorCode } from './errors.ts';
export { type FirstProgram, firstProgram } from './first-program.ts';
