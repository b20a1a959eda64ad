/** The guide of the editor's welcome page. Each step has its words, and a picture of its name. */

const step = (id: string, completionEvents: readonly string[], when?: string) => ({
  id,
  title: `%walkthrough.${id}.title%`,
  description: `%walkthrough.${id}.text%`,
  media: { svg: `media/walkthrough/${id}.svg`, altText: `%walkthrough.${id}.picture%` },
  completionEvents,
  ...(when ? { when } : {}),
});

export const walkthroughs = [
  {
    id: 'dueline.start',
    title: '%walkthrough.title%',
    description: '%walkthrough.text%',
    steps: [
      step('add', ['onCommand:dueline.quickAdd', 'onCommand:dueline.newTask']),
      step('today', ['onView:dueline.today', 'onCommand:dueline.today.focus', 'onCommand:dueline.showToday']),
      step('filter', ['onCommand:dueline.filter.apply', 'onCommand:dueline.filter.save', 'onCommand:dueline.search']),
      step('week', ['onCommand:dueline.openWidget', 'onView:dueline.widgets.week', 'onView:dueline.widgets.upNext']),
      step('sync', ['onCommand:dueline.account.add', 'onCommand:dueline.import'], "dueline.flavor != 'offline'"),
      step(
        'local',
        ['onCommand:dueline.backup.create', 'onCommand:dueline.import', 'onCommand:dueline.data.reveal'],
        "dueline.flavor == 'offline'",
      ),
    ],
  },
];
