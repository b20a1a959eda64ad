import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession } from 'playwright-core';
import type { Window } from '../../test/ui/support/window';
import { median } from '../reference/figure';
import { bytesOfRowsLetGo } from './rowsLetGo';

/** Memory in MB by what it is of. */
type Sample = Record<string, number>;

/** A window is at a stand-still while its heap is written down. */
const samplesBetweenHeaps = 3;

const megabytes = (bytes: number) => bytes / 2 ** 20;

/**
 * Reads the memory of the windows, each after its garbage was collected, and of the editor's server behind them. The heap
 * of the first one's extension host now and then also without what the editor itself leaves there.
 */
export class Gauge {
  readonly samples: Sample[] = [];
  readonly #pages = new Map<Window, CDPSession>();

  constructor(
    private readonly windows: readonly Window[],
    private readonly serverPid: number,
  ) {}

  async take(): Promise<Sample> {
    const sample: Sample = { 'editor’s server, resident': residentOf(this.serverPid) };
    for (const [at, window] of this.windows.entries()) {
      const name = `window ${at + 1}`;
      // A tab that happens to be open weighs as much as the rest of the page.
      await window.command('workbench.action.closeAllEditors');
      const host = await hostMemory(window);
      sample[`${name}: extension host, heap`] = megabytes(host.heap);
      sample[`${name}: extension host, resident`] = megabytes(host.resident);
      if (at === 0 && this.samples.length % samplesBetweenHeaps === 0)
        sample[`${name}: extension host, heap without rows let go`] = megabytes(host.heap - (await rowsLetGo(window)));
      const page = await this.#page(window);
      sample[`${name}: page, heap`] = megabytes(page.heap);
      sample[`${name}: page, thousand nodes`] = page.nodes / 1000;
    }
    this.samples.push(sample);
    return sample;
  }

  async #page(window: Window): Promise<{ heap: number; nodes: number }> {
    const session = this.#pages.get(window) ?? (await window.page.context().newCDPSession(window.page));
    this.#pages.set(window, session);
    await session.send('Performance.enable');
    await session.send('HeapProfiler.collectGarbage');
    const { metrics } = await session.send('Performance.getMetrics');
    const value = (name: string) => metrics.find(metric => metric.name === name)?.value ?? Number.NaN;
    return { heap: value('JSHeapUsedSize'), nodes: value('Nodes') };
  }
}

const hostMemory = (window: Window) =>
  window.run(() => {
    const { setFlagsFromString } = require('node:v8');
    const { runInNewContext } = require('node:vm');
    setFlagsFromString('--expose-gc');
    runInNewContext('gc')();
    const { heapUsed, rss } = process.memoryUsage();
    return { heap: heapUsed, resident: rss };
  });

async function rowsLetGo(window: Window): Promise<number> {
  const file = join(tmpdir(), `dueline-soak-${process.pid}.heapsnapshot`);
  await window.run((_, file) => void require('node:v8').writeHeapSnapshot(file), file);
  try {
    return bytesOfRowsLetGo(JSON.parse(readFileSync(file, 'utf8')));
  } finally {
    rmSync(file);
  }
}

/** Of a process, as Linux tells it; nothing elsewhere. */
function residentOf(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

export interface Trend {
  readonly name: string;
  readonly first: number;
  readonly second: number;
  readonly ratio: number;
}

/** The second half to the first, medians, without the first fifth of the samples, in which everything warms up. */
export function trendsOf(samples: readonly Sample[]): Trend[] {
  const warm = samples.slice(Math.floor(samples.length / 5));
  if (warm.length < 2) return [];
  const names = new Set(warm.flatMap(sample => Object.keys(sample)));
  return [...names].map(name => {
    const values = warm.flatMap(sample => sample[name] ?? []);
    const half = Math.max(1, Math.floor(values.length / 2));
    const [first, second] = [median(values.slice(0, half)), median(values.slice(-half))];
    return { name, first, second, ratio: second / first };
  });
}
