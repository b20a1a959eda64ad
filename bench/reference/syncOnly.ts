import { openEngine } from '../../src/engine';

/** Memory in bytes that the first sync of an account adds at its peak, in a process that has its store open and knows the account. */
async function main([folder, serverUrl, username, password]: readonly string[]): Promise<void> {
  const engine = await openEngine({ folder: folder! });
  // A busy machine is no reason to give up.
  engine.configure({ syncTimeoutSeconds: 300 });
  await engine.addAccount({ serverUrl: serverUrl!, username: username!, password: password! });
  for (let turn = 0; turn < 3; turn++) globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let peak = before;
  const look = () => {
    peak = Math.max(peak, process.memoryUsage().rss);
  };
  const watch = setInterval(look, 5);
  const [account] = (await engine.sync()).accounts;
  clearInterval(watch);
  look();
  if (account?.error !== null) throw new Error(account?.error ?? 'There is no account.');
  const tasks = engine.lists().flatMap(({ id }) => engine.rows(id)).length;
  console.log(JSON.stringify({ before, added: peak - before, tasks }));
  await engine.close();
}

void main(process.argv.slice(2));
