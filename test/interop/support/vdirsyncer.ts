import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from './servers';

/** vdirsyncer between a server's lists and files in a folder of its own. */
export class Vdirsyncer {
  constructor(
    private readonly server: Server,
    private readonly folder: string,
    private readonly files = join(folder, 'files'),
  ) {
    for (const place of [folder, files]) mkdirSync(place, { recursive: true });
  }

  /** Makes itself known with the lists, found under `url` (the server's, or a proxy's in front of it). Not timed. */
  async discover(lists: readonly string[], url = this.server.url): Promise<void> {
    const { username, password } = this.server;
    const { files } = this;
    writeFileSync(
      join(this.folder, 'config'),
      [
        `[general]\nstatus_path = "${join(this.folder, 'status')}"`,
        `[pair p]\na = "here"\nb = "there"\ncollections = ${JSON.stringify(lists)}`,
        `[storage here]\ntype = "filesystem"\npath = "${files}"\nfileext = ".ics"`,
        `[storage there]\ntype = "caldav"\nurl = "${url}"\nusername = "${username}"\npassword = "${password}"`,
        'item_types = ["VTODO"]\n',
      ].join('\n'),
    );
    for (const list of lists) mkdirSync(join(files, list), { recursive: true });
    await this.#run('discover');
  }

  /**
   * Milliseconds of one run. It asks for all lists at the same moment, more than Radicale lets wait at its door: one that
   * was turned away is started again, and only the last one counts.
   */
  async sync(): Promise<number> {
    for (let attempt = 1; ; attempt++) {
      const start = performance.now();
      try {
        await this.#run('sync');
        return performance.now() - start;
      } catch (error) {
        if (attempt === 5) throw error;
      }
    }
  }

  /** Not waited for in one piece: a proxy of this process may have to answer it meanwhile. */
  #run(verb: string): Promise<void> {
    const child = spawn('vdirsyncer', ['-c', join(this.folder, 'config'), verb], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
    return new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', status => {
        if (status === 0) resolve();
        else reject(new Error(`vdirsyncer ${verb} ended with ${status}: ${output.slice(-500)}`));
      });
    });
  }
}
