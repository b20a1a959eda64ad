import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { extensionId } from './support/api';

const dueline = () => vscode.extensions.getExtension(extensionId);

describe('the extension', () => {
  it('is found and activates', async () => {
    const extension = dueline();
    assert.ok(extension, 'the extension under its id');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('answers every command that it contributes', async () => {
    const extension = dueline()!;
    await extension.activate();
    const contributed: { command: string }[] = extension.packageJSON.contributes.commands ?? [];
    const known = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      contributed.map(({ command }) => command).filter(command => !known.has(command)),
      [],
    );
  });

  it('contributes settings with the defaults that the manifest gives', () => {
    const contributed = dueline()!.packageJSON.contributes.configuration ?? [];
    const sections: { properties?: Record<string, { default?: unknown }> }[] = [contributed].flat();
    for (const [name, { default: expected }] of sections.flatMap(({ properties }) =>
      Object.entries(properties ?? {}),
    )) {
      if (expected === undefined) continue;
      assert.deepEqual(vscode.workspace.getConfiguration().inspect(name)?.defaultValue, expected, name);
    }
  });
});
