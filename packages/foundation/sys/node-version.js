// Plain JavaScript that old versions load, too: what comes after it they end at with a SyntaxError of a file that nobody knows.

const needed = [22, 13];

/** Ends the program with one line when this Node.js is too old for it. */
export function requireNode(program) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > needed[0] || (major === needed[0] && minor >= needed[1])) return;
  console.error(
    `${program} needs Node.js ${needed.join('.')} or newer, and this is ${process.version}: install a newer one, or start it with its path before the program's`,
  );
  process.exit(1);
}
