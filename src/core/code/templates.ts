/** The next of these in JavaScript's template, `a \n ${b}`: an escape, its end, a hole. */
const inTemplate = /\\[\s\S]|`|\$\{/g;
/** The next of these inside `${…}`: a comment, a string, another template, a brace. */
const inBraces = /\/\/.*|\/\*[\s\S]*?\*\/|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?|[`{}]/g;

/** The same inside a hole of a C# string, `$"{name["key"]}"`; `$"` begins another such string, `@"` a verbatim one. */
const inHole =
  /\/\/.*|\/\*[\s\S]*?\*\/|(?:\$@?|@\$)"(?!"")|@"[^"]*(?:""[^"]*)*"?|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])'|[{}]/g;

/** The deepest nesting of strings within strings. */
const maxDepth = 30;

/**
 * The position after the `"` that ends `$"…"`, which may have strings between its braces; with `@`, a quote is written
 * `""` instead of `\"`.
 */
export function endOfInterpolated(text: string, from: number, isVerbatim: boolean, depth = 0): number {
  if (depth > maxDepth) return text.length;
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!;
    if (sign === '\\' && !isVerbatim) at++;
    else if (sign === '\n' && !isVerbatim) return at;
    else if (sign === '"' && (!isVerbatim || text[at + 1] !== '"')) return at + 1;
    else if ((sign === '"' || sign === '{') && text[at + 1] === sign) at++;
    else if (sign === '{') at = endOfHole(text, at + 1, depth) - 1;
  }
  return text.length;
}

function endOfHole(text: string, from: number, depth: number): number {
  let open = 1;
  for (let at = from; ; ) {
    inHole.lastIndex = at;
    const match = inHole.exec(text);
    if (!match) return text.length;
    const [sign] = match;
    at = match.index + sign.length;
    if (/^[$@]+"$/.test(sign) && sign.includes('$')) at = endOfInterpolated(text, at, sign.includes('@'), depth + 1);
    else if (sign === '{') open++;
    else if (sign === '}' && --open === 0) return at;
  }
}

/** The position after the backtick that ends a template, whose `${…}` may contain templates again. */
export function endOfTemplate(text: string, from: number): number {
  /** For each ${ that is open, the braces that are open in it. */
  const open: number[] = [];
  let sign = inTemplate;
  for (let at = from; ; ) {
    sign.lastIndex = at;
    const match = sign.exec(text)?.[0];
    if (match === undefined) return text.length;
    at = sign.lastIndex;
    const last = open.length - 1;
    if (sign === inTemplate) {
      if (match === '`' && last < 0) return at;
      if (match === '${') open.push(0);
      if (match === '`' || match === '${') sign = inBraces;
    } else if (match === '`') sign = inTemplate;
    else if (match === '{') open[last]!++;
    else if (match === '}' && open[last]! > 0) open[last]!--;
    else if (match === '}') {
      open.pop();
      sign = inTemplate;
    }
  }
}
