import * as vscode from 'vscode';
import type { DuelineEngine } from '../../api';
import type { PlanTarget } from '../../core/kernel/keptPlan';
import type { Id, Occurrence } from '../../core/kernel/model';
import { type Plan, planOf, stepKey } from '../../core/text/planSteps';
import { brief, isolate, t, tn } from '../../shared/l10n';
import { type Announcement, perform } from '../../ui/announcements';
import { createDefaultList } from '../../ui/defaultList';
import { showQuickPick } from '../../ui/dialogs';
import { showInformation } from '../../ui/notifications';
import type { CommandServices } from '../../ui/services';
import { dateStyle } from '../../ui/settings/settings';
import { checkLineCount } from '../../ui/text/addedText';
import { codeLinks } from '../../ui/text/codeLinks';
import { titleOf } from '../../ui/text/taskText';
import { withIcon } from '../../ui/withIcon';
import { listsById, taskChoice } from '../common/taskChoice';

/** A longer title leaves no room in the list. */
const maxTitle = 60;
/** The editor takes seconds to draw more. */
const maxRows = 1000;

/** Keeps a plan that an agent has written as subtasks, so that it outlives the chat. Kept again, it only gets new steps and ticks. */
export const keepAgentPlan = ({ commands, engine }: CommandServices): vscode.Disposable =>
  commands.on('dueline.keepAgentPlan', async () => {
    const found = await foundPlans();
    if (found.length === 0) {
      void showInformation(
        t('Select a plan in an editor, open its file or copy it first: lines such as “- [ ] Step”.'),
      );
      return undefined;
    }
    const plan = found.length === 1 ? found[0] : await pickPlan(found);
    if (!plan) return undefined;
    checkLineCount(plan.steps);
    const target = await pickTarget(engine, plan);
    return target && keep(engine, plan, target);
  });

interface FoundPlan extends Plan {
  readonly source: string;
}

/** The available plans: the selection, or else the active Markdown file, and the clipboard. */
async function foundPlans(): Promise<readonly FoundPlan[]> {
  const editor = vscode.window.activeTextEditor;
  const selected = editor?.selections.map(each => editor.document.getText(each)).join('\n') ?? '';
  const isFile = selected === '' && editor?.document.languageId === 'markdown';
  const texts = [
    { source: t('Selection'), text: selected },
    { source: editor?.document.fileName.split(/[\\/]/).at(-1) ?? '', text: isFile ? editor.document.getText() : '' },
    { source: t('Clipboard'), text: await vscode.env.clipboard.readText() },
  ];
  return texts
    .map(({ source, text }) => ({ source, ...planOf(text) }))
    .filter(({ steps }, at, all) => {
      const titles = JSON.stringify(steps);
      return steps.length > 0 && all.findIndex(other => JSON.stringify(other.steps) === titles) === at;
    });
}

async function pickPlan(found: readonly FoundPlan[]): Promise<FoundPlan | undefined> {
  const picked = await showQuickPick(
    found.map(plan => ({
      label: isolate(plan.source),
      description: tn(plan.steps.length, '{0} step', '{0} steps'),
      detail: isolate(brief(plan.steps[0]!.title, maxTitle)),
      plan,
    })),
    { placeHolder: t('Select a plan') },
  );
  return picked?.plan;
}

/** Offers first the task that has the plan already, then the one that the user works on. */
async function pickTarget(engine: DuelineEngine, plan: Plan): Promise<PlanTarget | undefined> {
  const found = engine.query('sort:due,priority', { limit: maxRows });
  const holder = holderOf(engine, plan, found);
  const active = engine.working.active()?.task.id;
  const rank = ({ task: { id } }: Occurrence) => (id === holder ? 0 : id === active ? 1 : 2);
  const [lists, style] = [listsById(engine), dateStyle(engine)];
  const title = plan.title ?? t('Agent Plan');
  const fresh = { ...withIcon('add', t('New Task {0}', isolate(brief(title, maxTitle)))), alwaysShow: true };
  const rows = found
    .filter(({ task }) => task.masterId === null)
    .toSorted((one, other) => rank(one) - rank(other))
    .map(row => taskChoice(row, style, lists));
  const items = holder === undefined ? [fresh, ...rows] : [rows[0]!, fresh, ...rows.slice(1)];
  const picked = await showQuickPick<vscode.QuickPickItem & { readonly task?: { readonly id: Id } }>(items, {
    title: tn(plan.steps.length, 'Keep {0} Step', 'Keep {0} Steps'),
    placeHolder: t('Select the task for these steps'),
    matchOnDescription: true,
  });
  if (!picked) return undefined;
  if (picked.task) return { parentId: picked.task.id };
  return { listId: await createDefaultList(engine), title, ...(await branchHere()) };
}

/** With the branch that is checked out, `context` finds the plan again. */
async function branchHere() {
  const links = codeLinks();
  const git = (await links?.repository()) === undefined ? undefined : await links?.git();
  const name = git?.state?.HEAD?.name;
  const branch = name === undefined ? undefined : links?.branchLine(name);
  return branch ? { branch } : {};
}

/** The task that has at least half of the steps as its subtasks, done or not. */
function holderOf(engine: DuelineEngine, { steps }: Plan, open: readonly Occurrence[]): Id | undefined {
  const titles = new Set(steps.filter(({ parent }) => parent === undefined).map(({ title }) => stepKey(title)));
  const counts = new Map<Id, number>();
  for (const { task } of engine.query('show:done has:parent'))
    if (task.parentId !== null && titles.has(stepKey(task.title)))
      counts.set(task.parentId, (counts.get(task.parentId) ?? 0) + 1);
  const [best] = [...counts].sort(([, one], [, other]) => other - one);
  return best && best[1] * 2 >= titles.size && open.some(({ task }) => task.id === best[0]) ? best[0] : undefined;
}

function keep(engine: DuelineEngine, { steps }: Plan, target: PlanTarget): Promise<Announcement> {
  return perform(
    engine,
    () => engine.keepPlan(steps, target),
    ({ task, added, completed }) => {
      const name = isolate(titleOf(engine.task(task)!));
      if (added.length + completed === 0) return { text: t('Nothing new in the plan of {0}', name) };
      const parts = [
        ...(added.length > 0 ? [tn(added.length, '{0} step added', '{0} steps added')] : []),
        ...(completed > 0 ? [tn(completed, '{0} step completed', '{0} steps completed')] : []),
      ];
      return { text: t('{0}: {1}', name, parts.join(' · ')) };
    },
  );
}
