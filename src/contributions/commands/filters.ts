/** Filters and search. */
import type { OnFilter } from '../commandTargets';
import { command } from '../define';
import {
  all,
  anyFilter,
  anyTreeFocus,
  inFilters,
  inLists,
  isReady,
  pinnedFilter,
  savedFilter,
  unpinnedFilter,
} from '../when';

export const filterCommands = {
  'dueline.goToTask': command(),
  'dueline.search': command<[query?: string]>({
    icon: 'search',
    menus: [{ menu: 'view/title', group: 'navigation@2', when: inFilters }],
    keys: [
      { key: "ctrl+k ctrl+'", mac: "cmd+k cmd+'" },
      { key: '/', when: anyTreeFocus },
    ],
  }),
  'dueline.filter.apply': command({
    icon: 'filter',
    menus: [{ menu: 'view/title', group: 'navigation@2', when: all(inLists, '!dueline.filterActive', isReady) }],
  }),
  'dueline.filter.clear': command({
    palette: 'dueline.filterActive',
    icon: 'filter-filled',
    menus: [{ menu: 'view/title', group: 'navigation@2', when: all(inLists, 'dueline.filterActive', isReady) }],
  }),
  'dueline.filter.save': command<[query?: string]>({
    icon: 'add',
    menus: [{ menu: 'view/title', group: 'navigation@1', when: inFilters }],
  }),
  'dueline.filter.edit': command<OnFilter>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '1_edit@1', when: savedFilter }],
  }),
  'dueline.filter.delete': command<OnFilter>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '9_danger@1', when: savedFilter }],
  }),
  // Each of two is shown only if it would change something.
  'dueline.filter.pin': command<OnFilter>({
    palette: false,
    icon: 'pin',
    menus: [
      { menu: 'view/item/context', group: 'inline@1', when: unpinnedFilter },
      { menu: 'view/item/context', group: '1_edit@2', when: unpinnedFilter },
    ],
  }),
  'dueline.filter.unpin': command<OnFilter>({
    palette: false,
    icon: 'pinned',
    menus: [
      { menu: 'view/item/context', group: 'inline@1', when: pinnedFilter },
      { menu: 'view/item/context', group: '1_edit@2', when: pinnedFilter },
    ],
  }),
  'dueline.filter.useInWidget': command<OnFilter>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '3_organise@1', when: anyFilter }],
  }),
  'dueline.filter.copyQuery': command<OnFilter>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '4_data@1', when: anyFilter }],
  }),
  'dueline.tag.split': command<OnFilter>({
    palette: false,
    menus: [{ menu: 'view/item/context', group: '1_edit@1', when: all(inFilters, 'viewItem == filter.tag.joined') }],
  }),
  'dueline.filter.explain': command<OnFilter>({
    menus: [{ menu: 'view/item/context', group: '1_edit@9', when: all(inFilters, 'viewItem =~ /^filter\\./') }],
  }),
};
