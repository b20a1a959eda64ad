import assert from 'node:assert/strict';
import { dependenciesOf, withDependencies } from '../../../src/core/fields/dependencies';
import { readResource } from '../../../src/core/ical/readResource';
import type { ResourceRow } from '../../../src/core/ical/row';
import { writeResource } from '../../../src/core/ical/writeResource';

const raw = (...lines: string[]) => ({ unknownProperties: JSON.stringify(lines) });
const others = [
  'RELATED-TO;RELTYPE=PARENT:parent',
  'RELATED-TO;RELTYPE=SIBLING:sibling',
  'RELATED-TO;RELTYPE=FINISHTOSTART;GAP=PT1H:finish',
  'RELATED-TO;RELTYPE=X-OTHER:other',
  'RELATED-TO:plain',
];

describe('dependencies (RFC 9253)', () => {
  it('are the relations of type DEPENDS-ON, each UID once, however they are written', () => {
    const row = raw(
      ...others,
      'RELATED-TO;RELTYPE=DEPENDS-ON:a',
      'related-to;reltype="depends-on";X-P=1:b\\,c',
      'RELATED-TO;RELTYPE=DEPENDS-ON;VALUE=UID:d',
      'RELATED-TO;RELTYPE=DEPENDS-ON:a',
      'RELATED-TO;RELTYPE=DEPENDS-ON;VALUE=URI:https://example.org/e',
      'RELATED-TO;RELTYPE=DEPENDS-ON:',
      'X-NOTE:DEPENDS-ON',
    );
    assert.deepEqual(dependenciesOf(row), ['a', 'b,c', 'd']);
    assert.deepEqual(dependenciesOf({ unknownProperties: null }), []);
    assert.deepEqual(dependenciesOf({ unknownProperties: 'DEPENDS-ON, damaged' }), []);
  });

  it('are added and removed without touching any other line', () => {
    const row = raw(...others, 'RELATED-TO;RELTYPE=DEPENDS-ON;X-P=1:a');
    const added = { unknownProperties: withDependencies(row, ['a', 'b;c', 'b;c']) };
    assert.deepEqual(JSON.parse(added.unknownProperties!), [
      ...others,
      'RELATED-TO;RELTYPE=DEPENDS-ON;X-P=1:a',
      'RELATED-TO;RELTYPE=DEPENDS-ON:b\\;c',
    ]);
    assert.deepEqual(dependenciesOf(added), ['a', 'b;c']);
    assert.deepEqual(JSON.parse(withDependencies(added, [])!), others);
    assert.equal(withDependencies(row, ['a']), row.unknownProperties);
    assert.equal(withDependencies(raw('RELATED-TO;RELTYPE=DEPENDS-ON:a'), []), null);
  });

  it('are written into a text line by line, and leave the relations of other programs as they are', () => {
    const text = ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Other//EN', 'BEGIN:VTODO', 'UID:task', 'SUMMARY:Task']
      .concat(others, 'RELATED-TO;RELTYPE=DEPENDS-ON;X-P=1:a', 'RELATED-TO;RELTYPE=DEPENDS-ON:b')
      .concat('END:VTODO', 'END:VCALENDAR', '')
      .join('\r\n');
    const { master } = readResource(text, { uid: 'task' });
    assert.deepEqual(dependenciesOf(master!.fields), ['a', 'b']);
    assert.equal(master!.parentUid, 'parent');
    const dependingOn = (uids: string[]): ResourceRow => ({
      ...master!,
      fields: { ...master!.fields, unknownProperties: withDependencies(master!.fields, uids) },
    });
    const now = Date.UTC(2026, 10, 23);
    const written = writeResource({ master: dependingOn(['a', 'c']), overrides: [] }, text, now);
    const lines = (of: string) => of.split('\r\n').filter(line => line.startsWith('RELATED-TO'));
    assert.deepEqual(lines(written), [
      ...others,
      'RELATED-TO;RELTYPE=DEPENDS-ON;X-P=1:a',
      'RELATED-TO;RELTYPE=DEPENDS-ON:c',
    ]);
    assert.equal(writeResource({ master: dependingOn(['b', 'a']), overrides: [] }, text, now), text);
    // Into another list, without the text that it had.
    const moved = writeResource({ master: dependingOn(['a', 'c']), overrides: [] }, undefined, now);
    assert.deepEqual(dependenciesOf(readResource(moved, { uid: 'task' }).master!.fields), ['a', 'c']);
  });
});
