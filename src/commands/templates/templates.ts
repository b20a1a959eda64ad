import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import { checkImportSize } from '../../core/exchange/importSize';
import { restoreTemplates, templateOf } from '../../core/exchange/template';
import { isWholeTemplate, maxDepth, maxTemplateTasks, wholeTemplates } from '../../core/exchange/wholeTemplates';
import type { Template } from '../../core/kernel/settings';
import { foldCase } from '../../query/eval/foldCase';
import { brief, isolate, numeral, plain, t, tn } from '../../shared/l10n';
import { ask, showInputBox } from '../../ui/dialogs';
import { showError } from '../../ui/errors';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { changeSetting } from '../../ui/settings/changeSetting';
import { savedTemplates } from '../../ui/settings/settings';
import { fullTitleOf } from '../../ui/text/taskText';
import { withIcon } from '../../ui/withIcon';
import { saveExport } from '../common/exportedFile';
import type { TargetResolver } from '../common/targets';

export const templateCommands = ({ commands, engine }: CommandServices, targets: TargetResolver): vscode.Disposable =>
  vscode.Disposable.from(
    commands.on('dueline.template.save', target => save(engine, targets, target)),
    commands.on('dueline.template.use', async () => {
      const picked = await pickTemplate(t('New from Template'));
      if (picked?.template) await insertTemplate(picked.template);
    }),
    commands.on('dueline.template.manage', async () => {
      const picked = await pickTemplate(t('Manage Templates'), [
        { label: '', kind: vscode.QuickPickItemKind.Separator },
        { ...withIcon('folder-opened', t('Import Templates…')), run: importFile },
        ...(savedTemplates().length > 0
          ? [{ ...withIcon('export', t('Export Templates…')), run: () => exportFile(engine) }]
          : []),
      ]);
      if (picked?.template) await renameOne(picked.template);
      else await picked?.run?.();
    }),
  );

async function save(
  engine: DuelineEngine,
  targets: TargetResolver,
  target: Parameters<TargetResolver['task']>[0],
): Promise<void> {
  const task = await targets.task(target, t('Select a task to save as a template'));
  const root = task && engine.task(task.masterId ?? task.id);
  const name = root && (await askName(brief(fullTitleOf(root), 60)));
  if (!root || !name) return;
  const rows = engine
    .rows(root.listId)
    .filter(row => row.parentId !== null && row.masterId === null && !row.isDeleted)
    .sort((a, b) => a.sortOrder - b.sortOrder || a.id - b.id);
  const template = templateOf(name, root, id => rows.filter(row => row.parentId === id), engine.clock.timeZone);
  if (!isWholeTemplate(template))
    throw new Error(
      t(
        'A template can have at most {0} tasks and {1} levels of subtasks.',
        numeral(maxTemplateTasks),
        numeral(maxDepth),
      ),
    );
  await put([template], t('Saved template {0}', isolate(name)));
}

/** Opens Quick Add with the line of the template, to which a date, a list and more can be added. */
const insertTemplate = ({ name }: Template) => vscode.commands.executeCommand('dueline.quickAdd', `:${name} `);

interface TemplateLine extends vscode.QuickPickItem {
  readonly template?: Template;
  /** An action instead of using a template. */
  readonly run?: () => Promise<void>;
}

/** The chosen line; each template has buttons to rename and delete it. */
function pickTemplate(title: string, others: readonly TemplateLine[] = []): Promise<TemplateLine | undefined> {
  if (savedTemplates().length + others.length === 0) {
    void showInformation(t('No templates yet. Save a task as a template from its menu.'));
    return Promise.resolve(undefined);
  }
  const [rename, remove] = [button('edit', t('Rename…')), button('trash', t('Delete'))];
  const lines = savedTemplates().map(template => ({
    ...withIcon('copy', isolate(template.name)),
    description: tn(sizeOf(template), '{0} task', '{0} tasks'),
    buttons: [rename, remove],
    template,
  }));
  return ask<TemplateLine, TemplateLine>(
    { title, placeholder: t('Select a template'), items: [...lines, ...others] },
    pick => ({
      async onItemButton({ template }, button) {
        pick.hide();
        if (template) await (button === rename ? renameOne(template) : removeOne(template));
      },
      onAccept: line => line,
    }),
  );
}

const button = (icon: string, tooltip: string): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon(icon),
  tooltip,
});

const sizeOf = ({ subtasks = [] }: Pick<Template, 'subtasks'>): number =>
  subtasks.reduce((sum, task) => sum + sizeOf(task), 1);

async function renameOne({ name }: Template): Promise<void> {
  const next = await askName(name);
  if (!next || next === name) return;
  const isTaken = savedTemplates().some(one => one.name !== name && isNamed(one, next));
  if (isTaken) throw new Error(t('There is already a template named {0}.', isolate(next)));
  await updateTemplates(templates => templates.map(one => (one.name === name ? { ...one, name: next } : one)));
}

async function removeOne(template: Template): Promise<void> {
  const before = savedTemplates();
  await updateTemplates(templates => templates.filter(({ name }) => name !== template.name));
  offerUndo(t('Deleted template {0}', isolate(template.name)), before, one => isNamed(one, template.name));
}

/** Replaces templates with the same names. */
async function put(templates: readonly Template[], message: string): Promise<void> {
  const before = savedTemplates();
  const isNew = (one: Template) => !templates.some(other => isNamed(one, other.name));
  await updateTemplates(all => [...all.filter(isNew), ...templates]);
  offerUndo(message, before, one => !isNew(one));
}

/** The message stays a while: others may have been saved or renamed since. */
function offerUndo(message: string, before: readonly Template[], isMeant: (one: Template) => boolean): void {
  const undo = t('Undo');
  showInformation(message, undo).then(picked => {
    if (picked === undo) updateTemplates(templates => restoreTemplates(templates, before, isMeant)).catch(showError);
  });
}

const isNamed = ({ name }: Template, other: string) => foldCase(name) === foldCase(other);

/** Incomplete entries, which the user is still writing by hand, stay at the end. */
const updateTemplates = (next: (templates: readonly Template[]) => readonly Template[]): Promise<void> =>
  changeSetting('dueline.templates', entries => [
    ...next(wholeTemplates(entries)),
    ...entries.filter(entry => wholeTemplates([entry]).length === 0),
  ]);

const askName = async (value: string) => {
  const name = await showInputBox({
    title: t('Template Name'),
    value,
    validateInput: text => (plain(text).replaceAll('"', '') === '' ? t('A name is required.') : undefined),
  });
  // The sign that quotes a name in Quick Add cannot be in it.
  return name && plain(name).replaceAll('"', '');
};

const filters = { JSON: ['json'] };

async function importFile(): Promise<void> {
  const [file] =
    (await vscode.window.showOpenDialog({ title: t('Import Templates'), openLabel: t('Import'), filters })) ?? [];
  if (!file) return;
  checkImportSize((await vscode.workspace.fs.stat(file)).size);
  const templates = templatesIn(new TextDecoder().decode(await vscode.workspace.fs.readFile(file)));
  if (templates.length === 0)
    throw new Error(t('{0} contains no templates.', isolate(file.path.split('/').at(-1) ?? '')));
  await put(templates, tn(templates.length, 'Imported {0} template', 'Imported {0} templates'));
}

function templatesIn(text: string): readonly Template[] {
  try {
    const read: unknown = JSON.parse(text);
    return wholeTemplates(Array.isArray(read) ? read : []);
  } catch {
    return [];
  }
}

async function exportFile(engine: DuelineEngine): Promise<void> {
  const file = await vscode.window.showSaveDialog({ title: t('Export Templates'), saveLabel: t('Export'), filters });
  if (!file) return;
  const text = `${JSON.stringify(savedTemplates(), null, 2)}\n`;
  await saveExport(engine, file, text);
}
