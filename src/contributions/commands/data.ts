/** Import, export, templates, backups and the trash. */
import type { ListTarget, OnTask, TrashTarget } from '../commandTargets';
import { command } from '../define';
import { all, anyFilter, anyList, inFilters, readyLists, trash } from '../when';

export const dataCommands = {
  'dueline.restore': command<[target?: TrashTarget, selection?: readonly TrashTarget[]]>({
    icon: 'discard',
    menus: [
      { menu: 'view/title', group: '3_history@3', when: readyLists },
      { menu: 'view/item/context', group: 'inline@1', when: all(inFilters, "viewItem == 'deleted'") },
      { menu: 'view/item/context', group: '1_edit@1', when: trash },
    ],
  }),
  'dueline.deletePermanently': command<[target?: TrashTarget, selection?: readonly TrashTarget[]]>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '9_danger@1', when: trash }],
  }),
  'dueline.import': command({ menus: [{ menu: 'view/title', group: '4_data@1', when: readyLists }] }),
  'dueline.export': command<[target?: ListTarget | { readonly filterId: string }]>({
    menus: [
      { menu: 'view/title', group: '4_data@2', when: readyLists },
      { menu: 'view/item/context', group: '4_data@1', when: anyList },
      { menu: 'view/item/context', group: '4_data@2', when: anyFilter },
    ],
  }),
  'dueline.template.use': command(),
  'dueline.template.save': command<OnTask>({ palette: false, menus: [{ menu: 'dueline.move', group: '1@3' }] }),
  'dueline.template.manage': command(),
  'dueline.backup.create': command(),
  'dueline.backup.restore': command(),
  'dueline.data.reveal': command(),
  'dueline.data.chooseFolder': command(),
  'dueline.data.check': command(),
};
