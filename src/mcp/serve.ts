import { Agent, type AgentOptions } from './agent';
import { Protocol } from './protocol';

/** In UTF-16 units. No call of the tools needs as much. */
const longestLine = 1_000_000;

/**
 * Answers the lines of standard input, one after the other, until it ends. Only the protocol writes to standard output.
 */
export async function serveAgent(options: AgentOptions & { readonly version: string }): Promise<void> {
  const agent = new Agent(options);
  const protocol = new Protocol(options.version, agent.call);
  try {
    await eachLine(async line => {
      const answer = await protocol.answer(line);
      if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
    });
  } finally {
    // A client that no longer listens may keep it open, and the process with it.
    process.stdin.destroy();
    await agent.close();
  }
}

/** Resolves when the client is gone and the last line is answered. */
function eachLine(work: (line: string) => Promise<void>): Promise<void> {
  let rest = '';
  let last = Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = () => void last.then(resolve, reject);
    const take = (chunk: string) => {
      const lines = (rest + chunk).split('\n');
      rest = lines.pop()!;
      for (const line of lines) if (line.trim() !== '') last = last.then(() => work(line));
      last.catch(reject);
      // A line without an end would fill the memory.
      if (rest.length > longestLine) reject(new Error('A message is too long.'));
    };
    process.stdin.setEncoding('utf8').on('data', take).on('end', end).on('close', end).on('error', end);
    process.stdout.on('error', end);
  });
}
