// An agent that PID 1's loop has started: it says what it was given, and does what it was told to do.
import { execFileSync } from 'node:child_process';
import { appendFileSync, readdirSync, readFileSync, readlinkSync, readSync, writeSync } from 'node:fs';

const channel = Number(process.env.NODECORE_INIT_FD);
const [what, lives] = process.argv.slice(2);
appendFileSync(lives, `${process.pid}\n`);
const life = readFileSync(lives, 'utf8').trimEnd().split('\n').length;
console.log(`life ${life}`);
console.log(`the one before: ${process.env.NODECORE_FORMER_END ?? 'none'}`);

if (what === 'dies' && life === 1) process.exit(3);
if (what === 'listens') {
  const sockets = readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith('socket:');
    } catch {
      return false; // the descriptor that lists them
    }
  });
  console.log(`sockets ${sockets.join()}`);
  for (const word of ['alive', 'what nobody knows', 'blessed']) writeSync(channel, word);
  for (let heard = 0; heard < 2; heard += 1) {
    console.log('listens');
    const bytes = Buffer.alloc(64);
    console.log(`heard ${bytes.toString('latin1', 0, readSync(channel, bytes))}`);
  }
}
if (what === 'hangs') for (;;);
if (what === 'is forced') writeSync(channel, 'force-poweroff');
if (what === 'insists') {
  // The third is the last that is asked for: what PID 1 does at the seventh, it does by itself.
  for (let heard = 0; heard < 3; heard += 1) {
    console.log('listens');
    const bytes = Buffer.alloc(64);
    console.log(`heard ${bytes.toString('latin1', 0, readSync(channel, bytes))}`);
  }
  console.log('is tired');
  for (;;);
}
if (what === 'leaves orphans') {
  const init = process.ppid;
  execFileSync(`/proc/${init}/exe`, ['orphans', '10000']);
  const children = () => readFileSync(`/proc/${init}/task/${init}/children`, 'utf8').trim();
  while (children() !== String(process.pid));
  console.log('is the only child');
}
writeSync(channel, what === 'listens' ? 'reboot' : 'poweroff');
setInterval(() => {}, 60_000);
