export { BpfError, type BpfErrorCode } from './errors.ts';
