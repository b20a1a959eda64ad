import assert from 'node:assert/strict';

type WhenContext = Readonly<Record<string, unknown>>;

/** The part of when-clauses that Dueline's manifest uses: `||`, `&&`, `!`, brackets, `==`, `!=` and `=~`. */
export function holds(when: string, context: WhenContext): boolean {
  const tokens =
    when.match(/=~ \/(?:[^/\\]|\\.)+\/|== '[^']*'|== [\w.-]+|!= '[^']*'|!= [\w.-]+|&&|\|\||[!()]|[\w.]+/g) ?? [];
  const value = (): boolean => {
    const token = tokens.shift()!;
    if (token === '!') return !value();
    if (token === '(') {
      const inner = or();
      assert.equal(tokens.shift(), ')');
      return inner;
    }
    const known = context[token] ?? '';
    const [, is, operand] = /^(==|!=|=~) ['/]?(.*?)['/]?$/.exec(tokens[0] ?? '') ?? [];
    if (is === undefined) return Boolean(known);
    tokens.shift();
    if (is === '=~') return new RegExp(operand!).test(String(known));
    return (String(known) === operand) === (is === '==');
  };
  const and = (): boolean => {
    let all = value();
    while (tokens[0] === '&&') {
      tokens.shift();
      all = value() && all;
    }
    return all;
  };
  const or = (): boolean => {
    let any = and();
    while (tokens[0] === '||') {
      tokens.shift();
      any = and() || any;
    }
    return any;
  };
  return or();
}
