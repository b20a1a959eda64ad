import type { Log } from '../../core/kernel/log';
import type { Clock } from '../../core/time/clock';
import type { DatabaseSchema } from '../sql/databaseSchema';
import type { Files } from './files';

export interface OpenOptions {
  readonly folder: string;
  readonly databaseSchema: DatabaseSchema;
  readonly files: Files;
  readonly clock: Clock;
  readonly log: Log;
}
