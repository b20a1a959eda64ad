// Stands for the editor where tests are only counted, and none runs.
const Module = /** @type {any} */ (require('node:module'));

const nothing = new Proxy(class {}, { get: (target, key) => (key === 'prototype' ? target.prototype : nothing) });
const load = Module._load;
Module._load = function (/** @type {string} */ request, /** @type {unknown[]} */ ...rest) {
  return request === 'vscode' ? nothing : Reflect.apply(load, this, [request, ...rest]);
};
