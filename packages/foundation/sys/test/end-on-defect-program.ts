// Ends with a defect of the kind that its argument names.
import { endOnDefect } from '../src/index.ts';

const [kind] = process.argv.slice(2);
endOnDefect((error) => {
  console.log((error as Error).message);
  if (kind === 'telling') throw new Error('the log is broken, too');
});
setInterval(() => {}, 1000); // something that would go on
if (kind === 'rejection') void Promise.reject(new Error('defect'));
else
  setImmediate(() => {
    throw new Error('defect');
  });
