import assert from 'node:assert/strict';
import { WINDOWS_TO_IANA_MAP } from 'windows-iana';
import { resolveZone, wallOf } from '../../../src/core/time/dates';

/** The meaning of Windows zones without a territory, as windows-iana has it of CLDR. */
const theirs = WINDOWS_TO_IANA_MAP.filter(({ territory }) => territory === '001');

/** CLDR keeps the names that zones had first; the tz database calls them otherwise by now. */
const renamed: Readonly<Record<string, string>> = {
  'America/Buenos_Aires': 'America/Argentina/Buenos_Aires',
  'America/Godthab': 'America/Nuuk',
  'America/Indianapolis': 'America/Indiana/Indianapolis',
  'Asia/Calcutta': 'Asia/Kolkata',
  'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon',
  'Etc/UTC': 'UTC',
};

/** Offsets of a few years, summer and winter. */
const clockOf = (zone: string): number[] =>
  [2010, 2020, 2026].flatMap(year =>
    [0, 3, 6, 9].map(month => {
      const instant = Date.UTC(year, month, 15);
      return wallOf(instant, zone) - instant;
    }),
  );

describe('time zones of Windows, compared with windows-iana', () => {
  it('are all known', () => {
    assert.ok(theirs.length > 130);
    assert.deepEqual(
      theirs.filter(({ windowsName }) => resolveZone(windowsName) === undefined),
      [],
    );
  });

  it('map to the same zones, some by a newer name', () => {
    const different = theirs.flatMap(({ windowsName, iana: [zone] }) => {
      const ours = resolveZone(windowsName);
      return ours === (renamed[zone] ?? zone) ? [] : [`${windowsName}: ${ours}, not ${zone}`];
    });
    assert.deepEqual(different, []);
    const named = new Set<string>(theirs.map(({ iana: [zone] }) => zone));
    for (const [old, now] of Object.entries(renamed)) {
      assert.ok(named.has(old), old);
      assert.deepEqual(clockOf(old), clockOf(now));
    }
  });
});
