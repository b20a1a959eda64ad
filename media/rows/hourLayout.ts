import type { DayMeetings, GroupView, MeetingView } from '../../src/shared/widgetProtocol';
import { beginOf, type Item } from '../page/rowLayout';

/** Pixels of a line of a meeting, and below a meeting. */
export const meetingLineHeight = 18;
const margin = 2;
/** Longer meetings and longer gaps look like ones of this many hours: nothing else of the day goes out of sight. */
const [maxHours, maxHoursBetween] = [4, 2];

/** A meeting among the rows of its day, or at the end the number of others. */
interface HourBlock {
  readonly shown: MeetingView | number;
  readonly height: number;
  readonly before: number;
  readonly after: number;
}

/** A block with its position in pixels. */
export interface PlacedBlock extends Pick<HourBlock, 'shown' | 'height'> {
  readonly top: number;
}

/** The blocks before each row of a day, by its key; undefined: after all rows. */
type HourBlocks = ReadonlyMap<string | undefined, readonly HourBlock[]>;

const noBlocks: HourBlocks = new Map();

/** The meetings of a day as blocks between its rows: the layout of the rows leaves spaces to them. */
export class DayHours {
  readonly #blocks: HourBlocks;

  /** An hour has `hourHeight` pixels; 0: each meeting has one line; undefined: the meetings are not between the rows. */
  constructor(day: Pick<GroupView, 'meetings' | 'rows'> | undefined, hourHeight: number | undefined) {
    const { meetings, rows = [] } = day ?? {};
    this.#blocks = meetings && hourHeight !== undefined ? blocksOf(meetings, rows, hourHeight) : noBlocks;
  }

  /** The height of the blocks before a row, or after all rows. */
  spaceBefore = (row: string | undefined): number =>
    (this.#blocks.get(row) ?? []).reduce((sum, { before, height, after }) => sum + before + height + after, 0);

  /** The blocks in the order of the day, in the spaces between these rows. */
  place(items: readonly Item[]): readonly PlacedBlock[] {
    const placed: PlacedBlock[] = [];
    if (this.#blocks === noBlocks) return placed;
    const place = (row: string | undefined, from: number) => {
      let top = from;
      for (const { shown, before, height, after } of this.#blocks.get(row) ?? []) {
        placed.push({ shown, top: top + before, height });
        top += before + height + after;
      }
    };
    for (const item of items) if (item.kind === 'row') place(item.row.key, beginOf(item));
    const last = items.at(-1);
    place(undefined, last ? last.top + last.height : 0);
    return placed;
  }
}

function blocksOf({ shown, more }: DayMeetings, rows: readonly string[], hourHeight: number): HourBlocks {
  const blocks = new Map<string | undefined, HourBlock[]>();
  const add = (row: string | undefined, block: HourBlock) => {
    if (blocks.get(row)?.push(block) === undefined) blocks.set(row, [block]);
  };
  const known = new Set(rows);
  const pixels = (minutes: number, hours: number) => Math.round(Math.min(minutes / 60, hours) * hourHeight);
  let row = rows[0];
  for (const meeting of shown) {
    const { nextRow, minutes = 0, minutesBefore = 0, minutesAfter = 0 } = meeting.slot ?? {};
    // A row that has just left the day is not in its place any more.
    if (meeting.slot) row = nextRow !== undefined && known.has(nextRow) ? nextRow : undefined;
    const height = Math.max(meetingLineHeight, pixels(minutes, maxHours) - margin);
    const before = pixels(minutesBefore, maxHoursBetween);
    add(row, { shown: meeting, height, before, after: pixels(minutesAfter, maxHoursBetween) + margin });
  }
  if (more) add(row, { shown: more, height: meetingLineHeight, before: 0, after: margin });
  return blocks;
}
