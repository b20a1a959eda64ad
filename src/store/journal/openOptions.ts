import type { Log } from '../../core/kernel/log';
import type { Clock } from '../../core/time/clock';
import type { Shape } from '../sql/databaseSchema';
import type { Files } from './files';

export interface OpenOptions {
  readonly folder: string;
  readonly shape: Shape;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
}
