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
    ...(view.size === undefined ? { visibility: 'hidden' } : { initialSize: view.size }),
  };
};

/** VS Code counts a collapsed view without a size as 20, and keeps that room from the others at first. */
const collapsed = { visibility: 'collapsed', initialSize: 1 };
/** The view keeps its place while open files have no comments: other views would move under the pointer. */
const listsTodos = `(config.dueline.todos.scope != 'off' || ${contextKeys.listsTodos})`;

/** The collapsed ones last. */
const widgetEntries = (container: 'sidebar' | 'panel') =>
  widgetKinds
    .filter(kind => widgets[kind].view.container === container)
    .sort((a, b) => Number(!widgets[a].view.size) - Number(!widgets[b].view.size))
    .map(widgetEntry);

export const viewLists = {
  [containers.sidebar]: [
    ...widgetEntries('sidebar'),
    { id: views.lists, name: '%view.lists%', icon: '$(list-tree)', initialSize: 8 },
    { id: views.filters, name: '%view.filters%', when: isReady, icon: '$(filter)', ...collapsed },
    { id: views.todos, name: '%view.todos%', when: all(isReady, listsTodos), icon: '$(comment)', ...collapsed },
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
