import { Agent, type AgentOptions } from './agent';
import { Protocol } from './protocol';

/** In UTF-16 units. No call of the tools needs as much. */
const maxLineLength = 1_000_000;

/**
 * Answers the lines of standard input, one after the other, until it ends. Only the protocol writes to standard output.
 */
export async function serveAgent(options: AgentOptions & { readonly version: string }): Promise<void> {
  const agent = new Agent(options);
  const protocol = new Protocol(options.version, agent.call);
  try {
    await eachLine(async line => {
      const answer = line === undefined ? tooLong : await protocol.answer(line);
      if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
    });
  } finally {
    // A client that no longer listens may keep it open, and the process with it.
    process.stdin.destroy();
    await agent.close();
  }
}

const tooLong = {
  jsonrpc: '2.0',
  id: null,
  error: { code: -32600, message: `A message has at most ${maxLineLength} characters. Send less at once.` },
};

/** Undefined for a line that is too long. Resolves when the client is gone and the last line is answered. */
function eachLine(work: (line: string | undefined) => Promise<void>): Promise<void> {
  let rest = '';
  let isSkipping = false;
  let last = Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = () => void last.then(resolve, reject);
    const answer = (line: string) => {
      if (line.length > maxLineLength) last = last.then(() => work(undefined));
      else if (line.trim() !== '') last = last.then(() => work(line));
    };
    const take = (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      // What goes before is the rest of one that is answered already.
      if (isSkipping && lines.length > 0) {
        lines.shift();
        isSkipping = false;
      }
      for (const line of lines) answer(line);
      if (!isSkipping && rest.length > maxLineLength) {
        isSkipping = true;
        answer(rest);
      }
      // A line without an end would fill the memory.
      if (isSkipping) rest = '';
      last.catch(reject);
    };
    process.stdin.setEncoding('utf8').on('data', take).on('end', end).on('close', end).on('error', end);
    process.stdout.on('error', end);
  });
}
