import type { Window } from '../../test/ui/support/window';
import { type Figure, median } from '../reference/figure';

type Sample = Readonly<Record<string, number>>;

/** In fewer minutes than that what one act holds at the moment weighs more than what stays. */
const minutesOfTrend = 10;
/** How much more there may be in the second half. */
const goals: Sample = {
  'extension host, heap': 1.15,
  'extension host, resident': 1.2,
  'page, heap': 1.15,
  'page, thousand nodes': 1.15,
};

/** The memory of a window after its garbage was collected, in MB. */
export async function memoryOf(window: Window): Promise<Sample> {
  // A tab that happens to be open weighs as much as the rest of the page.
  await window.command('workbench.action.closeAllEditors');
  const host = await window.run(() => {
    require('node:v8').setFlagsFromString('--expose-gc');
    require('node:vm').runInNewContext('gc')();
    const { heapUsed, rss } = process.memoryUsage();
    return { heapUsed, rss };
  });
  const session = await window.page.context().newCDPSession(window.page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const ofPage = (name: string) => metrics.find(metric => metric.name === name)!.value;
  return {
    'extension host, heap': host.heapUsed / 2 ** 20,
    'extension host, resident': host.rss / 2 ** 20,
    'page, heap': ofPage('JSHeapUsedSize') / 2 ** 20,
    'page, thousand nodes': ofPage('Nodes') / 1000,
  };
}

/** The second half to the first, medians, without the first fifth of the samples, in which everything warms up. */
export function trendsOf(samples: readonly Sample[], minutes: number): Figure[] {
  const warm = samples.slice(Math.floor(samples.length / 5));
  if (warm.length < 2) return [];
  return Object.entries(goals).map(([name, most]) => {
    const values = warm.map(sample => sample[name]!);
    const half = Math.floor(values.length / 2);
    const [first, second] = [median(values.slice(0, half)), median(values.slice(-half))];
    const goal = minutes < minutesOfTrend ? undefined : most;
    return { name, ratio: second / first, goal, detail: `${first.toFixed(1)} → ${second.toFixed(1)}` };
  });
}
