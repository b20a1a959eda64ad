/** The walkthrough on the editor's welcome page. Each step has its texts, and a picture with its name. */
import { contextKeys } from './ids';

/**
 * The steps that have a picture of a window, in the package with sync; the others, and all in the smaller one, have a
 * drawing.
 */
const pictured = ['add', 'today', 'filter', 'week'];

function picture(id: string) {
  const file = `media/walkthrough/${id}`;
  if (!pictured.includes(id)) return { svg: `${file}.svg` };
  const [light, dark] = [`${file}-light.png`, `${file}-dark.png`];
  return { image: { light, dark, hc: dark, hcLight: light } };
}

const step = (id: string, completionEvents: readonly string[], when?: string) => ({
  id,
  title: `%walkthrough.${id}.title%`,
  description: `%walkthrough.${id}.text%`,
  media: { ...picture(id), altText: `%walkthrough.${id}.picture%` },
  completionEvents,
  ...(when ? { when } : {}),
});

export const walkthroughs = [
  {
    id: 'dueline.start',
    title: '%walkthrough.title%',
    description: '%walkthrough.text%',
    steps: [
      // A task that is added in a widget runs no command, but can be undone.
      step('add', ['onCommand:dueline.quickAdd', 'onCommand:dueline.newTask', `onContext:${contextKeys.canUndo}`]),
      step('today', ['onView:dueline.today', 'onCommand:dueline.today.focus', 'onCommand:dueline.showToday']),
      step('filter', ['onCommand:dueline.filter.apply', 'onCommand:dueline.filter.save', 'onCommand:dueline.search']),
      step('week', ['onCommand:dueline.openWidget', 'onView:dueline.widgets.week', 'onView:dueline.widgets.upNext']),
      step(
        'code',
        ['addHere', 'addFromTodo', 'findTodos', 'linkHere', 'start'].map(id => `onCommand:dueline.${id}`),
      ),
      step('sync', ['onCommand:dueline.account.add', 'onCommand:dueline.import'], "dueline.flavor != 'offline'"),
      step(
        'local',
        ['onCommand:dueline.backup.create', 'onCommand:dueline.import', 'onCommand:dueline.data.reveal'],
        "dueline.flavor == 'offline'",
      ),
    ],
  },
];
