export { CrashImages } from './crash-images.ts';
export { crashStates, type CrashState } from './crash-states.ts';
export type { RecordEntry } from './record-format.ts';
export { markCommand, Recorder, type RecorderDevices } from './recorder.ts';
export { WriteRecord } from './write-record.ts';
