import { repositoryNames } from '../../core/code/repository';
import { safeJson, sanitize } from '../../core/text/cleanText';
import { repositoriesAt } from '../../programs/repositories';
import { taskJson } from '../../programs/tasks';
import { standupOf, standupText } from '../../query/agenda/standup';
import type { Command, Session } from '../session';

async function standup(session: Session): Promise<void> {
  const engine = await session.open();
  await engine.openDoneLog();
  const report = standupOf(engine, 'en');
  const { since, hiddenCount } = report;
  if (hiddenCount > 0)
    session.out.note(
      `Left out ${hiddenCount} private ${hiddenCount === 1 ? 'task' : 'tasks'}, because a standup is for others to read.`,
    );
  if (session.is('json')) {
    const entries = report.parts.map(({ key, items }) => [key, items.map(item => taskJson(engine, item, session))]);
    session.out.print(safeJson({ version: 1, ...Object.fromEntries(entries) }, 2));
    return;
  }
  session.out.print(
    standupText(
      engine,
      report,
      {
        headings: {
          yesterday: since === undefined ? 'Yesterday' : `Since ${since}`,
          today: 'Today',
          blocked: 'Blocked',
        },
        nothing: 'nothing',
        untitled: '(no title)',
        inProgress: title => `in progress: ${title}`,
        after: titles => `after ${titles}`,
        clean: sanitize,
      },
      repositoryNames(repositoriesAt(session.surroundings.path('.'))),
    ),
  );
}

export const standupCommands: Readonly<Record<string, Command>> = {
  standup: {
    usage: '',
    summary: 'Print a standup as Markdown (done since the last working day, planned today, blocked)',
    examples: ['dueline standup', 'dueline standup | pbcopy'],
    run: standup,
  },
};
