/** Views, their containers, and the texts they show while they are empty. */
import { type WidgetKind, widgetKinds, widgets } from '../query/agenda/widgets';
import { containers, contextKeys, notesScheme, panels, textScheme, views, widgetViewId } from './ids';
import { all, isReady } from './when';

const icon = 'media/icons/dueline.svg';

export const viewsContainers = {
  activitybar: [{ id: containers.sidebar, title: 'Dueline', icon }],
  panel: [{ id: containers.panel, title: 'Dueline', icon }],
};

const widgetEntry = (kind: WidgetKind) => {
  const { icon, view } = widgets[kind];
  return {
    id: widgetViewId(kind),
    name: `%view.${view.word ?? kind}%`,
    type: 'webview',
    when: isReady,
    icon: `$(${icon})`,
    ...(view.size === undefined ? { visibility: 'collapsed' } : { initialSize: view.size }),
  };
};

/** The collapsed ones last. */
const widgetEntries = (place: 'sidebar' | 'panel') =>
  widgetKinds
    .filter(kind => widgets[kind].view.place === place)
    .sort((a, b) => Number(!widgets[a].view.size) - Number(!widgets[b].view.size))
    .map(widgetEntry);

export const viewLists = {
  [containers.sidebar]: [
    ...widgetEntries('sidebar'),
    { id: views.lists, name: '%view.lists%', icon: '$(list-tree)', initialSize: 4 },
    { id: views.filters, name: '%view.filters%', when: isReady, icon: '$(filter)', initialSize: 3 },
    {
      id: views.todos,
      name: '%view.todos%',
      when: all(isReady, contextKeys.hasTodos),
      icon: '$(comment)',
      visibility: 'collapsed',
    },
  ],
  [containers.panel]: widgetEntries('panel'),
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
  `onFileSystem:${notesScheme}`,
  `onFileSystem:${textScheme}`,
];
