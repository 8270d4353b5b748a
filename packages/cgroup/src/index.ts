export { CgroupError, type CgroupErrorCode } from './errors.ts';
