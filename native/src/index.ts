export { NativeError, type NativeErrorCode } from './errors.ts';
export { Inotify, inotifyMask, type InotifyEvent } from './inotify.ts';
export { PageReader, type OpenedPages, type OpenPagesOptions, type PageCall } from './page-reader.ts';
export { UeventSocket, type UeventBatch, type UeventSocketOptions } from './uevent-socket.ts';
