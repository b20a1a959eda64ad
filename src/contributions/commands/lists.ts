/** Lists. */
import type { OnList, OnText } from '../commandTargets';
import { command } from '../define';
import { all, anyFilter, anyList, inFilters, inLists, isReady, letterKey, readyLists, writableList } from '../when';

export const listCommands = {
  'dueline.editAsText': command<OnText>({
    icon: 'edit',
    menus: [
      { menu: 'view/item/context', group: 'inline@2', when: anyList },
      { menu: 'view/item/context', group: '1_edit@3', when: anyFilter },
      { menu: 'dueline.move', group: '9_text@1' },
      { menu: 'view/title', group: 'navigation@3', when: all(`(${inLists} || ${inFilters})`, isReady) },
    ],
    keys: [letterKey('e')],
  }),
  'dueline.list.new': command<[name?: string | object]>({
    icon: 'new-folder',
    menus: [{ menu: 'view/title', group: '1_lists@1', when: readyLists }],
  }),
  'dueline.list.rename': command<OnList>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '1_edit@2', when: writableList }],
  }),
  'dueline.list.delete': command<OnList>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '9_danger@1', when: anyList }],
  }),
  'dueline.list.hide': command<OnList>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '1_edit@4', when: anyList }],
  }),
  'dueline.list.choose': command({ menus: [{ menu: 'view/title', group: '1_lists@2', when: readyLists }] }),
  'dueline.list.color': command<OnList>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '1_edit@3', when: writableList }],
  }),
  'dueline.list.setDefault': command<OnList>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '3_organise@1', when: writableList }],
  }),
  'dueline.list.setDefaultWorkspace': command<OnList>({
    palette: false,
    enablement: 'workspaceFolderCount > 0',
    menus: [{ menu: 'view/item/context', group: '3_organise@2', when: writableList }],
  }),
};
