import test from 'ava';

import { commandLine, defaultArguments, secureBootArguments } from '../src/index.ts';

const defaults = defaultArguments.join(' ');

test('a line has the platform, its consoles, the defaults, and what the user adds', (t) => {
  t.is(
    commandLine({
      platform: 'metal',
      platformArguments: ['console=tty0'],
      extraArguments: ['a=1', 'a=2', 'quiet'],
    }),
    `os.platform=metal console=tty0 ${defaults} a=1 a=2 quiet`,
  );
  t.is(
    commandLine({ platform: 'metal', isSecureBoot: true }),
    `os.platform=metal ${defaults} ${secureBootArguments.join(' ')}`,
  );
});

test('a minus takes out every argument of the name, and only of that name', (t) => {
  const line = commandLine({
    platform: 'metal',
    platformArguments: ['console=tty0', 'console=ttyS0', 'consoles=1'],
    extraArguments: ['-console', '-pti', '-none', '-selinux=0'],
  }).split(' ');
  t.deepEqual(
    line.filter((argument) => /console=|pti|selinux/.test(argument)),
    [],
  );
  t.true(line.includes('consoles=1'));
});

test('console and os.platform replace those of the image, and several consoles stay', (t) => {
  const line = commandLine({
    platform: 'metal',
    platformArguments: ['console=tty0', 'console=ttyS0'],
    extraArguments: ['console=ttyS1,115200', 'os.platform=nocloud', 'console=ttyS2'],
  });
  t.is(line, `${defaults} console=ttyS1,115200 os.platform=nocloud console=ttyS2`);
});

test('a kernel that panics begins anew after ten seconds, or as the user wants it', (t) => {
  t.true(commandLine({ platform: 'metal' }).split(' ').includes('panic=10'));
  const own = commandLine({ platform: 'metal', extraArguments: ['panic=0'] }).split(' ');
  t.deepEqual(
    own.filter((argument) => argument.startsWith('panic=')),
    ['panic=0'],
  );
});

test('what the kernel would read as something else is refused', (t) => {
  for (const argument of [
    '',
    ' ',
    'a b',
    'a\nb',
    'a\0',
    'a="b',
    'a"b',
    '"a=b"',
    'ä',
    '-',
    '=x',
    'a="b" c',
    'a="\n"',
  ]) {
    t.throws(
      () => commandLine({ platform: 'metal', extraArguments: [argument] }),
      { code: 'ERR_IMAGE_COMMAND_LINE' },
      JSON.stringify(argument),
    );
  }
  t.throws(() => commandLine({ platform: 'metal os.link=x' }), { code: 'ERR_IMAGE_COMMAND_LINE' });
  t.notThrows(() => commandLine({ platform: 'metal', extraArguments: ['a="b c"', 'dyndbg=+p'] }));
  t.throws(() => commandLine({ platform: 'metal', extraArguments: [`a=${'x'.repeat(2000)}`] }), {
    code: 'ERR_IMAGE_COMMAND_LINE',
    message: /2047/,
  });
});
