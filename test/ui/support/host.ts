import { readdirSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { until } from './wait';

type Work<Args extends unknown[], Result> = (api: typeof vscode, ...args: Args) => Result | PromiseLike<Result>;
interface Address {
  port: number;
  token: string;
  pid: number;
}

/** The extension host of one window, reached through the bridge extension. */
export class ExtensionHost {
  private constructor(private readonly address: Address) {}

  /**
   * Waits for a host that is not among `known` and whose window answers it, and adds it. One whose window has left it, for
   * another load or another host, stays for minutes, and what it asks the window is never answered.
   */
  static async next(folder: string, known: Set<number>): Promise<ExtensionHost> {
    let found: ExtensionHost | undefined;
    const ask = (address: Address) => {
      known.add(address.pid);
      const host = new ExtensionHost(address);
      host
        .run(vscode => vscode.commands.executeCommand('setContext', 'bridge.isAsked', true))
        .then(
          () => (found ??= host),
          () => undefined, // it has ended
        );
    };
    return until('the extension host', 120_000, () => {
      for (const address of addressesIn(folder)) if (!known.has(address.pid)) ask(address);
      return found;
    });
  }

  get pid(): number {
    return this.address.pid;
  }

  /** Runs `work` in the host. It sees nothing but its arguments; arguments and result pass as JSON. */
  run<Args extends unknown[], Result>(work: Work<Args, Result>, ...args: Args): Promise<Awaited<Result>> {
    const { port, token } = this.address;
    return new Promise((resolve, reject) => {
      // A connection of its own: the server ends one that has been idle, perhaps as this question begins.
      const how = { host: '127.0.0.1', port, path: `/${token}`, method: 'POST', agent: false } as const;
      const sent = request(how, response => {
        let text = '';
        response.on('data', chunk => {
          text += chunk;
        });
        response.on('end', () => {
          const { value, error } = JSON.parse(text || '{"error":"the bridge gave no answer"}');
          if (error === undefined) resolve(value);
          else reject(new Error(error));
        });
      });
      sent.on('error', reject);
      sent.end(JSON.stringify({ code: work.toString(), args }));
    });
  }
}

function addressesIn(folder: string): Address[] {
  try {
    const names = readdirSync(folder).filter(name => name.endsWith('.json'));
    return names.map(name => JSON.parse(readFileSync(join(folder, name), 'utf8')));
  } catch {
    return [];
  }
}
