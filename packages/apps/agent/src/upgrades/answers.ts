import { connect } from 'node:tls';

const patienceMs = 3000;

/** Whether the API of this node lets anybody shake hands. Who it is plays no part: this is about the node. */
export function apiAnswers(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({
    host: '127.0.0.1',
    port,
    ALPNProtocols: ['h2'],
    rejectUnauthorized: false,
    timeout: patienceMs,
  });
  const end = (answers: boolean) => () => {
    resolve(answers);
    socket.destroy();
  };
  socket.once('secureConnect', end(true));
  socket.once('timeout', end(false));
  socket.once('error', end(false));
  socket.once('close', end(false));
  return promise;
}
