#!/usr/bin/env node
// osctl as one file. Its parts stand below in a comment, which takes no time to read, and are compiled when they are needed.
// Plain enough for old versions of Node.js to read as far as the line that says what they are.
'use strict';
(() => {
  const needed = 24;
  if (Number(process.versions.node.split('.')[0]) < needed) {
    console.error(
      `osctl needs Node.js ${needed} or newer, and this is ${process.version}: install a newer one`,
    );
    process.exit(1);
  }
  // Not `require`: beside a package.json that says "module" this is one.
  const fs = process.getBuiltinModule('node:fs');
  const vm = process.getBuiltinModule('node:vm');
  const { createRequire } = process.getBuiltinModule('node:module');
  const file = fs.realpathSync(process.argv[1]);
  const outer = createRequire(file);
  /** Where each part stands, counted from the end of the comment. */
  const places = {};
  const text = fs.readFileSync(file, 'latin1');
  const end = text.lastIndexOf('*/');
  const loaded = new Map();
  const load = (name) => {
    const place = places[name];
    if (place === undefined) return outer(name);
    const known = loaded.get(name);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const written = text.slice(end - place[0], end - place[1]);
    const code = written.replaceAll('*\x01/', '*/').replaceAll('\x01\x02', '\x01');
    const compiled = vm.compileFunction(code, ['exports', 'require', 'module'], {
      filename: `osctl/${name}`,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    });
    compiled.call(module.exports, module.exports, load, module);
    return module.exports;
  };
  load('./osctl.js');
})();
