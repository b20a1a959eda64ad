import { homedir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isolate, t } from '../../shared/l10n';
import type { CommandRunner } from '../../ui/commandRunner';
import { askInDialog, showQuickPick } from '../../ui/dialogs';
import { showInformation, showWarning } from '../../ui/notifications';
import { type Editor, offerToEditor } from './offerToEditor';
import { plainSetup, setupsOf } from './setups';
import { linkShim, shimName, shimText, writeShim } from './shim';
import { binFolder, type TerminalContext } from './terminals';

/** Writes the program that starts the command line, whose own path is another one in each version. */
export function commandLine(
  commands: CommandRunner,
  context: TerminalContext,
  storeFolder: vscode.Uri,
  log: vscode.LogOutputChannel,
) {
  const { platform, execPath, versions } = process;
  const program = vscode.Uri.joinPath(context.extension.extensionUri, 'dist/cli.cjs').fsPath;
  const isElectron = versions.electron !== undefined;
  const write = () =>
    writeShim(
      binFolder(context),
      shimText({ runtime: execPath, isElectron, program, store: storeFolder.fsPath, platform }),
    );
  try {
    write();
  } catch (error) {
    log.warn(`The command line is not there: ${(error as Error).message}`);
  }
  const env = { DUELINE_STORE: storeFolder.fsPath, ...(isElectron && { ELECTRON_RUN_AS_NODE: '1' }) };
  return vscode.Disposable.from(
    commands.on('dueline.installCommandLine', () => install(write())),
    connectAgent(commands, join(binFolder(context), shimName(platform))),
    offerToEditor(vscode as Editor, { runtime: execPath, args: [program, 'mcp'], env }),
  );
}

/** Shows and copies the configuration, and writes nothing: the user decides where it belongs. */
const connectAgent = (commands: CommandRunner, program: string): vscode.Disposable =>
  commands.on('dueline.connectAgent', async () => {
    const items = setupsOf(program, process.platform).map(({ agent, file, text }) => ({
      label: agent,
      description: file,
      detail: text,
    }));
    const other = { label: t('Other Agent'), description: t('its configuration'), detail: plainSetup(program) };
    const picked = await showQuickPick([...items, other], {
      placeHolder: t('Select an agent to copy its configuration'),
    });
    if (!picked) return;
    await vscode.env.clipboard.writeText(picked.detail);
    const file = picked.description === '' ? t('a terminal') : isolate(picked.description);
    void showInformation(t('Copied. Paste it into {0}.', file));
  });

async function install(program: string): Promise<void> {
  const folder = join(homedir(), '.local', 'bin');
  const path = join(folder, shimName(process.platform));
  // Links are for administrators there.
  if (process.platform === 'win32') return void showInformation(t('The command dueline is in {0}.', isolate(program)));
  const link = t('Create Link');
  const question = t('Create a link to the dueline command in {0}?', isolate(folder));
  if (
    (await askInDialog(question, t('This makes the command available in terminals outside the editor.'), link)) !== link
  )
    return;
  if (linkShim(path, program)) void showInformation(t('The command dueline is in {0}.', isolate(path)));
  else void showWarning(t('{0} belongs to another program. It was not replaced.', isolate(path)));
}
