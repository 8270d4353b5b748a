import { Duplex } from 'node:stream';

import test from 'ava';

import { ControlSession } from '../src/control-session.ts';
import { MachineError } from '../src/errors.ts';

/** A port whose other end answers what it is asked with `answer`. */
function portWith(answer: (command: string) => object): Duplex {
  return new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      const { execute, id } = JSON.parse(chunk.toString()) as { execute: string; id: number };
      this.push(`${JSON.stringify({ ...answer(execute), id })}\r\n`);
      done();
    },
  });
}

test('what QEMU answers is the answer, and what it refuses is an error with its reason', async (t) => {
  const port = portWith((command) =>
    command === 'block_resize' ? { error: { desc: 'too small' } } : { return: { command } },
  );
  const control = new ControlSession('m', port);
  t.deepEqual(await control.execute('query-status'), { command: 'query-status' });
  await t.throwsAsync(control.execute('block_resize'), {
    code: 'ERR_MACHINE_REFUSED',
    message: 'm: block_resize: too small',
  });
});

test('a device is removed when the guest has let go of it, not when QEMU was asked', async (t) => {
  const port = portWith(() => ({ return: {} }));
  const control = new ControlSession('m', port);
  let gone = false;
  const removing = control.removeDevice('disk-A').then(() => (gone = true));
  await control.execute('query-status');
  t.false(gone);
  port.push('{"event":"DEVICE_DELETED","data":{"device":"disk-A"}}\r\n');
  t.true(await removing);
});

test('a port that breaks ends what waits, and nothing else', async (t) => {
  const port = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const control = new ControlSession('m', port);
  const asked = control.execute('query-status');
  port.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
  control.lose(new MachineError('ERR_MACHINE_STOPPED', 'm', 'the machine is off'));
  await t.throwsAsync(asked, { code: 'ERR_MACHINE_STOPPED' });
  await t.throwsAsync(control.execute('quit'), { code: 'ERR_MACHINE_STOPPED' });
});
