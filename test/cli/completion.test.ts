import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { aTerminal, program } from './support/terminal';

const everywhere = ['--store', '--json', '--no-color', '--help'];

/** The commands that start a shell so that it prints the completions of a line. */
const startOf = {
  bash: (script: string, line: string) => {
    const words = line.split(' ');
    const asking = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; _dueline`;
    return ['--norc', '-c', `. '${script}'; ${asking}; printf '%s\\n' "\${COMPREPLY[@]}"`];
  },
  fish: (script: string, line: string) => ['--no-config', '-c', `source '${script}'; complete -C '${line}'`],
  zsh: (script: string, line: string) => ['-f', resolve('test/cli/support/complete.zsh'), script, line],
};

describe('completion', function () {
  this.timeout(180_000);
  const terminal = aTerminal();

  for (const shell of ['bash', 'zsh', 'fish'] as const)
    it(`offers in ${shell} what belongs to the command, and nothing for a word of a title`, async function () {
      if (spawnSync(shell, ['--version']).status !== 0) this.skip();
      const script = join(terminal.folder(), '_dueline');
      writeFileSync(script, (await terminal.run(['completion', shell])).out);
      const { store, dueline } = terminal.on();
      await dueline('add', 'Ship', '#release');
      const id = /dl-\w+/.exec((await dueline('list')).out)![0];
      const bin = terminal.folder();
      writeFileSync(join(bin, 'dueline'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, { mode: 0o755 });
      const env = { ...process.env, PATH: `${bin}:${process.env.PATH}`, DUELINE_STORE: store };
      const completed = (line: string) => {
        const { stdout } = spawnSync(shell, startOf[shell](script, line), { encoding: 'utf8', timeout: 60_000, env });
        // fish describes each, and zsh repeats the line.
        const words = stdout
          .trim()
          .split('\n')
          .map(text => text.split('\t')[0]!.split(' ').at(-1)!);
        return words.filter(word => word !== '' && word !== line.split(' ').at(-1));
      };
      assert.deepEqual(completed('dueline und'), ['undo']);
      assert.deepEqual(completed('dueline --store /tmp und'), ['undo']);
      assert.deepEqual(completed('dueline --json und'), ['undo']);
      assert.deepEqual(completed('dueline completion f'), ['fish']);
      if (shell === 'bash') assert.deepEqual(completed('dueline completion '), ['bash', 'zsh', 'fish', ...everywhere]);
      assert.deepEqual(completed('dueline --store /tmp completion f'), ['fish']);
      assert.deepEqual(completed('dueline add list --par'), ['--parent']);
      assert.deepEqual(completed('dueline add list --wat'), []);
      assert.deepEqual(completed('dueline --store add list --wat'), ['--watch']);
      assert.deepEqual(completed('dueline done dl'), [id]);
      assert.deepEqual(completed('dueline delete dl'), [id]);
      assert.deepEqual(completed('dueline time last-m'), ['last-month']);
      assert.deepEqual(completed('dueline add x --after dl'), [id]);
      assert.deepEqual(completed('dueline add x --list In'), ['Inbox']);
      assert.deepEqual(completed('dueline edit x --tag re'), ['release']);
      assert.deepEqual(completed('dueline add x --priority h'), ['high']);
      assert.deepEqual(completed('dueline export --format to'), ['todotxt']);
      assert.deepEqual(completed('dueline export -f to'), ['todotxt']);
      assert.deepEqual(completed('dueline edit x --title dl'), []);
      await dueline('add', 'Water plants every day from today');
      const series = /dl-\w+/.exec((await dueline('list', 'water')).out)![0];
      await dueline('edit', series, '--tag', 'garden');
      await dueline('done', id, series);
      assert.deepEqual(completed('dueline reopen dl'), [id]);
    });
});
