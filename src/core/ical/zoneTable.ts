import type { EpochMs } from '../kernel/model';
import { type ContentLine, unescapeText } from '../lines/contentLines';
import { fromWall, resolveZone, wallOf } from '../time/zones';
import { type Component, componentsNamed } from './components';
import { PrivateZone } from './privateZone';

/** The time zones of one text: IANA and Windows names, or else the text's own VTIMEZONEs. */
export interface Zones {
  /** The instant of a wall clock; undefined if nobody knows the zone. */
  toInstant(tzid: string, civil: number): EpochMs | undefined;
  /** The wall clock of an instant, encoded as if it were UTC. */
  toWall(tzid: string, instant: EpochMs): number | undefined;
  /** True if the text has a VTIMEZONE of that name. */
  defines(tzid: string): boolean;
}

export function zonesOf(lines: readonly ContentLine[], roots: readonly Component[]): Zones {
  let own: Map<string, PrivateZone> | undefined;
  const find = (tzid: string) => {
    own ??= ownZones(lines, roots);
    return own.get(tzid);
  };
  return {
    toInstant(tzid, civil) {
      const name = resolveZone(tzid);
      return name === undefined ? find(tzid)?.toInstant(civil) : fromWall(civil, name);
    },
    toWall(tzid, instant) {
      const name = resolveZone(tzid);
      return name === undefined ? find(tzid)?.toWall(instant) : wallOf(instant, name);
    },
    defines: tzid => find(tzid) !== undefined,
  };
}

export const noZones: Zones = zonesOf([], []);

function ownZones(lines: readonly ContentLine[], roots: readonly Component[]): Map<string, PrivateZone> {
  const zones = new Map<string, PrivateZone>();
  for (const component of componentsNamed(roots, 'VTIMEZONE')) {
    const line = component.own.map(index => lines[index]!).find(({ name }) => name === 'TZID');
    if (!line) continue;
    const zone = new PrivateZone(lines, component);
    // The name is TEXT here, and elsewhere a parameter, whose commas have no backslash. Not every program observes this.
    for (const tzid of [line.value.trim(), unescapeText(line.value.trim())]) {
      if (tzid !== '' && !zones.has(tzid)) zones.set(tzid, zone);
    }
  }
  return zones;
}
