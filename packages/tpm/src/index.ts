export { TpmError, type TpmErrorCode } from './errors.ts';
