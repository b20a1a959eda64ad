import type { Readable, Writable } from 'node:stream';
import { isJSONRPCRequest, type JSONRPCMessage, ProtocolErrorCode, type Transport } from '@modelcontextprotocol/server';

/** In UTF-16 units. No call of the tools needs as much. */
const maxLineLength = 1_000_000;

export interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Messages as lines, one answered after the other. The package's own transport ends at a line that is too long, and does
 * not answer what was asked before the input ended.
 */
export class LineTransport implements Transport {
  onmessage: Transport['onmessage'];
  onclose: Transport['onclose'];
  onerror: Transport['onerror'];
  /** The arguments of the current request, if they are not an object: the package would refuse them. */
  refusedArguments: unknown;
  /** Takes the answer to the request that is being worked on. */
  #answered = (_answer: JSONRPCMessage) => {};

  constructor(private readonly streams: Streams) {}

  async start(): Promise<void> {}

  async close(): Promise<void> {}

  /** The server sends neither questions nor notifications: all that it sends are answers. */
  async send(message: JSONRPCMessage): Promise<void> {
    this.#answered(message);
  }

  /** Resolves when the client is gone and the last line is answered. */
  read = (): Promise<void> =>
    eachLine(this.streams, async line => {
      const answer = line instanceof LongLine ? line.refusal() : await this.#answerToLine(line);
      if (answer) this.streams.output.write(`${JSON.stringify(answer)}\n`);
    });

  /** Undefined if the message wants no answer. */
  async #answerToLine(line: string): Promise<object | undefined> {
    let message: unknown;
    try {
      message = JSON.parse(line.trim());
    } catch {
      return refusal(null, ProtocolErrorCode.ParseError, 'That is not JSON.');
    }
    if (!Array.isArray(message) || message.length === 0) return this.#answerTo(message);
    // A batch, which revision 2025-03-26 asks for.
    const answers: object[] = [];
    for (const each of message) {
      const answer = await this.#answerTo(each);
      if (answer) answers.push(answer);
    }
    return answers.length > 0 ? answers : undefined;
  }

  async #answerTo(sent: unknown): Promise<object | undefined> {
    const { message, refusedArguments } = lenient(sent);
    if (isJSONRPCRequest(message))
      return new Promise(resolve => {
        this.#answered = resolve;
        this.refusedArguments = refusedArguments;
        this.onmessage?.(message);
      });
    const { id, method } = Object(message) as { readonly id?: unknown; readonly method?: unknown };
    // A message without an id is a notification, and one without a method answers a question that was never asked.
    if (isFields(message) && (id === undefined || method === undefined)) return undefined;
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    return refusal(known, ProtocolErrorCode.InvalidRequest, 'That is not a JSON-RPC 2.0 request.');
  }
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Removes members that are null, also from nested objects down to `depth`. */
const withoutNull = (fields: Fields, depth = 0): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, depth > 0 && isFields(member) ? withoutNull(member, depth - 1) : member]),
  );

/** Some clients send null for missing values. The package refuses that, and a greeting without the client's version. */
function lenient(message: unknown): { readonly message: unknown; readonly refusedArguments?: unknown } {
  if (!isFields(message) || !isFields(message.params)) return { message };
  const parameters = withoutNull(message.params);
  const inside = (name: string, more?: Fields) => {
    const member = parameters[name];
    return isFields(member) && { [name]: { ...more, ...withoutNull(member, 2) } };
  };
  const params: Fields = {
    ...parameters,
    ...inside('_meta'),
    ...(message.method === 'initialize' && { ...inside('capabilities'), ...inside('clientInfo', { version: '' }) }),
  };
  const { arguments: args, ...others } = params;
  if (message.method !== 'tools/call' || args === undefined || isFields(args))
    return { message: { ...message, params } };
  return { message: { ...message, params: others }, refusedArguments: args };
}

const refusal = (id: string | number | null, code: number, message: string) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
});

const endLength = 200;
/** `{"jsonrpc":"2.0","id":7,…`. */
const idAtBegin = /^\s*\{"jsonrpc":"2\.0","id":(\d{1,15}|"[^"\\]{1,100}"),/;
/** `…,"id":"a7"}`. */
const idAtEnd = /,"id":(\d{1,15}|"[^"\\]{1,100}")\}\s*$/;

/**
 * A line that is too long to be kept. Its id is at one of its ends: without it, the client would wait for an answer.
 */
class LongLine {
  readonly #begin: string;
  #end = '';

  constructor(text: string) {
    this.#begin = text.slice(0, endLength);
    this.add(text);
  }

  add(text: string): void {
    this.#end = (this.#end + text.slice(-endLength)).slice(-endLength);
  }

  refusal() {
    const [, id = 'null'] = idAtBegin.exec(this.#begin) ?? idAtEnd.exec(this.#end) ?? [];
    const message = `A message has at most ${maxLineLength} characters. Send less at once.`;
    return refusal(JSON.parse(id), ProtocolErrorCode.InvalidRequest, message);
  }
}

/** Resolves at the end of the input, when all work is done. */
function eachLine({ input, output }: Streams, work: (line: string | LongLine) => Promise<void>): Promise<void> {
  let rest = '';
  let long: LongLine | undefined;
  let last = Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = () => void last.then(resolve, reject);
    const answer = (line: string) => {
      const taken = line.length > maxLineLength ? new LongLine(line) : line;
      if (taken !== line || line.trim() !== '') last = last.then(() => work(taken));
    };
    const take = (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      if (long && lines.length > 0) {
        const ended = long;
        ended.add(lines.shift()!);
        last = last.then(() => work(ended));
        long = undefined;
      }
      for (const line of lines) answer(line);
      // A line without an end would fill the memory.
      if (long) long.add(rest);
      else if (rest.length > maxLineLength) long = new LongLine(rest);
      if (long) rest = '';
      last.catch(reject);
    };
    input.setEncoding('utf8').on('data', take).on('end', end).on('close', end).on('error', end);
    output.on('error', end);
  });
}
