import assert from 'node:assert/strict';
import { contrast, leastContrast, visibleOn } from '../../src/views/contrast';

const rgb = (hex: string) =>
  [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)) as unknown as [number, number, number];

describe('the colour of a list on a page', () => {
  for (const page of ['#ffffff', '#f8f8f8', '#1f1f1f', '#000000', '#808080'])
    for (const color of ['#ffffff', '#ffff00', '#000000', '#1f1f1f', '#d9534f', '#4a9d5b', '#808080'])
      it(`${color} stands out from ${page}`, () => {
        const drawn = visibleOn(color, rgb(page));
        assert.ok(contrast(rgb(drawn), rgb(page)) >= leastContrast, drawn);
      });

  it('stays as it is where it can be seen', () => assert.equal(visibleOn('#d9534f', rgb('#1f1f1f')), '#d9534f'));
  it('leaves what is no colour alone', () => assert.equal(visibleOn('transparent', rgb('#ffffff')), 'transparent'));
});
