import type { Clock } from '../core/clock';
import type { Log } from '../core/log';
import type { Files } from './files';
import type { Shape } from './shape';

export interface OpenOptions {
  readonly folder: string;
  readonly shape: Shape;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
}
