/** Views, their containers, and what they say while they are empty. */
import { panels, views } from './ids';
import { isReady } from './when';

const icon = 'media/icons/dueline.svg';

export const viewsContainers = {
  activitybar: [{ id: views.container, title: 'Dueline', icon }],
  panel: [{ id: views.panel, title: 'Dueline', icon }],
};

const widget = { type: 'webview', when: isReady };
const collapsed = { visibility: 'collapsed' };

export const viewLists = {
  [views.container]: [
    { id: views.today, name: '%view.today%', ...widget, icon: '$(calendar)', initialSize: 4 },
    { id: views.lists, name: '%view.lists%', icon: '$(list-tree)', initialSize: 5 },
    { id: views.filters, name: '%view.filters%', when: isReady, icon: '$(filter)', initialSize: 4 },
  ],
  [views.panel]: [
    { id: views.week, name: '%view.week%', ...widget, icon: '$(layout)', initialSize: 3 },
    { id: views.upNext, name: '%view.upNext%', ...widget, icon: '$(arrow-right)', ...collapsed },
    { id: views.widgetLists, name: '%view.listsWidget%', ...widget, icon: '$(list-unordered)', ...collapsed },
    { id: views.tasks, name: '%view.tasks%', ...widget, icon: '$(checklist)', ...collapsed },
  ],
};

export const viewsWelcome = [
  { view: views.lists, contents: '%welcome.opening%', when: '!dueline.state' },
  { view: views.filters, contents: '%welcome.opening%', when: '!dueline.state' },
  { view: views.lists, contents: '%welcome.lists%', when: "dueline.state == 'ready'" },
  { view: views.lists, contents: '%welcome.failed%', when: "dueline.state == 'failed'" },
];

export const activationEvents = [
  'onStartupFinished',
  'onUri',
  // The editor restores tabs before anything else is asked for.
  ...Object.values(panels)
    .sort()
    .map(id => `onWebviewPanel:${id}`),
];
