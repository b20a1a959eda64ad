import assert from 'node:assert/strict';
import { decodeText } from '../../../src/core/exchange/encoding';

describe('the text in bytes', () => {
  const bytes = (latin1: string) => new Uint8Array(Buffer.from(latin1, 'latin1'));

  it('keeps the mark of UTF-8, which a file has when it is written again', () => {
    const text = '\ufeffGröße\r\n';
    assert.deepEqual(decodeText(new TextEncoder().encode(text)), { text, isGuess: false });
  });

  for (const fold of ['\r\n ', '\n\t'])
    it(`is UTF-8, too, if a fold (${JSON.stringify(fold)}) splits a character`, () =>
      assert.deepEqual(decodeText(bytes(`Caf\xc3${fold}\xa9 \xf0\x9f${fold}\x98\x80\r\n Gr\xc3\xb6\xc3\x9fe\r\n`)), {
        text: 'Café 😀\r\n Größe\r\n',
        isGuess: false,
      }));

  it('is Windows-1252 only in those lines that are not UTF-8', () =>
    assert.deepEqual(decodeText(bytes('Gr\xc3\xb6\xc3\x9fe\r\n5 \x80\r\n\xc3\xbc\n')), {
      text: 'Größe\r\n5 €\r\nü\n',
      isGuess: true,
    }));

  it('is in the declared encoding if it is not UTF-8, and in Windows-1252 if nobody knows that encoding', () => {
    const cyrillic = bytes('\xc4\xee\xec \xc4');
    assert.equal(decodeText(cyrillic, 'Windows-1251').text, 'Дом Д');
    assert.equal(decodeText(cyrillic, 'x').text, 'Äîì Ä');
    assert.equal(decodeText(bytes('Gr\xc3\xb6\xc3\x9fe'), 'windows-1251').text, 'Größe');
  });
});
