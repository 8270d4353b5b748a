export { Access, type AccessWriteOptions } from './access.ts';
export { atStart, type Controller, type Outcome, type Outside, type Waiting, waitFor } from './controller.ts';
export { type Input, type InputStrength, type Output } from './declaration.ts';
export { type Dependency } from './dependencies.ts';
export { RuntimeError, type RuntimeErrorCode } from './errors.ts';
export { controllerItems } from './item-reasons.ts';
export { keepRunning, type KeepRunningOptions } from './keep-running.ts';
export { type ControllerFailure, Runtime, type RuntimeOptions } from './runtime.ts';
export { type Transform, transform, type Wanted } from './transform.ts';
