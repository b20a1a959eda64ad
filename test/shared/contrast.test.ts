import assert from 'node:assert/strict';
import { contrast, leastContrast, visibleInSideBar, visibleOn } from '../../src/shared/contrast';

const rgb = (hex: string) =>
  [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)) as unknown as [number, number, number];

describe('the color of a list on a page', () => {
  for (const page of ['#ffffff', '#f8f8f8', '#1f1f1f', '#000000', '#808080'])
    for (const color of ['#ffffff', '#ffff00', '#000000', '#1f1f1f', '#d9534f', '#4a9d5b', '#808080'])
      it(`${color} is visible on ${page}`, () => {
        const drawn = visibleOn(color, rgb(page));
        assert.ok(contrast(rgb(drawn), rgb(page)) >= leastContrast, drawn);
      });

  for (const [theme, pages] of [
    ['light', ['#ffffff', '#f8f8f8', '#f3f3f3']],
    ['dark', ['#252526', '#181818', '#000000']],
  ] as const)
    it(`is visible in the sidebar of ${theme} themes`, () => {
      for (const color of ['#ffffff', '#f0c000', '#000000', '#1f1f1f', '#d9534f']) {
        const drawn = rgb(visibleInSideBar(color)[theme]);
        for (const page of pages) assert.ok(contrast(drawn, rgb(page)) >= leastContrast, `${color} on ${page}`);
      }
    });

  it('stays as it is if it is visible', () => assert.equal(visibleOn('#d9534f', rgb('#1f1f1f')), '#d9534f'));
  it('is left alone if it is no color', () => assert.equal(visibleOn('transparent', rgb('#ffffff')), 'transparent'));
});
