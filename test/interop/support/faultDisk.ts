import type { Disk } from '../../../src/sync/folder/folderDisk';
import { diskWith, fault, type Operation } from '../../sync/support/folders';
import type { Way } from './faultProxy';

/** The names of operations in a model. */
const methods: Partial<Record<Operation, string>> = {
  open: 'PUT',
  rename: 'PUT',
  link: 'PUT',
  unlink: 'DELETE',
  mkdir: 'MKCALENDAR',
};

/** The faults of disks, networks below them and other programs. */
const faultCodes = ['EIO', 'EBUSY', 'ENOSPC', 'ETIMEDOUT'] as const;

/** So many reading operations are asked about as one: a run has hundreds, while a server gets one request. */
const readsAsOne = 20;

/** A disk that fails as a model says, in place of a proxy: before an operation is done, or after it. */
export class FaultDisk {
  readonly #ways: Way[] = [];
  #operations = 0;
  /** Called before a file is written, after it was checked. */
  meanwhile: ((path: string) => void) | undefined;

  readonly disk: Disk;

  constructor(on?: Disk) {
    this.disk = diskWith((operation, when, path) => this.#hook(operation, when, path), on);
  }

  wayTo(url: string) {
    const way: Way = { url, next: () => undefined, idle: async () => {}, stop: async () => {} };
    this.#ways.push(way);
    return way;
  }

  #hook(operation: Operation, when: 'before' | 'after', path: string): void {
    const method = methods[operation];
    if (operation === 'open' && when === 'before' && path.endsWith('.tmp')) this.meanwhile?.(path);
    this.#operations++;
    if (method === undefined && this.#operations % readsAsOne !== 0) return;
    const way = this.#ways[this.#operations % this.#ways.length];
    const isKnown = when === 'before' || operation === 'mkdir';
    if (way?.next(isKnown ? (method ?? 'GET') : 'GET', path))
      throw fault(faultCodes[this.#operations % faultCodes.length]!);
  }
}
