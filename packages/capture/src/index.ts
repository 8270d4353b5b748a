export { CaptureError, type CaptureErrorCode } from './errors.ts';
