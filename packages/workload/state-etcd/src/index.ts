export { etcdState, type EtcdStateOptions } from './etcd-state.ts';
