/** The answers of a call that brings packets, without grpc-js. */
export { type LentCall, type LentCallAnswer } from './lent-call.ts';
export { messagesOf, type MessagesOptions } from './messages.ts';
