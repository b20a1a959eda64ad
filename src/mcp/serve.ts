import type { Readable, Writable } from 'node:stream';
import { Agent, type AgentOptions } from './agent';
import { Protocol } from './protocol';

/** In UTF-16 units. No call of the tools needs as much. */
const maxLineLength = 1_000_000;

interface Streams {
  readonly input: Readable;
  readonly output: Writable;
}

/**
 * Answers the lines of its input, one after the other, until it ends. Only the protocol writes to its output.
 */
export async function serveAgent({
  version,
  streams,
  ...options
}: AgentOptions & { readonly version: string; readonly streams: Streams }): Promise<void> {
  const agent = new Agent(options);
  const protocol = new Protocol(version, agent.call);
  try {
    await eachLine(streams, async line => {
      const answer = line instanceof LongLine ? line.refusal() : await protocol.answer(line);
      if (answer) streams.output.write(`${JSON.stringify(answer)}\n`);
    });
  } finally {
    // A client that no longer listens may keep it open, and the process with it.
    streams.input.destroy();
    await agent.close();
  }
}

const endLength = 200;
const idAtBegin = /^\s*\{"jsonrpc":"2\.0","id":(\d{1,15}|"[^"\\]{1,100}"),/;
const idAtEnd = /,"id":(\d{1,15}|"[^"\\]{1,100}")\}\s*$/;

/** One that is not kept. Its id is at one of its ends: without it, the client would wait for an answer. */
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
    return { jsonrpc: '2.0', id: JSON.parse(id) as unknown, error: { code: -32600, message } };
  }
}

/** Resolves when the client is gone and the last line is answered. */
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
