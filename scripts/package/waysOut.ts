// Searches the text of scripts for a way to a network, without any knowledge of how they were built.
import { connectingGlobals, harmlessModules } from '../build/plugins.cjs';
import type { Json } from '../paths';

export interface Script {
  readonly name: string;
  readonly text: string;
}

interface Finding {
  readonly location: string;
  readonly fault: string;
}

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

const literally = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
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

/** True of the editor's interface, and of a script beside this one: that is searched itself. */
export const isOwnLoad = (name: string) => name === 'vscode' || /^\.\/[\w-]+\.cjs$/.test(name);

/** The ways to a network. */
export function waysOut({ name, text }: Script): Finding[] {
  const findings: Finding[] = [];
  const report = (at: number, way: string) =>
    findings.push({ location: `${name}, character ${at}`, fault: `${way}: ${excerpt(text, at)}` });
  for (const match of text.matchAll(named)) report(match.index, `names ${match[1]}`);
  for (const match of text.matchAll(madeFromText)) report(match.index, 'makes code from text');
  for (const match of text.matchAll(handedOn)) report(match.index, 'hands on require');
  for (const match of text.matchAll(loads)) {
    const [, kind, argument] = match;
    const at = match.index;
    if (isOwnWrapper(text, at)) continue;
    const literal = /^["']([^"']+)["']$/.exec(argument ?? '')?.[1];
    if (literal === undefined) report(at, `${kind}() of a computed name`);
    else if (!isOwnLoad(literal) && !harmlessModules.includes(literal.replace(/^node:/, '')))
      report(at, `loads ${literal}`);
  }
  return findings;
}

export const isScript = (name: string) => /\.[cm]?js$/.test(name);
/**
 * Files that do nothing of their own; the WebAssembly reaches only what its script hands it, and words are parsed as
 * JSON.
 */
const isInert = (name: string) => /\.(?:json|md|txt|css|svg|png|xml|vsixmanifest|wasm)$|(?:^|\/)LICENSE$/i.test(name);

/**
 * Files of a package that are not searched here and could run: a native module, a script under another ending, another
 * extension that the editor would bring in with it. `names`: the package's files.
 */
export function unscanned(names: readonly string[], manifest: Json): string[] {
  const mains = [manifest.main, manifest.browser].filter(name => name !== undefined);
  return [
    ...names.filter(name => !isScript(name) && !isInert(name)),
    ...mains.filter(name => !isScript(String(name))).map(name => `the editor loads ${name}`),
    ...[manifest.extensionDependencies, manifest.extensionPack]
      .flatMap(ids => ids ?? [])
      .map(id => `the editor brings in ${id}`),
  ];
}

/** The parts of a package that let programs act for the user: the command line, or the manifest's word of it. */
export const doorsForAgents = (names: readonly string[], { contributes = {}, bin }: Json): string[] => [
  ...names.filter(name => /(?:^|\/)(?:cli|protocol)\.c?js$/.test(name)),
  ...Object.keys(contributes)
    .filter(point => /^(?:mcp|languageModel|chat)/.test(point))
    .map(point => `the manifest contributes ${point}`),
  ...(bin ? ['the manifest names a command'] : []),
];

/** The protocol's own words, in whatever file they are. */
const protocolWords = /tools\/call|notifications\/initialized|modelcontextprotocol|McpServerDefinitionProvider/;

export const speakingToAgents = (scripts: readonly Script[]) =>
  scripts.flatMap(({ name, text }) => protocolWords.exec(text)?.[0].replace(/^/, `${name}: `) ?? []);

/**
 * Our pages, which the extension's bundle writes, allow no connection: one policy, nothing by default, scripts by nonce alone,
 * connections by name refused.
 */
export function loosePages({ name, text }: Script): Finding[] {
  const policies = text.split('Content-Security-Policy').length - 1;
  const pages = text.split(/<!DOCTYPE html>/i).length - 1;
  const directives = ["default-src 'none'", "connect-src 'none'", "form-action 'none'", "base-uri 'none'", "'nonce-"];
  const missing = directives.filter(part => !text.includes(part));
  const sources = /(?:connect|img|font|media|frame|script|style|default|worker)-src[^;"`]*(?:https?:|wss?:|\*)/g;
  return [
    ...(policies === 1 && pages === 1 ? [] : [`${pages} pages with ${policies} policies, but each page needs one`]),
    ...missing.map(part => `no ${part} in the pages' policy`),
    ...[...text.matchAll(sources)].map(([source]) => `the pages' policy admits ${source}`),
  ].map(fault => ({ location: name, fault }));
}

/** The bundler's helper `function __require() {`, or a minified one, is a definition and loads nothing. */
const isOwnWrapper = (text: string, at: number) => /function\s+[\w$]*$/.test(text.slice(Math.max(0, at - 40), at));

const excerpt = (text: string, at: number) => text.slice(Math.max(0, at - 30), at + 50).replace(/\s+/g, ' ');
