// Looks through the text of scripts for a way to a network. Knows nothing of how they were made.
import { connectingGlobals, harmlessModules } from '../build/plugins.cjs';

/**
 * @typedef {{name: string, text: string}} Script
 * @typedef {{where: string, what: string}} Finding
 */

/** Ways around the names: code made from text, modules by computed name, other programs. */
const sidelines = [
  'createRequire',
  'getBuiltinModule',
  'navigator.sendBeacon',
  'process.binding',
  'process.dlopen',
  'sendBeacon',
  'instantiateStreaming',
  'compileStreaming',
  'module.require',
  'mainModule',
  '_load',
  '_linkedBinding',
];

const named = new RegExp(
  `(?<![\\w$])(${[...connectingGlobals, ...sidelines].map(literally).join('|')})(?![\\w$])`,
  'g',
);
/** A method that is defined, `eval(a,b){`, is none that is called. */
const madeFromText =
  /(?<![\w$.])(?:eval\s*\((?![\w$, ]*\) ?\{)|Function\s*(?:\(|\.\s*(?:call|apply|bind)\b)|(?<=(?:[=>(,:?&|[{]|\breturn)\s*)(?:eval|Function)(?=\s*(?:[,;)\]}:&|\n]|$)))/g;
const loads = /(?<![\w$.])(require|import)\s*\(\s*([^)]*)\)/g;
/** Under another name it would load what nobody sees here. */
const handedOn = /(?<=[=(,:?&|[]\s*)require(?=\s*[,;)\]}:&|\n])/g;

/** The editor's interface, and the scripts beside the one that the editor loads: they are looked through themselves. */
export const ownLoads = [
  'vscode',
  ...['main', 'shared', 'door', 'later', 'sqlite', 'protocol'].map(name => `./${name}.cjs`),
];

/**
 * @param {Script} script
 * @param {readonly string[]} [extra] modules that it may load besides the harmless ones
 * @returns {Finding[]} empty where there is no way to a network
 */
export function waysOut({ name, text }, extra = ownLoads) {
  /** @type {Finding[]} */
  const findings = [];
  const report = (/** @type {number} */ at, /** @type {string} */ what) =>
    findings.push({ where: `${name}, character ${at}`, what: `${what}: ${around(text, at)}` });
  for (const match of text.matchAll(named)) report(match.index, `names ${match[1]}`);
  for (const match of text.matchAll(madeFromText)) report(match.index, 'makes code from text');
  for (const match of text.matchAll(handedOn)) report(match.index, 'hands on require');
  for (const match of text.matchAll(loads)) {
    const [, kind, argument] = match;
    const at = match.index;
    if (isOwnWrapper(text, at)) continue;
    const literal = /^["']([^"']+)["']$/.exec(argument ?? '')?.[1];
    if (literal === undefined) report(at, `${kind}() of a computed name`);
    else if (!extra.includes(literal) && !harmlessModules.includes(literal.replace(/^node:/, '')))
      report(at, `loads ${literal}`);
  }
  return findings;
}

export const isScript = (/** @type {string} */ name) => /\.[cm]?js$/.test(name);
/** What does nothing of its own; the WebAssembly reaches only what its script hands it, and words are parsed as JSON. */
const isInert = (/** @type {string} */ name) =>
  /\.(?:json|md|txt|css|svg|png|xml|vsixmanifest|wasm)$|(?:^|\/)LICENSE$/i.test(name);

/**
 * What of a package is not looked through here and could run: a native module, a script under another ending, another
 * extension that the editor would bring in with it.
 * @param {readonly string[]} names of the package's files
 * @param {Record<string, unknown>} manifest
 * @returns {string[]} empty where there is none
 */
export function notLookedThrough(names, manifest) {
  const mains = [manifest.main, manifest.browser].filter(name => name !== undefined);
  return [
    ...names.filter(name => !isScript(name) && !isInert(name)),
    ...mains.filter(name => !isScript(String(name))).map(name => `the editor loads ${name}`),
    ...[manifest.extensionDependencies, manifest.extensionPack]
      .flatMap(ids => ids ?? [])
      .map(id => `the editor brings in ${id}`),
  ];
}

/**
 * What of a package lets programs act for a person: the command line, or the manifest's word of it.
 * @param {readonly string[]} names of the package's files
 * @param {Record<string, any>} manifest
 * @returns {string[]} empty where there is none
 */
export const doorsForAgents = (names, { contributes = {}, bin }) => [
  ...names.filter(name => /(?:^|\/)(?:cli|protocol)\.c?js$/.test(name)),
  ...Object.keys(contributes)
    .filter(point => /^(?:mcp|languageModel|chat)/.test(point))
    .map(point => `the manifest contributes ${point}`),
  ...(bin ? ['the manifest names a command'] : []),
];

/** The protocol's own words, in whatever file they are. */
const protocolWords = /tools\/call|notifications\/initialized|modelcontextprotocol|McpServerDefinitionProvider/;

/** @param {readonly Script[]} scripts */
export const speakingToAgents = scripts =>
  scripts.flatMap(({ name, text }) => protocolWords.exec(text)?.[0].replace(/^/, `${name}: `) ?? []);

/**
 * Our pages allow no connection: one policy, nothing by default, scripts by nonce alone, connections by name refused.
 * @param {Script} script the extension's bundle, which writes the pages
 * @returns {Finding[]}
 */
export function loosePages({ name, text }) {
  const policies = text.split('Content-Security-Policy').length - 1;
  const pages = text.split(/<!DOCTYPE html>/i).length - 1;
  const wanted = ["default-src 'none'", "connect-src 'none'", "form-action 'none'", "base-uri 'none'", "'nonce-"];
  const missing = wanted.filter(part => !text.includes(part));
  const sources = /(?:connect|img|font|media|frame|script|style|default|worker)-src[^;"`]*(?:https?:|wss?:|\*)/g;
  return [
    ...(policies === 1 && pages === 1
      ? []
      : [`${pages} pages with ${policies} policies, where there is to be one each`]),
    ...missing.map(part => `no ${part} in the pages' policy`),
    ...[...text.matchAll(sources)].map(([source]) => `the pages' policy admits ${source}`),
  ].map(what => ({ where: name, what }));
}

/**
 * The bundler's helper `function __require() {`, or a minified one, is a definition and loads nothing.
 * @param {string} text
 * @param {number} at
 */
const isOwnWrapper = (text, at) => /function\s+[\w$]*$/.test(text.slice(Math.max(0, at - 40), at));

/**
 * @param {string} text
 * @param {number} at
 */
const around = (text, at) => text.slice(Math.max(0, at - 30), at + 50).replace(/\s+/g, ' ');

/** @param {string} text */
function literally(text) {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
