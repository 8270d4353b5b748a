export { KmsError, type KmsErrorCode } from './errors.ts';
