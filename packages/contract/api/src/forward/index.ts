export { ForwardError, type ForwardErrorCode } from './errors.ts';
export { forward, type ForwardedEnd, type ForwardOptions, type ProxiedCall } from './forward.ts';
export { frame, messages } from './frames.ts';
export { type NodeSessionOptions, openNodeSession } from './node-session.ts';
export { opaqueMethods } from './opaque-methods.ts';
export { isPassedOn, methodPath, passedOnPath } from '../passed-on-path.ts';
