/** The offline flavor's stand-in for calendarWays.ts: it knows files alone. */
import type * as full from './calendarWays';

export type { CalendarWay } from './calendarWays';

export const waysElsewhere: typeof full.waysElsewhere = () => [];
